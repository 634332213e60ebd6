package siemload.dataset;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import siemload.config.ConfigException;
import siemload.config.Problems;
import siemload.config.ValueType;
import siemload.config.YamlDocument;
import siemload.config.YamlNode;
import siemload.dataset.EventProfile.Categories;
import siemload.dataset.EventProfile.Category;
import siemload.dataset.EventProfile.Details;
import siemload.dataset.EventProfile.Detector;
import siemload.dataset.EventProfile.Detectors;
import siemload.dataset.EventProfile.Endpoints;
import siemload.dataset.EventProfile.KnownAddresses;
import siemload.dataset.EventProfile.Port;
import siemload.dataset.EventProfile.PortTail;
import siemload.dataset.EventProfile.Ports;
import siemload.dataset.EventProfile.TargetKinds;
import siemload.dataset.EventProfile.Times;
import siemload.dataset.SearchedValues.Between;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;

/** Reads the file of a generated data set. Stateless and thread-safe. */
public final class DatasetReader {
    private static final long MOST_EVENTS = 1_000_000_000;
    private static final Duration LONGEST_SPAN = Duration.ofDays(3_660);

    private DatasetReader() {}

    /**
     * Reads a file and the profile that it names.
     *
     * @throws ConfigException with everything that is wrong, each with file, line and column
     */
    public static DatasetSpec read(Path file) {
        Problems problems = new Problems();
        return YamlDocument.read(file, file.toString(), problems, top -> spec(file, top, problems));
    }

    private static DatasetSpec spec(Path file, YamlNode top, Problems problems) {
        String description = top.required("description").text();
        long events = top.required("events").wholeNumber(1, MOST_EVENTS);
        Instant start = wholeHour(top.required("start"));
        Duration span = wholeHours(top.required("span"));
        long seed = top.required("seed").wholeNumber(Long.MIN_VALUE, Long.MAX_VALUE);
        EventProfile profile = profile(file, top.required("profile"), problems);
        Map<String, SearchedValues> searched = top.optional("searched")
                .map(node -> SearchedReader.read(node, start, span))
                .orElse(Map.of());
        DatasetSpec spec = new DatasetSpec(nameOf(file), description, events, start, span, seed, profile, searched);
        if (problems.isEmpty() && !Timeline.hasBusyHour(spec)) {
            top.required("span").problem("covers only hours of weight 0 (allowed: at least one with a weight above 0)");
        }
        return spec;
    }

    /** Either the profile itself, or the path of its file, seen from the data set's file. */
    private static EventProfile profile(Path file, YamlNode node, Problems problems) {
        if (node.isMapping()) {
            return ProfileReader.read(node);
        }
        Path profile = file.resolveSibling(node.text());
        if (!Files.exists(profile)) {
            node.problem("there is no file " + profile + " (allowed: a mapping, or a path seen from this file)");
            throw new IllegalArgumentException("no profile");
        }
        try {
            return YamlDocument.read(profile, profile.toString(), problems, ProfileReader::read);
        } catch (ConfigException alreadyNoted) {
            throw new IllegalArgumentException("the profile cannot be used", alreadyNoted);
        }
    }

    private static Instant wholeHour(YamlNode node) {
        Instant start = node.instant();
        if (start.getEpochSecond() % 3_600 != 0 || start.getNano() != 0) {
            node.problem(node.written() + " is not a whole hour in UTC (the day curve is by hours)");
        }
        return start;
    }

    private static Duration wholeHours(YamlNode node) {
        Duration span = node.duration(Duration.ofHours(1), LONGEST_SPAN);
        if (!span.equals(Duration.ofHours(span.toHours()))) {
            node.problem(node.written() + " is not a number of whole hours (the day curve is by hours)");
        }
        return span;
    }

    private static String nameOf(Path file) {
        String name = String.valueOf(file.getFileName());
        int dot = name.lastIndexOf('.');
        return dot > 0 ? name.substring(0, dot) : name;
    }

