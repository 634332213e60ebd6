package siemload.dataset;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import siemload.config.YamlRecords.Key;
import siemload.config.YamlRecords.Misfit;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;

/**
 * The properties of the events of a generated data set. Shares and weights are relative to their sum. Ratios are 0 to 1. The keys in the
 * file of a profile are the names of these components. A profile made from immutable lists and maps is immutable. Weights are sorted by their
 * keys, so that a profile looks the same and gives the same draws everywhere.
 *
 * @param dayCurve 24 weights of the hours of the day, the first for 00:00 UTC
 * @param ip6Ratio the ratio of events whose addresses are IPv6
 */
public record EventProfile(
        @Key(allowed = WEIGHT) List<Integer> dayCurve,
        double ip6Ratio,
        Times times,
        Categories categories,
        Detectors detectors,
        Endpoints sources,
        Endpoints targets,
        TargetKinds targetKinds,
        Ports ports,
        Details details) {
    /** The largest number of addresses of one family on one side. */
    public static final int MOST_ADDRESSES = 1_000_000;

    public static final int MOST_NETWORKS = 200_000;
    public static final int MOST_ADDRESSES_PER_EVENT = 1_000;
    public static final int MOST_TAIL_PORTS = 50_000;
    /** The largest weight; weights are whole numbers, relative to their sum. */
    public static final int LARGEST_WEIGHT = 1_000_000;
    /** The prefix length of the largest target networks, for IPv4 here and for IPv6 below. */
    public static final int LARGEST_NETWORK_BITS = 8;

    public static final int LARGEST_IP6_NETWORK_BITS = 16;
    /** The smallest share, in percent. */
    public static final double SMALLEST_SHARE = 0.000_001;

    public static final long LARGEST_COUNT = 1L << 40;
    public static final int MOST_SENTENCES = 100;

    /** The allowed values of keys. */
    static final String WEIGHT = "0 to " + LARGEST_WEIGHT;

    static final String SHARE = SMALLEST_SHARE + " to " + LARGEST_WEIGHT;
    static final String RANK_ROOT = "0.1 to 1000";
    static final String ADDRESSES = "1 to " + MOST_ADDRESSES;
    /** The allowed times between timestamps of an event. */
    static final String LONGEST_LAG = "0s to 30d";

    public EventProfile {
        if (dayCurve.size() != 24) {
            throw new Misfit(
                    "dayCurve", "has " + dayCurve.size() + " weights (allowed: 24, one for each hour of the day)");
        }
    }

    /**
     * The timestamps of an event.
     *
     * @param fractionRatio the ratio of seconds in which detect times have milliseconds
     * @param longestEvent the longest time from {@code EventTime} to {@code DetectTime}
     * @param longestDelay the longest time from {@code DetectTime} to {@code CreateTime}
     * @param eventTimeRatio the ratio of events with {@code EventTime} and {@code CeaseTime}
     * @param windowRatio the ratio of events with {@code WinStartTime} and {@code WinEndTime}
     * @param window the time from {@code WinStartTime} to {@code WinEndTime}
     */
    public record Times(
            double fractionRatio,
            @Key(allowed = LONGEST_LAG) Duration longestEvent,
            @Key(allowed = LONGEST_LAG) Duration longestDelay,
            double eventTimeRatio,
            double windowRatio,
            @Key(allowed = LONGEST_LAG) Duration window) {}

    /**
     * The categories.
     *
     * @param secondRatio the ratio of events with a second category
     */
    public record Categories(
            double secondRatio, @Key(filled = true) List<Category> shares) {}

    /**
     * One category.
     *
     * @param sourceTypes the {@code Type} tags of the sources in events of this category
     * @param descriptions the templates, one for each event, with the event's own values for {@code {source}} and {@code {port}}
     */
    public record Category(
            @JsonProperty("category") @Key("category") String name,
            @Key(allowed = SHARE) double share,
            @Key(standard = "[]") List<String> sourceTypes,
            @Key(filled = true) List<String> descriptions) {}

    /**
     * The detectors.
     *
     * @param relayRatio the ratio of events that came through a relay, which precedes the detector
     */
    public record Detectors(
            double relayRatio,
            String relay,
            @Key(filled = true) List<Detector> shares) {}

    /**
     * One detector.
     *
     * @param aggregation the detector's {@code AggrWin}, as IDEA writes it; empty for none
     */
    public record Detector(
            String name,
            @Key(allowed = SHARE) double share,
            List<String> types,
            List<String> software,

            @JsonInclude(JsonInclude.Include.NON_EMPTY) @Key(standard = Key.NOTHING)
            String aggregation) {}

    /**
     * The addresses on one side of the events. The popularity of an address is {@code rank ^ (-1 / rankRoot)}.
     *
     * @param addresses the number of IPv4 addresses
     * @param ip6Addresses the number of IPv6 addresses
     * @param rankRoot how evenly addresses occur: near 0 one address has all events, far above 1 all addresses have equally many
     * @param scatteredNetworks the number of random /24 and of random /64 networks with addresses, in addition to {@code networks}
     * @param networks further networks with addresses
     * @param known addresses that must occur, at given ranks
     * @param perEvent the weight of each number of addresses in an event
     * @param portRatio the ratio of events that name a port on this side
     */
    public record Endpoints(
            @Key(allowed = ADDRESSES) int addresses,
            @Key(allowed = ADDRESSES) int ip6Addresses,
            @Key(allowed = RANK_ROOT) double rankRoot,
            @Key(allowed = "0 to " + MOST_NETWORKS) int scatteredNetworks,
            List<AddressRange> networks,
            List<KnownAddresses> known,

            @Key(allowed = "1 to " + MOST_ADDRESSES_PER_EVENT)
            SortedMap<Integer, Integer> perEvent,

            double portRatio) {
        public Endpoints {
            requireRoom(networks, scatteredNetworks, Family.IP4, addresses);
            requireRoom(networks, scatteredNetworks, Family.IP6, ip6Addresses);
            Set<String> taken = new HashSet<>();
            for (int i = 0; i < known.size(); i++) {
                KnownAddresses one = known.get(i);
                int ranks = one.range.family() == Family.IP4 ? addresses : ip6Addresses;
                long last = one.rank + (one.count - 1L) * one.rankStep;
                if (one.count > one.range.count()) {
                    throw new Misfit("known." + i, one.range + " has fewer than " + one.count + " addresses");
                }
                if (last > ranks) {
                    throw new Misfit(
                            "known." + i,
                            "its last rank is " + last + " (allowed: up to the number of addresses, " + ranks + ")");
                }
                for (int nth = 0; nth < one.count; nth++) {
                    String rank = one.range.family() + " " + (one.rank + nth * one.rankStep);
                    if (!taken.add(rank) || !taken.add(one.range.nth(nth).toString())) {
                        throw new Misfit(
                                "known." + i, "an address or a rank occurs twice in known (allowed: only once)");
                    }
                }
            }
        }

        /** Requires that half of the networks' addresses stay free, since a free address is found by trying. */
        private static void requireRoom(
                List<AddressRange> networks, int scatteredNetworks, Family family, int addresses) {
            double room = networks.stream()
                            .filter(network -> network.family() == family)
                            .mapToDouble(AddressRange::count)
                            .sum()
                    + scatteredNetworks * 256.0;
            if (room < 2.0 * addresses) {
                throw new Misfit(
                        "networks",
                        "the given and the scattered networks have room for " + (long) room + " addresses of family "
                                + family + " (needed: twice the " + addresses + " addresses)");
            }
        }
    }

    /**
     * Addresses with known ranks, for searches with known results.
     *
     * @param range the range, whose first addresses occur
     * @param count the number of addresses of the range that occur
     * @param rank the popularity rank of the first address, 1 for the most popular
     * @param rankStep the difference between the ranks of two successive addresses
     */
    public record KnownAddresses(
            AddressRange range,
            @Key(allowed = ADDRESSES, standard = "1") int count,
            @Key(allowed = ADDRESSES) int rank,
            @Key(allowed = ADDRESSES, standard = "1") int rankStep) {}

    /**
     * The kinds of targets.
     *
     * @param single weight of events whose target is an address
     * @param network weight of events whose target is a network
     * @param portOnly weight of events whose target is a port without an address
     * @param none weight of events without a target
     * @param networkBits the weight of each prefix length of IPv4 networks
     * @param ip6NetworkBits the prefix length of IPv6 networks
     */
    public record TargetKinds(
            @Key(allowed = WEIGHT) int single,
            @Key(allowed = WEIGHT) int network,
            @Key(allowed = WEIGHT) int portOnly,
            @Key(allowed = WEIGHT) int none,
            @Key(allowed = LARGEST_NETWORK_BITS + " to 32") SortedMap<Integer, Integer> networkBits,

            @Key(allowed = LARGEST_IP6_NETWORK_BITS + " to 128")
            int ip6NetworkBits) {
        public TargetKinds {
            if (single + network + portOnly + none == 0) {
                throw new IllegalArgumentException(
                        "all weights are 0 (needed: one above 0 among single, network, portOnly and none)");
            }
        }
    }

    /**
     * The transport ports of targets; sources use random ports from 1024 up.
     *
     * @param tail rare random ports, in addition to the given ports
     */
    public record Ports(List<Port> shares, PortTail tail) {}

    /** One port with its protocols, from the lowest layer up. */
    public record Port(
            @Key(allowed = "0 to 65535") int port,
            @Key(allowed = SHARE) double share,
            List<String> protocols) {}

    /** Many rare ports; {@code protocols} has the weight of each transport protocol. */
    public record PortTail(
            @Key(allowed = SHARE) double share,
            @Key(allowed = "1 to " + MOST_TAIL_PORTS) int ports,
            @Key(allowed = RANK_ROOT) double rankRoot,
            SortedMap<String, Integer> protocols) {}

    /**
     * Other details of events.
     *
     * @param flowCountRatio the ratio of events with a {@code FlowCount}
     * @param connectionCountRatio the ratio of events with a {@code ConnCount}
     * @param largestCount the largest {@code FlowCount} or {@code ConnCount}; small counts are more frequent
     * @param noteRatio the ratio of events with a {@code Note}, made of one to {@code longestNote} of the {@code notes}
     * @param storageRatio the ratio of events with {@code _CESNET.StorageTime}, a key unknown to IDEA
     */
    public record Details(
            double flowCountRatio,
            double connectionCountRatio,
            @Key(allowed = "1 to " + LARGEST_COUNT) long largestCount,
            double noteRatio,
            @Key(allowed = "1 to " + MOST_SENTENCES) int longestNote,
            @Key(filled = true) List<String> notes,
            double storageRatio) {}
}
