package siemload.dataset.learn;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.databind.ser.std.StdDelegatingSerializer;
import com.fasterxml.jackson.databind.util.StdConverter;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import siemload.config.ConfigException;
import siemload.config.Durations;
import siemload.config.Origin;
import siemload.dataset.DatasetReader;
import siemload.dataset.DatasetSpec;
import siemload.dataset.EventGenerator;
import siemload.dataset.EventProfile;
import siemload.dataset.FairSample;
import siemload.dataset.LineProblems;
import siemload.dataset.SeededRandom;
import siemload.dataset.format.EventFile;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.Endpoint;
import siemload.event.EventLineReader;
import siemload.event.IdeaTime;
import siemload.event.IdeaWriter;
import siemload.event.Node;
import siemload.event.SecurityEvent;

/**
 * Learns a data set from files of events: reads them once, writes the data set with its profile into one file, and holds a generated
 * sample against one of the original. Memory holds 50,000 events at most, whose addresses, descriptions and notes are as long as they
 * come. Stateless and thread-safe.
 */
public final class Learner {
    /** Of more events than these a fair sample is looked at, whose share halves each time there are too many. */
    private static final int MOST_EVENTS = 50_000;

    private static final int MOST_HOURS = 100_000;
    private static final int EVENTS_BETWEEN_SIGNS = 1_000;
    /** All others may be private. */
    private static final Set<String> GENERATED_KEYS =
            Set.of("Format CreateTime EventTime CeaseTime WinStartTime WinEndTime FlowCount ConnCount Note _CESNET"
                    .split(" "));

    private static final double OWN_PORT_SHARE = 0.01;
    private static final int OWN_PORT_COUNT = 20;

    private Learner() {}

    /**
     * What was learnt from a stream of events. Immutable.
     *
     * @param spec the data set as its file has it
     * @param fits how generated events fit the original, field by field
     * @param told the places of unreadable lines and what else was left out, for people
     * @param lookedAt how many events of the original were compared with as many generated ones
     */
    public record Learnt(DatasetSpec spec, List<FieldFit> fits, List<String> told, long lookedAt) {
        public Learnt {
            fits = List.copyOf(fits);
            told = List.copyOf(told);
        }
    }

    /**
     * Learns.
     *
     * @param files events, one a line, in formats of their own
     * @param dataset the file to write, whose name ends with {@code .yaml}; it is replaced
     * @param read told after every thousand events that there were so many more
     * @throws ConfigException if there is no event in the files
     * @throws UncheckedIOException if a file cannot be read or written
     */
    public static Learnt learn(List<EventFile> files, Path dataset, long seed, LongConsumer read) {
        LineProblems problems =
                new LineProblems(files.stream().map(EventFile::path).toList());
        FairSample<Long, Seen> sample = new FairSample<>(MOST_EVENTS, number -> SeededRandom.mix(number, 1));
        NavigableMap<Long, Long> hours = new TreeMap<>();
        long count = 0;
        for (EventFile file : files) {
            try (EventLineReader reader = EventLineReader.open(file.path(), file.reader(), problems)) {
                for (Optional<SecurityEvent> next = reader.next(); next.isPresent(); next = reader.next()) {
                    SecurityEvent event = next.get();
                    sample.note(count, number -> Seen.of(event, reader.lines().length()), noted -> {});
                    long hour = Math.floorDiv(event.detectTime().getEpochSecond(), 3_600);
                    if (hours.size() < MOST_HOURS || hours.containsKey(hour)) {
                        hours.merge(hour, 1L, Long::sum);
                    }
                    if (++count % EVENTS_BETWEEN_SIGNS == 0) {
                        read.accept(EVENTS_BETWEEN_SIGNS);
                    }
                }
            }
        }
        // The place must do: a reason quotes the line.
        List<String> told = new ArrayList<>(problems.lines("", problem -> problem.file() + ":" + problem.line()));
        if (count == 0) {
            throw new ConfigException(
                    new Origin.WholeFile(
                            files.stream().map(file -> file.path().toString()).collect(Collectors.joining(", "))),
                    "there is no event to learn from" + (told.isEmpty() ? " (empty)" : "\n" + String.join("\n", told)));
        }
        List<Seen> original = List.copyOf(sample.values().values());
        List<SecurityEvent> events = original.stream().map(Seen::event).toList();
        Pseudonyms names = new Pseudonyms(seed);
        Span span = Span.of(hours, count);
        if (span.outside > 0) {
            told.add(String.format(
                    Locale.ROOT,
                    "%,d events far from all others in time count neither for the span nor for the day curve",
                    span.outside));
        }
        DatasetSpec spec = write(
                dataset,
                new Written(
                        String.format(Locale.ROOT, "Learnt from %,d events: names are replaced", count),
                        count,
                        Instant.ofEpochSecond(span.firstHour * 3_600).toString(),
                        span.hours + "h",
                        seed,
                        new Profile(events, names).profile(span.dayCurve)));
        IdeaWriter writer = new IdeaWriter();
        List<Seen> generated = new ArrayList<>();
        new EventGenerator(spec.withEvents(events.size()))
                .read(
                        1_000,
                        made -> made.forEach(event -> generated.add(Seen.of(event, writer.toBytes(event).length))));
        return new Learnt(spec, fits(original, generated, names), told, events.size());
    }