    /** Reads the values that a data set names for those who search it. Stateless. */
    private static final class SearchedReader {
        private static final AddressRange ANY = AddressRange.parse("192.0.2.1");
        private static final ValueType<AddressRange> RANGE =
                ValueType.of("address, network or range, such as 192.0.2.0-192.0.2.255", ANY, SearchedReader::range);
        private static final ValueType<AddressRange> ADDRESS = ValueType.of("single address", ANY, text -> {
            AddressRange range = range(text);
            if (!range.isSingle()) {
                throw new IllegalArgumentException("'" + text + "' is no single address (allowed: such as 192.0.2.1)");
            }
            return range;
        });

        private SearchedReader() {}

        /**
         * The values of each name.
         *
         * @param start of the data set
         * @param span of the data set
         */
        static Map<String, SearchedValues> read(YamlNode searched, Instant start, Duration span) {
            Map<String, SearchedValues> sets = new LinkedHashMap<>();
            searched.entries().forEach((name, node) -> {
                if (!name.matches("[a-z][A-Za-z0-9-]*") || name.equals(EventSource.DRAWN)) {
                    searched.problemWithKey(
                            name,
                            "is no name of values (allowed: letters, digits and hyphens, a small letter first, and not "
                                    + EventSource.DRAWN + ")");
                }
                sets.put(
                        name,
                        new SearchedValues(
                                between(node, new Between(start, start.plus(span))),
                                node.optional("address").map(address -> address.as(ADDRESS)),
                                node.optional("range").map(range -> range.as(RANGE)),
                                node.optional("category").map(YamlNode::text),
                                node.optional("detector").map(YamlNode::text),
                                node.optional("port").map(port -> port.wholeNumber(0, 65_535))));
            });
            return sets;
        }

        /** Both ends, or none; a search outside of the data would find nothing. */
        private static Optional<Between> between(YamlNode node, Between data) {
            Optional<YamlNode> from = node.optional("from");
            Optional<YamlNode> until = node.optional("until");
            if (from.isEmpty() && until.isEmpty()) {
                return Optional.empty();
            }
            Instant first = node.required("from").instant();
            Instant last = node.required("until").instant();
            boolean inside = !first.isBefore(data.from()) && !last.isAfter(data.until());
            if (from.isPresent() && until.isPresent() && (!first.isBefore(last) || !inside)) {
                until.orElseThrow()
                        .problem("from " + first + " until " + last + " is no time of this data set (allowed: from "
                                + data.from() + " until " + data.until() + ", the first one earlier)");
            }
            return Optional.of(new Between(first, last));
        }

        private static AddressRange range(String text) {
            try {
                return AddressRange.parse(text);
            } catch (IllegalArgumentException wrong) {
                throw new IllegalArgumentException(
                        wrong.getMessage()
                                + " (allowed: an address, a network or a range, such as 192.0.2.0-192.0.2.255)",
                        wrong);
            }
        }
    }

    /** Reads what the events of a data set look like, see {@link EventProfile}. */
    private static final class ProfileReader {
        private static final double SMALLEST_RANK_ROOT = 0.1;
        private static final double LARGEST_RANK_ROOT = 1_000;
        private static final Duration LONGEST_LAG = Duration.ofDays(30);
        private static final ValueType<AddressRange> ADDRESSES =
                ValueType.of("an IP address or network", AddressRange.ip4(0), AddressRange::parse);

        private ProfileReader() {}

        static EventProfile read(YamlNode node) {
            return new EventProfile(
                    dayCurve(node.required("dayCurve")),
                    node.required("ip6Ratio").ratio(),
                    times(node.required("times")),
                    categories(node.required("categories")),
                    detectors(node.required("detectors")),
                    endpoints(node.required("sources")),
                    endpoints(node.required("targets")),
                    targetKinds(node.required("targetKinds")),
                    ports(node.required("ports")),
                    details(node.required("details")));
        }

        private static List<Integer> dayCurve(YamlNode node) {
            List<Integer> weights = list(node, hour -> hour.wholeNumber(0, EventProfile.LARGEST_WEIGHT));
            if (node.isList() && weights.size() != 24) {
                node.problem("has " + weights.size() + " weights (allowed: 24, one for each hour of the day)");
            }
            return weights;
        }

        private static Times times(YamlNode node) {
            return new Times(
                    node.required("fractionRatio").ratio(),
                    node.required("longestEvent").duration(Duration.ZERO, LONGEST_LAG),
                    node.required("longestDelay").duration(Duration.ZERO, LONGEST_LAG),
                    node.required("eventTimeRatio").ratio(),
                    node.required("windowRatio").ratio(),
                    node.required("window").duration(Duration.ZERO, LONGEST_LAG));
        }

