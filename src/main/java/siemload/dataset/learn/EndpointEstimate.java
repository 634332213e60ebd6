package siemload.dataset.learn;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import siemload.dataset.EventProfile;
import siemload.dataset.EventProfile.Endpoints;
import siemload.dataset.EventProfile.TargetKinds;
import siemload.dataset.learn.EndpointMeasure.TargetKind;
import siemload.dataset.statistics.DistinctValues;
import siemload.dataset.statistics.Estimate;
import siemload.dataset.statistics.Occupancy;
import siemload.dataset.statistics.RankLawFit;
import siemload.event.AddressRange.Family;

/** The endpoints of a profile from what was measured. Stateless. */
final class EndpointEstimate {
    private static final int USUAL_NETWORK_BITS = 24;
    private static final int USUAL_IP6_NETWORK_BITS = 64;
    /** A network of 256 addresses is half full at most. */
    private static final double ADDRESSES_A_NETWORK = 128;

    private EndpointEstimate() {}

    /**
     * The addresses of one side.
     *
     * @param laws takes the popularity law, for the fit
     */
    static Endpoints side(String name, SideMeasure measured, Parameters parameters, Map<String, RankLawFit> laws) {
        boolean mostlyIp6 = measured.ip6().draws() > measured.ip4().draws();
        SampledCounts main = mostlyIp6 ? measured.ip6() : measured.ip4();
        SampledCounts other = mostlyIp6 ? measured.ip4() : measured.ip6();
        double addresses = 1;
        double rankRoot = 2;
        double otherAddresses = 1;
        double networks = 1;
        if (main.distinct() > 0) {
            RankLawFit law = RankLawFit.of(main.occurrences());
            laws.put(name, law);
            addresses = parameters.note(name + (mostlyIp6 ? ".ip6Addresses" : ".addresses"), law.values());
            rankRoot = parameters.note(name + ".rankRoot", law.rankRoot());
            networks = parameters.note(
                    name + ".scatteredNetworks",
                    Occupancy.places((double) main.distinct(), (double) main.groups(), EventProfile.MOST_NETWORKS));
            if (other.distinct() > 0) {
                otherAddresses = parameters.note(
                        name + (mostlyIp6 ? ".addresses" : ".ip6Addresses"),
                        DistinctValues.of(other.occurrences(), law.rankRoot(), EventProfile.MOST_ADDRESSES));
            }
        }
        int mainCount = (int) Math.min(EventProfile.MOST_ADDRESSES, Math.round(addresses));
        int otherCount = (int) Math.min(EventProfile.MOST_ADDRESSES, Math.round(otherAddresses));
        double room = Math.ceil(Math.max(mainCount, otherCount) / ADDRESSES_A_NETWORK);
        return new Endpoints(
                mostlyIp6 ? otherCount : mainCount,
                mostlyIp6 ? mainCount : otherCount,
                rounded(rankRoot),
                (int) Math.min(EventProfile.MOST_NETWORKS, Math.max(room, Math.rint(networks))),
                List.of(),
                List.of(),
                perEvent(name, measured, parameters),
                parameters.note(name + ".portRatio", Estimate.share(measured.withPort(), measured.endpoints())));
    }

    private static Map<Integer, Integer> perEvent(String name, SideMeasure measured, Parameters parameters) {
        long all = sum(measured.perEvent());
        Map<Integer, Integer> weights = new TreeMap<>();
        for (int count = 1; count < measured.perEvent().length; count++) {
            if (measured.perEvent()[count] > 0) {
                Estimate share = Estimate.share(measured.perEvent()[count], all).times(EventProfile.LARGEST_WEIGHT);
                long weight = parameters.noteWhole(name + ".perEvent." + count, share);
                weights.put(count, (int) Math.max(1, weight));
            }
        }
        return weights.isEmpty() ? Map.of(1, 1) : weights;
    }

    static TargetKinds targetKinds(EndpointMeasure measured, Parameters parameters) {
        return new TargetKinds(
                kind("single", TargetKind.SINGLE, measured, parameters),
                kind("network", TargetKind.NETWORK, measured, parameters),
                kind("portOnly", TargetKind.PORT_ONLY, measured, parameters),
                kind("none", TargetKind.NONE, measured, parameters),
                networkBits(measured.networkBits(), parameters),
                Math.max(EventProfile.LARGEST_IP6_NETWORK_BITS, most(measured.ip6NetworkBits())));
    }

    private static int kind(String name, TargetKind kind, EndpointMeasure measured, Parameters parameters) {
        Estimate share =
                Estimate.share(measured.kinds().count(kind), measured.kinds().sum());
        return (int) parameters.noteWhole("targetKinds." + name, share.times(EventProfile.LARGEST_WEIGHT));
    }

    private static Map<Integer, Integer> networkBits(long[] counts, Parameters parameters) {
        long all = sum(counts);
        Map<Integer, Integer> weights = new TreeMap<>();
        for (int bits = 0; bits <= Family.IP4.bits(); bits++) {
            if (counts[bits] > 0) {
                Estimate share = Estimate.share(counts[bits], all).times(EventProfile.LARGEST_WEIGHT);
                long weight = Math.max(1, parameters.noteWhole("targetKinds.networkBits." + bits, share));
                weights.merge(Math.max(EventProfile.LARGEST_NETWORK_BITS, bits), (int) weight, Integer::sum);
            }
        }
        return weights.isEmpty() ? Map.of(USUAL_NETWORK_BITS, 1) : weights;
    }

    private static int most(long[] counts) {
        int most = USUAL_IP6_NETWORK_BITS;
        for (int bits = 0; bits < counts.length; bits++) {
            most = counts[bits] > counts[most] ? bits : most;
        }
        return most;
    }

    /** To as many digits as intervals ever leave. */
    static double rounded(double rankRoot) {
        return Math.max(0.1, Math.min(1_000, Math.rint(rankRoot * 10_000) / 10_000));
    }

    static long sum(long[] counts) {
        long sum = 0;
        for (long count : counts) {
            sum += count;
        }
        return sum;
    }
}
