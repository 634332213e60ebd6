package siemload.dataset.learn;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import siemload.dataset.EventProfile;
import siemload.dataset.EventProfile.Port;
import siemload.dataset.EventProfile.PortTail;
import siemload.dataset.EventProfile.Ports;
import siemload.dataset.statistics.Estimate;
import siemload.dataset.statistics.OccurrenceCounts;
import siemload.dataset.statistics.RankLawFit;

/** The ports of a profile: those with a hundredth of all or more by themselves, the others as a tail with a law. Stateless. */
final class PortEstimate {
    private static final double OWN_SHARE = 0.01;
    private static final int OWN_COUNT = 20;

    private PortEstimate() {}

    static Ports of(PortMeasure measured, Pseudonyms names, Parameters parameters, Map<String, RankLawFit> laws) {
        List<Port> shares = new ArrayList<>();
        long[] tail = measured.events().clone();
        for (int port : own(measured)) {
            Estimate share =
                    Estimate.share(measured.events()[port], measured.all()).times(100);
            shares.add(
                    new Port(port, parameters.note("ports." + port, share), names.protocols(measured.protocols(port))));
            tail[port] = 0;
        }
        return new Ports(shares, tail(tail, measured, names, parameters, laws));
    }

    /** From the most frequent one down. */
    static List<Integer> own(PortMeasure measured) {
        double least = Math.max(OWN_COUNT, measured.all() * OWN_SHARE);
        return IntStream.range(0, measured.events().length)
                .filter(port -> measured.events()[port] >= least)
                .boxed()
                .sorted(Comparator.comparingLong((Integer port) -> -measured.events()[port]))
                .toList();
    }

    private static PortTail tail(
            long[] events,
            PortMeasure measured,
            Pseudonyms names,
            Parameters parameters,
            Map<String, RankLawFit> laws) {
        long draws = EndpointEstimate.sum(events);
        if (draws == 0) {
            return new PortTail(EventProfile.SMALLEST_SHARE, 1, 1, Map.of("tcp", 1));
        }
        double share = parameters.note(
                "ports.tail.share", Estimate.share(draws, measured.all()).times(100));
        int[] counts = Arrays.stream(events)
                .filter(count -> count > 0)
                .mapToInt(count -> (int) Math.min(Integer.MAX_VALUE, count))
                .toArray();
        RankLawFit law = RankLawFit.of(new OccurrenceCounts(draws, 1, counts));
        laws.put("ports.tail", law);
        return new PortTail(
                Math.max(EventProfile.SMALLEST_SHARE, share),
                (int) Math.min(EventProfile.MOST_TAIL_PORTS, parameters.noteWhole("ports.tail.ports", law.values())),
                EndpointEstimate.rounded(parameters.note("ports.tail.rankRoot", law.rankRoot())),
                protocols(events, measured, names, parameters));
    }

    /** Each port of the tail has one protocol, so ports are counted and not events. */
    private static Map<String, Integer> protocols(
            long[] events, PortMeasure measured, Pseudonyms names, Parameters parameters) {
        Map<String, Long> ports = new TreeMap<>();
        long all = 0;
        for (int port = 0; port < events.length; port++) {
            if (events[port] > 0) {
                List<String> stack = names.protocols(measured.protocols(port));
                ports.merge(stack.isEmpty() ? "tcp" : stack.get(0), 1L, Long::sum);
                all++;
            }
        }
        Map<String, Integer> weights = new TreeMap<>();
        for (Map.Entry<String, Long> protocol : ports.entrySet()) {
            Estimate share = Estimate.share(protocol.getValue(), all).times(EventProfile.LARGEST_WEIGHT);
            long weight = parameters.noteWhole("ports.tail.protocols." + protocol.getKey(), share);
            weights.put(protocol.getKey(), (int) Math.max(1, weight));
        }
        return weights;
    }
}