        private static Categories categories(YamlNode node) {
            return new Categories(
                    node.required("secondRatio").ratio(), filled(node.required("shares"), ProfileReader::category));
        }

        private static Category category(YamlNode node) {
            return new Category(
                    node.required("category").text(),
                    share(node.required("share")),
                    node.optional("sourceTypes").map(ProfileReader::texts).orElse(List.of()),
                    filled(node.required("descriptions"), YamlNode::text));
        }

        private static Detectors detectors(YamlNode node) {
            return new Detectors(
                    node.required("relayRatio").ratio(),
                    node.required("relay").text(),
                    filled(node.required("shares"), ProfileReader::detector));
        }

        private static Detector detector(YamlNode node) {
            return new Detector(
                    node.required("name").text(),
                    share(node.required("share")),
                    texts(node.required("types")),
                    texts(node.required("software")),
                    node.optional("aggregation").map(YamlNode::text).orElse(""));
        }

        private static Endpoints endpoints(YamlNode node) {
            Endpoints endpoints = new Endpoints(
                    node.required("addresses").wholeNumber(1, EventProfile.MOST_ADDRESSES),
                    node.required("ip6Addresses").wholeNumber(1, EventProfile.MOST_ADDRESSES),
                    rankRoot(node.required("rankRoot")),
                    node.required("scatteredNetworks").wholeNumber(0, EventProfile.MOST_NETWORKS),
                    list(node.required("networks"), network -> network.as(ADDRESSES)),
                    list(node.required("known"), ProfileReader::known),
                    weights(node.required("perEvent"), ValueType.wholeNumber(1, EventProfile.MOST_ADDRESSES_PER_EVENT)),
                    node.required("portRatio").ratio());
            checkRoom(node, endpoints, Family.IP4, endpoints.addresses());
            checkRoom(node, endpoints, Family.IP6, endpoints.ip6Addresses());
            checkRanks(node, endpoints);
            return endpoints;
        }

        private static KnownAddresses known(YamlNode node) {
            return new KnownAddresses(
                    node.required("range").as(ADDRESSES),
                    node.optional("count")
                            .map(count -> count.wholeNumber(1, EventProfile.MOST_ADDRESSES))
                            .orElse(1),
                    node.required("rank").wholeNumber(1, EventProfile.MOST_ADDRESSES),
                    node.optional("rankStep")
                            .map(step -> step.wholeNumber(1, EventProfile.MOST_ADDRESSES))
                            .orElse(1));
        }

        /** Half of the networks' addresses must stay free: a fresh one is found by trying. */
        private static void checkRoom(YamlNode node, Endpoints endpoints, Family family, int addresses) {
            double room = endpoints.networks().stream()
                            .filter(network -> network.family() == family)
                            .mapToDouble(AddressCounts::of)
                            .sum()
                    + endpoints.scatteredNetworks() * 256.0;
            if (room < 2.0 * addresses) {
                node.required("networks")
                        .problem("these and the scattered networks have room for "
                                + (long) room + " addresses of family " + family + " (needed: twice the " + addresses
                                + " that occur)");
            }
        }

        private static void checkRanks(YamlNode node, Endpoints endpoints) {
            Set<String> taken = new HashSet<>();
            List<YamlNode> places = node.required("known").elements();
            for (int i = 0; i < places.size(); i++) {
                KnownAddresses known = endpoints.known().get(i);
                Family family = known.range().family();
                int ranks = family == Family.IP4 ? endpoints.addresses() : endpoints.ip6Addresses();
                long last = known.rank() + (known.count() - 1L) * known.rankStep();
                if (known.count() > AddressCounts.of(known.range())) {
                    places.get(i).problem(known.range() + " has fewer than " + known.count() + " addresses");
                } else if (last > ranks) {
                    places.get(i)
                            .problem("the last has rank " + last + " (allowed: up to the number of addresses, " + ranks
                                    + ")");
                } else if (!takesFree(known, taken)) {
                    places.get(i).problem("the same address or rank is known already (allowed: each once)");
                }
            }
        }