    /**
     * A file of a data set.
     *
     * @param start and the span as they stand in it
     */
    private record Written(
            String description, long events, String start, String span, long seed, EventProfile profile) {}

    /**
     * What is kept of an event.
     *
     * @param bytes how long its line is, without the line end
     */
    private record Seen(SecurityEvent event, long bytes) {
        /** Without values that siemload does not generate, since these may be long. */
        static Seen of(SecurityEvent event, long bytes) {
            Map<String, JsonNode> other = new LinkedHashMap<>(event.other());
            other.replaceAll((key, value) -> GENERATED_KEYS.contains(key) ? value : NullNode.instance);
            return new Seen(event.with("", event.detectTime(), other), bytes);
        }
    }

    private static DatasetSpec write(Path dataset, Written data) {
        StdConverter<Duration, String> written = new StdConverter<>() {
            @Override
            public String convert(Duration duration) {
                return Durations.format(duration);
            }
        };
        YAMLMapper yaml = YAMLMapper.builder()
                .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER, YAMLGenerator.Feature.SPLIT_LINES)
                .addModule(new SimpleModule()
                        .addSerializer(Duration.class, new StdDelegatingSerializer(Duration.class, written)))
                .build();
        try {
            Files.createDirectories(dataset.toAbsolutePath().resolveSibling(""));
            Files.writeString(
                    dataset,
                    "# Learnt by ./siemload learn: as many events over as many hours as the original had.\n"
                            + yaml.writeValueAsString(data));
        } catch (IOException e) {
            throw new UncheckedIOException(dataset + " cannot be written", e);
        }
        return DatasetReader.read(dataset);
    }

    /** Holds generated events against the original, field by field. */
    private static List<FieldFit> fits(List<Seen> original, List<Seen> generated, Pseudonyms names) {
        List<Integer> own = ownPorts(original.stream().map(Seen::event).toList());
        Map<String, Function<SecurityEvent, Stream<?>>> shares = new LinkedHashMap<>();
        shares.put("hour of the day (UTC)", one -> Stream.of(hour(one)));
        shares.put("categories of an event", one -> Stream.of(one.categories().size()));
        shares.put("named nodes of an event", one -> Stream.of(named(one).size()));
        shares.put("sources of an event", one -> Stream.of(one.sources().size()));
        shares.put("targets of an event", one -> Stream.of(one.targets().size()));
        shares.put("keys of an event that siemload does not generate", one -> Stream.of(unknownKeys(one)));
        shares.put("family of addresses", Learner::family);
        shares.put("addresses an event names as sources", one -> perEvent(one.sources()));
        shares.put("what sources are", one -> Stream.of(kind(one.sources())));
        shares.put("what targets are", one -> Stream.of(kind(one.targets())));
        shares.put("addresses an event names as targets", one -> perEvent(one.targets()));
        shares.put("prefix of target networks", one -> networkBits(one, Family.IP4));
        shares.put("port", one -> targetPorts(one).map(port -> own.contains(port) ? "" + port : "others"));
        Map<String, Function<Seen, Stream<Long>>> sizes = new LinkedHashMap<>();
        sizes.put(
                "characters of a description",
                one -> Stream.of((long) one.event.description().length()));
        sizes.put("characters of a note", one -> note(one.event).map(note -> (long) note.length()));
        sizes.put("seconds from EventTime to DetectTime", one -> lasted(one.event));
        sizes.put("seconds from DetectTime to CreateTime", one -> delay(one.event));
        sizes.put("FlowCount and ConnCount", one -> counts(one.event));
        sizes.put("bytes of a line", one -> Stream.of(one.bytes));
        Map<String, Function<SecurityEvent, Stream<?>>> popular = new LinkedHashMap<>();
        popular.put("events of a source address", one -> singles(one.sources()));
        popular.put("events of a target address", one -> singles(one.targets()));
        popular.put("events of another port", one -> targetPorts(one).filter(port -> !own.contains(port)));

        List<FieldFit> fits = new ArrayList<>();
        Function<SecurityEvent, Stream<String>> category = one -> Stream.of(category(one));
        Function<SecurityEvent, Stream<String>> detector = one -> one.detector().stream();
        fits.add(FieldFit.of("category", all(original, category).map(names::of), all(generated, category)));
        fits.add(FieldFit.of("detector", all(original, detector).map(names::of), all(generated, detector)));
        shares.forEach((name, of) -> fits.add(FieldFit.of(name, all(original, of), all(generated, of))));
        sizes.forEach((name, of) -> fits.add(FieldFit.of(
                name,
                original.stream().flatMap(of).map(Learner::cell),
                generated.stream().flatMap(of).map(Learner::cell))));
        popular.forEach((name, of) -> fits.add(FieldFit.of(name, howOften(original, of), howOften(generated, of))));
        return fits;
    }

    private static int hour(SecurityEvent event) {
        return event.detectTime().atOffset(ZoneOffset.UTC).getHour();
    }

    private static long unknownKeys(SecurityEvent event) {
        return event.other().keySet().stream()
                .filter(key -> !GENERATED_KEYS.contains(key))
                .count();
    }

    private static <T> Stream<T> all(List<Seen> events, Function<SecurityEvent, ? extends Stream<? extends T>> of) {
        return events.stream().map(Seen::event).flatMap(of);
    }

    /** How often each value occurred. */
    private static Stream<Long> howOften(List<Seen> events, Function<SecurityEvent, Stream<?>> of) {
        return Counts.of(all(events, of)).counts().values().stream().map(Learner::cell);
    }

    /** The least size of the cell, four from one power of two to the next. */
    private static long cell(long size) {
        int shift = Math.max(0, Long.SIZE - 3 - Long.numberOfLeadingZeros(size));
        return size >> shift << shift;
    }

    /**
     * Over which hours events lie, and how busy each hour of the day is.
     *
     * @param firstHour since 1970
     * @param dayCurve the weight of each hour of the day, 1,000 on average
     * @param outside how many events lie far from all others, as a wrong clock makes them, and were left out
     */
    private record Span(long firstHour, long hours, List<Integer> dayCurve, long outside) {
        private static final int LONGEST_HOURS = 3_660 * 24;
        /** Those at an end that are fewer together, and lie farther from all others, are left out. */
        private static final double FEW = 0.01;

        private static final int FAR_HOURS = 24;
        private static final int MEAN_WEIGHT = 1_000;

        static Span of(NavigableMap<Long, Long> hours, long all) {
            leaveOutFar(hours, all * FEW);
            leaveOutFar(hours.descendingMap(), all * FEW);
            long first = hours.firstKey();
            hours.tailMap(first + LONGEST_HOURS, true).clear();
            long last = hours.lastKey();
            long inside = hours.values().stream().mapToLong(Long::longValue).sum();
            double[] ofHour = new double[24];
            hours.forEach((hour, count) -> ofHour[Math.floorMod(hour, 24)] += count);
            double mean = (double) inside / (last - first + 1);
            List<Integer> curve = new ArrayList<>();
            for (int hour = 0; hour < 24; hour++) {
                long times = Math.floorDiv(last - hour, 24L) - Math.floorDiv(first - 1 - hour, 24L);
                curve.add(times == 0 ? MEAN_WEIGHT : (int) Math.rint(MEAN_WEIGHT * ofHour[hour] / times / mean));
            }
            return new Span(first, last - first + 1, curve, all - inside);
        }

        /** The few that stand before all others, with a gap between. */
        private static void leaveOutFar(NavigableMap<Long, Long> hours, double few) {
            long begin = hours.firstKey();
            long before = begin;
            long events = 0;
            for (Map.Entry<Long, Long> hour : hours.entrySet()) {
                if (events > few) {
                    break;
                }
                begin = Math.abs(hour.getKey() - before) > FAR_HOURS ? hour.getKey() : begin;
                before = hour.getKey();
                events += hour.getValue();
            }
            hours.headMap(begin, false).clear();
        }
    }

    /** Ports with a hundredth of all or more, from the most frequent down: these stand in a profile by themselves. */
    private static List<Integer> ownPorts(List<SecurityEvent> events) {
        Counts<Integer> ports = Counts.of(events.stream().flatMap(Learner::targetPorts));
        double least = Math.max(OWN_PORT_COUNT, ports.all() * OWN_PORT_SHARE);
        return ports.ranked()
                .filter(port -> ports.counts().getOrDefault(port, 0L) >= least)
                .toList();
    }

    private static String category(SecurityEvent event) {
        return event.categories().stream().findFirst().orElse("Other");
    }

    /** Relays, and behind them the detector. */
    private static List<Node> named(SecurityEvent event) {
        return event.nodes().stream().filter(node -> !node.name().isEmpty()).toList();
    }

    /** The last one that is named. */
    private static Stream<Node> detector(SecurityEvent event) {
        return named(event).stream().skip(Math.max(0, named(event).size() - 1));
    }

    /** IPv6 where any of its addresses is one. */
    private static Stream<Family> family(SecurityEvent event) {
        return addresses(event.endpoints()).map(AddressRange::family).max(Family::compareTo).stream();
    }

    private static Stream<AddressRange> addresses(Stream<Endpoint> side) {
        return side.flatMap(endpoint -> endpoint.addresses().stream());
    }

    private static Stream<AddressRange> singles(List<Endpoint> side) {
        return addresses(side.stream()).filter(AddressRange::isSingle);
    }

    /** How many single addresses a side names, if any. */
    private static Stream<Integer> perEvent(List<Endpoint> side) {
        return Stream.of((int) Math.min(singles(side).count(), EventProfile.MOST_ADDRESSES_PER_EVENT))
                .filter(number -> number > 0);
    }

    /** What a side of an event is, in the words of {@link EventProfile.TargetKinds}. */
    private static String kind(List<Endpoint> side) {
        if (side.stream().allMatch(endpoint -> endpoint.addresses().isEmpty())) {
            return side.isEmpty() ? "none" : "portOnly";
        }
        return singles(side).findFirst().isPresent() ? "single" : "network";
    }

    /** Of networks and ranges that are targets. */
    private static Stream<Integer> networkBits(SecurityEvent event, Family family) {
        return addresses(event.targets().stream())
                .filter(address -> !address.isSingle() && address.family() == family)
                .map(AddressRange::sharedBits);
    }

    private static Stream<Integer> targetPorts(SecurityEvent event) {
        return event.targets().stream().flatMap(target -> target.ports().stream());
    }

    /** Seconds from {@code EventTime} to the detect time, where that is later. */
    private static Stream<Long> lasted(SecurityEvent event) {
        return seconds(event, "EventTime").map(seconds -> -seconds).filter(seconds -> seconds >= 0);
    }

    /** Seconds from the detect time to {@code CreateTime}, where that is later. */
    private static Stream<Long> delay(SecurityEvent event) {
        return seconds(event, "CreateTime").filter(seconds -> seconds >= 0);
    }

    private static Stream<Long> seconds(SecurityEvent event, String key) {
        return text(event.other(), key)
                .flatMap(IdeaTime::parse)
                .map(time -> time.getEpochSecond() - event.detectTime().getEpochSecond())
                .stream();
    }

    private static Stream<String> description(SecurityEvent event) {
        return Stream.of(event.description()).filter(text -> !text.isBlank());
    }

    private static Stream<String> note(SecurityEvent event) {
        return Stream.ofNullable(event.other().get("Note")).map(JsonNode::asText);
    }

    private static Stream<Long> counts(SecurityEvent event) {
        return Stream.of("FlowCount", "ConnCount")
                .flatMap(key -> Stream.ofNullable(event.other().get(key)))
                .filter(count -> count.isIntegralNumber() && count.canConvertToLong() && count.longValue() >= 0)
                .map(JsonNode::longValue);
    }

    private static Optional<String> text(Map<String, JsonNode> keys, String key) {
        return Optional.ofNullable(keys.get(key)).map(JsonNode::textValue);
    }

    /**
     * A profile like some events, each parameter estimated from what the generator makes of it. Not thread-safe.
     *
     * @param events one or more
     */
    private record Profile(List<SecurityEvent> events, Pseudonyms names) {
        private static final double LONGEST_SECONDS = Duration.ofDays(30).toSeconds();
        private static final int MOST_NAMES = 1_000;
        private static final int MOST_TEXTS = 20;
        private static final int LONGEST_NOTE = 10_000;
        private static final int LONGEST_DESCRIPTION = 400;
        /** A network of 256 addresses is half full at most. */
        private static final double ADDRESSES_A_NETWORK = 128;

        private static final Pattern AGGREGATION = Pattern.compile("[0-9]{1,3}:[0-5][0-9]:[0-5][0-9]");

        EventProfile profile(List<Integer> dayCurve) {
            return new EventProfile(
                    dayCurve,
                    count(Learner::family).share(Family.IP6),
                    times(),
                    categories(),
                    detectors(),
                    endpoints(SecurityEvent::sources),
                    endpoints(SecurityEvent::targets),
                    targetKinds(),
                    ports(),
                    details());
        }

        private <T> Counts<T> count(Function<SecurityEvent, Stream<T>> parts) {
            return Counts.of(events.stream().flatMap(parts));
        }

        private double ratio(Predicate<SecurityEvent> is) {
            return count(event -> Stream.of(is.test(event))).share(true);
        }

        private double has(String key) {
            return ratio(event -> event.other().containsKey(key));
        }

        /** All spans up to the longest are alike, so that it is twice the mean; the largest one would be that of a wrong clock. */
        private EventProfile.Times times() {
            Counts<Long> windows = count(event -> seconds(event, "WinStartTime")
                    .flatMap(opened -> seconds(event, "WinEndTime").map(closed -> closed - opened)));
            return new EventProfile.Times(
                    ratio(event -> event.detectTime().get(ChronoField.NANO_OF_SECOND) > 0),
                    twiceTheMean(Learner::lasted),
                    twiceTheMean(Learner::delay),
                    has("EventTime"),
                    Counts.ratio(windows.all(), events.size()),
                    duration(windows.usual(0L)));
        }

        private Duration twiceTheMean(Function<SecurityEvent, Stream<Long>> seconds) {
            return duration(2 * events.stream().flatMap(seconds).collect(Collectors.averagingLong(one -> one)));
        }

        private static Duration duration(double seconds) {
            return Duration.ofSeconds(Math.round(Math.max(0, Math.min(LONGEST_SECONDS, seconds))));
        }

        private EventProfile.Categories categories() {
            Counts<String> counted = count(event -> Stream.of(category(event)));
            Map<String, List<SecurityEvent>> ofCategory =
                    events.stream().collect(Collectors.groupingBy(Learner::category));
            List<EventProfile.Category> shares = counted.ranked()
                    .limit(MOST_NAMES)
                    .map(name -> {
                        Profile own = new Profile(ofCategory.getOrDefault(name, List.of()), names);
                        Counts<List<String>> types = own.count(
                                event -> event.sources().stream().limit(1).map(Endpoint::types));
                        return new EventProfile.Category(
                                names.of(name),
                                counted.percent(name),
                                names.of(types.usual(List.of())),
                                own.sentences(Learner::description, LONGEST_DESCRIPTION));
                    })
                    .toList();
            return new EventProfile.Categories(ratio(event -> event.categories().size() > 1), shares);
        }

        /** Made-up sentences whose lengths are quantiles of those of the texts that there are. */
        private List<String> sentences(Function<SecurityEvent, Stream<String>> texts, int longest) {
            Counts<String> all = count(texts);
            List<Integer> lengths = events.stream()
                    .flatMap(texts)
                    .map(text -> Math.min(longest, text.length()))
                    .sorted()
                    .toList();
            int many = Math.min(MOST_TEXTS, all.counts().size());
            return lengths.isEmpty()
                    ? List.of("-")
                    : IntStream.range(0, many)
                            .map(i -> (2 * i + 1) * lengths.size() / (2 * many))
                            .mapToObj(place -> names.sentence(lengths.get(place)))
                            .toList();
        }

        private EventProfile.Detectors detectors() {
            Counts<EventProfile.Detector> detectors =
                    count(event -> detector(event).map(this::said));
            Counts<String> relays = count(event ->
                    named(event).stream().limit(named(event).size() > 1 ? 1 : 0).map(Node::name));
            List<EventProfile.Detector> shares = detectors
                    .ranked()
                    .limit(MOST_NAMES)
                    .map(said -> new EventProfile.Detector(
                            said.name(), detectors.percent(said), said.types(), said.software(), said.aggregation()))
                    .toList();
            return new EventProfile.Detectors(
                    Counts.ratio(relays.all(), detectors.all()),
                    names.of(relays.usual("relay")),
                    shares.isEmpty()
                            ? List.of(new EventProfile.Detector("detector", 1, List.of(), List.of(), ""))
                            : shares);
        }

        /** What a detector says of itself, without its share. */
        private EventProfile.Detector said(Node node) {
            String window = text(node.other(), "AggrWin")
                    .filter(text -> AGGREGATION.matcher(text).matches())
                    .orElse("");
            return new EventProfile.Detector(
                    names.of(node.name()), 0, names.of(node.types()), names.of(node.software()), window);
        }

        /** The law is told from the family with more events, and holds for the other one as well. */
        private EventProfile.Endpoints endpoints(Function<SecurityEvent, List<Endpoint>> side) {
            Counts<AddressRange> ip4 =
                    count(event -> singles(side.apply(event)).filter(one -> one.family() == Family.IP4));
            Counts<AddressRange> ip6 =
                    count(event -> singles(side.apply(event)).filter(one -> one.family() == Family.IP6));
            boolean mostlyIp6 = ip6.all() > ip4.all();
            Counts<AddressRange> mostly = mostlyIp6 ? ip6 : ip4;
            PopularityLaw law = PopularityLaw.of(mostly, EventProfile.MOST_ADDRESSES);
            double others = PopularityLaw.values(mostlyIp6 ? ip4 : ip6, law.exponent(), EventProfile.MOST_ADDRESSES);
            double seen = mostly.ranked()
                    .map(address -> address.network(mostlyIp6 ? 64 : 24))
                    .distinct()
                    .count();
            double networks = Math.max(1, seen);
            for (int i = 0; i < 50 && seen > 0; i++) {
                // So many of them have an address (Feller, An Introduction to Probability Theory, volume 1, IV.2), and
                // as
                // many were seen.
                networks = seen / -Math.expm1(-mostly.counts().size() / networks);
            }
            double room = Math.ceil(Math.max(law.values(), others) / ADDRESSES_A_NETWORK);
            Counts<Boolean> hasPort = count(event -> side.apply(event).stream()
                    .filter(endpoint -> !endpoint.addresses().isEmpty())
                    .map(endpoint -> !endpoint.ports().isEmpty()));
            return new EventProfile.Endpoints(
                    (int) Math.rint(mostlyIp6 ? others : law.values()),
                    (int) Math.rint(mostlyIp6 ? law.values() : others),
                    law.rankRoot(),
                    (int) Math.min(EventProfile.MOST_NETWORKS, Math.max(room, Math.rint(networks))),
                    List.of(),
                    List.of(),
                    count(event -> perEvent(side.apply(event))).weights(1),
                    hasPort.share(true));
        }

        private EventProfile.TargetKinds targetKinds() {
            Counts<String> kinds = count(event -> Stream.of(kind(event.targets())));
            Counts<Integer> bits = count(event ->
                    networkBits(event, Family.IP4).map(number -> Math.max(EventProfile.LARGEST_NETWORK_BITS, number)));
            int ip6Bits = count(event -> networkBits(event, Family.IP6)).usual(64);
            return new EventProfile.TargetKinds(
                    kinds.weight("single"),
                    kinds.weight("network"),
                    kinds.weight("portOnly"),
                    kinds.weight("none"),
                    bits.weights(24),
                    Math.max(EventProfile.LARGEST_IP6_NETWORK_BITS, ip6Bits));
        }

        private EventProfile.Ports ports() {
            Counts<Integer> ports = count(Learner::targetPorts);
            Map<Integer, List<String>> protocols = new HashMap<>();
            // With the protocols that events with this port name most often.
            count(event -> event.targets().stream()
                            .flatMap(
                                    target -> target.ports().stream().map(port -> Map.entry(port, target.protocols()))))
                    .ranked()
                    .forEach(one -> protocols.putIfAbsent(one.getKey(), names.of(one.getValue())));
            List<Integer> own = ownPorts(events);
            Counts<Integer> seldom = count(event -> targetPorts(event).filter(port -> !own.contains(port)));
            PopularityLaw law = PopularityLaw.of(seldom, EventProfile.MOST_TAIL_PORTS);
            // Each port of the tail has one protocol, so ports are counted and not events.
            Counts<String> ofTail = Counts.of(seldom.ranked()
                    .map(port -> protocols.getOrDefault(port, List.of()).stream()
                            .findFirst()
                            .orElse("tcp")));
            return new EventProfile.Ports(
                    own.stream()
                            .map(port -> new EventProfile.Port(
                                    port, ports.percent(port), protocols.getOrDefault(port, List.of())))
                            .toList(),
                    new EventProfile.PortTail(
                            Math.max(EventProfile.SMALLEST_SHARE, 100 * Counts.ratio(seldom.all(), ports.all())),
                            (int) law.values(),
                            law.rankRoot(),
                            ofTail.weights("tcp")));
        }

        private EventProfile.Details details() {
            long largest =
                    events.stream().flatMap(Learner::counts).max(Long::compare).orElse(1L);
            return new EventProfile.Details(
                    has("FlowCount"),
                    has("ConnCount"),
                    Math.max(1, Math.min(EventProfile.LARGEST_COUNT, largest)),
                    has("Note"),
                    1,
                    sentences(Learner::note, LONGEST_NOTE),
                    ratio(event -> event.other()
                            .getOrDefault("_CESNET", TextNode.valueOf(""))
                            .has("StorageTime")));
        }
    }
}