        private static boolean takesFree(KnownAddresses known, Set<String> taken) {
            return IntStream.range(0, known.count()).allMatch(i -> {
                String rank = known.range().family() + " " + (known.rank() + i * known.rankStep());
                String address = AddressCounts.nth(known.range(), i).toString();
                return taken.add(rank) && taken.add(address);
            });
        }

        private static TargetKinds targetKinds(YamlNode node) {
            TargetKinds kinds = new TargetKinds(
                    node.required("single").wholeNumber(0, EventProfile.LARGEST_WEIGHT),
                    node.required("network").wholeNumber(0, EventProfile.LARGEST_WEIGHT),
                    node.required("portOnly").wholeNumber(0, EventProfile.LARGEST_WEIGHT),
                    node.required("none").wholeNumber(0, EventProfile.LARGEST_WEIGHT),
                    weights(
                            node.required("networkBits"),
                            ValueType.wholeNumber(EventProfile.LARGEST_NETWORK_BITS, Family.IP4.bits())),
                    node.required("ip6NetworkBits")
                            .wholeNumber(EventProfile.LARGEST_IP6_NETWORK_BITS, Family.IP6.bits()));
            if (kinds.single() + kinds.network() + kinds.portOnly() + kinds.none() == 0) {
                node.problem("all weights are 0 (allowed: at least one of single, network, portOnly, none above 0)");
            }
            return kinds;
        }

        private static Ports ports(YamlNode node) {
            YamlNode tail = node.required("tail");
            return new Ports(
                    list(node.required("shares"), ProfileReader::port),
                    new PortTail(
                            share(tail.required("share")),
                            tail.required("ports").wholeNumber(1, EventProfile.MOST_TAIL_PORTS),
                            rankRoot(tail.required("rankRoot")),
                            weights(tail.required("protocols"), ValueType.text())));
        }

        private static Port port(YamlNode node) {
            return new Port(
                    node.required("port").wholeNumber(0, 65_535),
                    share(node.required("share")),
                    texts(node.required("protocols")));
        }

        private static Details details(YamlNode node) {
            return new Details(
                    node.required("flowCountRatio").ratio(),
                    node.required("connectionCountRatio").ratio(),
                    node.required("largestCount").wholeNumber(1, 1L << 40),
                    node.required("noteRatio").ratio(),
                    node.required("longestNote").wholeNumber(1, 100),
                    filled(node.required("notes"), YamlNode::text),
                    node.required("storageRatio").ratio());
        }

        private static double share(YamlNode node) {
            return node.number(EventProfile.SMALLEST_SHARE, EventProfile.LARGEST_WEIGHT);
        }

        private static double rankRoot(YamlNode node) {
            return node.number(SMALLEST_RANK_ROOT, LARGEST_RANK_ROOT);
        }

        private static <K> Map<K, Integer> weights(YamlNode node, ValueType<K> keys) {
            Map<K, Integer> weights = new LinkedHashMap<>();
            node.entries().forEach((key, value) -> {
                int weight = value.wholeNumber(1, EventProfile.LARGEST_WEIGHT);
                key(node, key, keys).ifPresent(known -> weights.put(known, weight));
            });
            if (node.isMapping() && node.entries().isEmpty()) {
                node.problem("is empty (allowed: at least one entry)");
            }
            return weights;
        }

        private static <K> Optional<K> key(YamlNode node, String key, ValueType<K> type) {
            try {
                return Optional.of(type.parse(key));
            } catch (IllegalArgumentException e) {
                node.problemWithKey(key, String.valueOf(e.getMessage()));
                return Optional.empty();
            }
        }

        private static List<String> texts(YamlNode node) {
            return list(node, YamlNode::text);
        }

        private static <T> List<T> filled(YamlNode node, Function<YamlNode, T> read) {
            List<T> list = list(node, read);
            if (node.isList() && list.isEmpty()) {
                node.problem("is empty (allowed: at least one entry)");
            }
            return list;
        }

        private static <T> List<T> list(YamlNode node, Function<YamlNode, T> read) {
            List<T> list = new ArrayList<>();
            node.elements().forEach(element -> list.add(read.apply(element)));
            return list;
        }
    }
}
