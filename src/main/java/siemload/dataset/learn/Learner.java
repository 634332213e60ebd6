package siemload.dataset.learn;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
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
import java.util.stream.Stream;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.dataset.DatasetReader;
import siemload.dataset.DatasetSpec;
import siemload.dataset.EventGenerator;
import siemload.dataset.FairSample;
import siemload.dataset.LineProblems;
import siemload.dataset.SeededRandom;
import siemload.dataset.format.EventFile;
import siemload.dataset.learn.FieldFit.Kind;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.Endpoint;
import siemload.event.EventLineReader;
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

    private static final int BATCH = 1_000;
    private static final int EVENTS_BETWEEN_SIGNS = 1_000;
    /** All others may be private. */
    private static final Set<String> GENERATED_KEYS =
            Set.of("Format CreateTime EventTime CeaseTime WinStartTime WinEndTime FlowCount ConnCount Note _CESNET"
                    .split(" "));
    /** What is looked at of a detector beside its name, types and software. */
    private static final Set<String> NODE_KEYS = Set.of("AggrWin");

    private Learner() {}

    /** What becomes of the names of a stream: of detectors, their software, categories, and the words of descriptions. */
    public enum Names {
        /** Made-up words stand in their place, except for what IDEA defines. */
        REPLACE,
        /** Names are kept, addresses never. */
        KEEP
    }

    /**
     * What was learnt from a stream of events. Immutable.
     *
     * @param spec the data set as its file has it
     * @param fits how generated events fit the original, field by field
     * @param unmodelled what the original has and the profile cannot say, in words to stand behind how often, the most frequent first
     * @param skipped the unreadable lines, for people
     * @param lookedAt how many events of the original were compared
     * @param sampleEvents how many events were generated for the comparison
     */
    public record Learnt(
            DatasetSpec spec,
            List<FieldFit> fits,
            Map<String, Long> unmodelled,
            List<String> skipped,
            long lookedAt,
            long sampleEvents) {
        public Learnt {
            fits = List.copyOf(fits);
            unmodelled = Collections.unmodifiableMap(new LinkedHashMap<>(unmodelled));
            skipped = List.copyOf(skipped);
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
    public static Learnt learn(List<EventFile> files, Path dataset, Names rule, long seed, LongConsumer read) {
        LineProblems problems = new LineProblems();
        Original original = new Original();
        files.forEach(file -> original.read(file, problems, read));
        // The reason quotes the line where names are kept, and otherwise its place must do.
        List<String> skipped = problems.lines(
                "", problem -> rule == Names.KEEP ? problem.toString() : problem.file() + ":" + problem.line());
        if (original.events == 0) {
            throw noEvents(files, skipped);
        }
        List<SecurityEvent> events =
                original.sample.values().values().stream().map(Seen::event).toList();
        Pseudonyms names = new Pseudonyms(rule, seed);
        Span span = Span.of(original.hours, original.events);
        LearntProfile learnt = new LearntProfile(events, names);
        String description = String.format(
                Locale.ROOT,
                "Learnt from %,d events: names are %s",
                original.events,
                rule == Names.KEEP ? "kept, addresses are not" : "replaced");
        DatasetSpec spec = write(
                dataset,
                LearntProfile.keys()
                        .putPOJO("description", description)
                        .putPOJO("events", original.events)
                        .putPOJO(
                                "start",
                                Instant.ofEpochSecond(span.firstHour * 3_600).toString())
                        .putPOJO("span", span.hours + "h")
                        .putPOJO("seed", seed)
                        .putPOJO("profile", learnt.profile(span.dayCurve)));
        List<SecurityEvent> generated = new ArrayList<>();
        new EventGenerator(spec.withEvents(Math.min(spec.events(), MOST_EVENTS))).read(BATCH, generated::addAll);
        List<FieldFit> fits = fits(events, names, generated);
        IdeaWriter writer = new IdeaWriter();
        fits.add(FieldFit.of(
                "bytes of a line",
                Kind.SIZES,
                cells(original.sample.values().values().stream().map(Seen::bytes))
                        .counts(),
                cells(generated.stream().map(event -> (long) writer.toBytes(event).length))
                        .counts()));
        learnt.laws.forEach((name, law) -> fits.add(law.fit("popularity: " + name)));
        Map<String, Long> unmodelled = new LinkedHashMap<>();
        Counts<String> known = Counts.of(generated.stream().flatMap(Learner::features));
        Counts.of(events.stream().flatMap(Learner::features)).counts().forEach((feature, count) -> {
            if (known.of(feature) == 0) {
                unmodelled.put("events with " + feature, count);
            }
        });
        if (span.outside > 0) {
            unmodelled.put("events far from all others in time, left out of the span and the day curve", span.outside);
        }
        return new Learnt(spec, fits, unmodelled, skipped, events.size(), generated.size());
    }

    /** @param bytes how long its line is, without the line end */
    private record Seen(SecurityEvent event, long bytes) {
        /** Without values that siemload does not generate, since these may be long. */
        static Seen of(SecurityEvent event, int bytes) {
            return new Seen(
                    new SecurityEvent(
                            "",
                            event.detectTime(),
                            event.categories(),
                            event.description(),
                            side(event.sources()),
                            side(event.targets()),
                            event.nodes().stream()
                                    .map(node -> new Node(
                                            node.name(), node.types(), node.software(), cut(node.other(), NODE_KEYS)))
                                    .toList(),
                            cut(event.other(), GENERATED_KEYS)),
                    bytes);
        }

        private static List<Endpoint> side(List<Endpoint> side) {
            return side.stream()
                    .map(one -> new Endpoint(
                            one.types(), one.addresses(), one.ports(), one.protocols(), cut(one.other(), Set.of())))
                    .toList();
        }

        private static Map<String, JsonNode> cut(Map<String, JsonNode> other, Set<String> kept) {
            Map<String, JsonNode> cut = new LinkedHashMap<>(other);
            cut.replaceAll((key, value) -> kept.contains(key) ? value : NullNode.instance);
            return cut;
        }
    }

    /** What is read of the original. */
    private static final class Original {
        private static final int MOST_HOURS = 100_000;

        private final FairSample<Long, Seen> sample =
                new FairSample<>(MOST_EVENTS, number -> SeededRandom.mix(number, 1));
        /** Events by hours since 1970. */
        private final NavigableMap<Long, Long> hours = new TreeMap<>();

        private long events;

        private void read(EventFile file, LineProblems problems, LongConsumer read) {
            try (EventLineReader reader = EventLineReader.open(file.path(), file.reader(), problems)) {
                for (Optional<SecurityEvent> next = reader.next(); next.isPresent(); next = reader.next()) {
                    SecurityEvent event = next.get();
                    sample.note(events, number -> Seen.of(event, reader.lineBytes()), noted -> {});
                    long hour = Math.floorDiv(event.detectTime().getEpochSecond(), 3_600);
                    if (hours.size() < MOST_HOURS || hours.containsKey(hour)) {
                        hours.merge(hour, 1L, Long::sum);
                    }
                    if (++events % EVENTS_BETWEEN_SIGNS == 0) {
                        read.accept(EVENTS_BETWEEN_SIGNS);
                    }
                }
            }
        }
    }

    private static ConfigException noEvents(List<EventFile> files, List<String> reasons) {
        String names = String.join(
                ", ", files.stream().map(file -> file.path().toString()).toList());
        return new ConfigException(
                new Origin.WholeFile(names),
                "there is no event to learn from"
                        + (reasons.isEmpty() ? " (empty)" : "\n" + String.join("\n", reasons)));
    }

    private static DatasetSpec write(Path dataset, ObjectNode keys) {
        YAMLMapper yaml = YAMLMapper.builder()
                .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER, YAMLGenerator.Feature.SPLIT_LINES)
                .build();
        try {
            Files.createDirectories(dataset.toAbsolutePath().resolveSibling(""));
            Files.writeString(
                    dataset,
                    "# Learnt by ./siemload learn: as many events over as many hours as the original had.\n"
                            + yaml.writeValueAsString(keys));
        } catch (IOException e) {
            throw new UncheckedIOException(dataset + " cannot be written", e);
        }
        return DatasetReader.read(dataset);
    }

    private static List<FieldFit> fits(List<SecurityEvent> events, Pseudonyms names, List<SecurityEvent> generated) {
        List<Integer> ownPorts = LearntProfile.ownPorts(events);
        Map<String, Function<SecurityEvent, Stream<?>>> fields = shares(new Pseudonyms(Names.KEEP, 0), ownPorts);
        List<FieldFit> fits = new ArrayList<>();
        shares(names, ownPorts)
                .forEach((name, original) -> fits.add(FieldFit.of(
                        name,
                        Kind.SHARES,
                        Counts.of(events.stream().flatMap(original)).counts(),
                        Counts.of(generated.stream().flatMap(fields.getOrDefault(name, original)))
                                .counts())));
        sizes().forEach((name, sizes) -> fits.add(FieldFit.of(
                name,
                Kind.SIZES,
                cells(events.stream().flatMap(sizes)).counts(),
                cells(generated.stream().flatMap(sizes)).counts())));
        return fits;
    }

    /** What is compared by its shares. */
    private static Map<String, Function<SecurityEvent, Stream<?>>> shares(Pseudonyms names, List<Integer> ownPorts) {
        Map<String, Function<SecurityEvent, Stream<?>>> shares = new LinkedHashMap<>();
        shares.put("category", event -> Stream.of(names.of(LearntProfile.category(event))));
        shares.put("detector", event -> LearntProfile.detector(event).map(node -> names.of(node.name())));
        shares.put(
                "hour of the day (UTC)",
                event -> Stream.of(event.detectTime().atOffset(ZoneOffset.UTC).getHour()));
        shares.put("family of addresses", event -> LearntProfile.family(event));
        shares.put("addresses an event names as sources", event -> LearntProfile.perEvent(event.sources()));
        shares.put("what targets are", event -> Stream.of(LearntProfile.kind(event)));
        shares.put("addresses an event names as targets", event -> LearntProfile.perEvent(event.targets()));
        shares.put("prefix of target networks", event -> LearntProfile.networkBits(event, Family.IP4));
        shares.put(
                "port",
                event -> LearntProfile.targetPorts(event)
                        .map(port -> ownPorts.contains(port) ? port.toString() : "others"));
        return shares;
    }

    /** What is compared by its sizes. */
    private static Map<String, Function<SecurityEvent, Stream<Long>>> sizes() {
        Map<String, Function<SecurityEvent, Stream<Long>>> sizes = new LinkedHashMap<>();
        sizes.put(
                "characters of a description",
                event -> Stream.of((long) event.description().length()));
        sizes.put("characters of a note", LearntProfile::noteLength);
        sizes.put("seconds from EventTime to DetectTime", LearntProfile::lasted);
        sizes.put("seconds from DetectTime to CreateTime", LearntProfile::delay);
        sizes.put("FlowCount and ConnCount", LearntProfile::counts);
        return sizes;
    }

    /** By the least sizes of cells that are a hundredth wide at most. */
    private static Counts<Long> cells(Stream<Long> sizes) {
        return Counts.of(sizes.map(size -> {
            int shift = Math.max(0, Long.SIZE - 7 - Long.numberOfLeadingZeros(size));
            return size >> shift << shift;
        }));
    }

    /** What an event has, told without any of its values, in words to stand behind how many. */
    private static Stream<String> features(SecurityEvent event) {
        Set<String> found = new HashSet<>();
        if (event.description().isBlank()) {
            found.add("no Description");
        }
        number("Category", event.categories().size(), found);
        number("named Node", LearntProfile.named(event).size(), found);
        if (!GENERATED_KEYS.containsAll(event.other().keySet())) {
            found.add("a key that siemload does not generate");
        }
        side("Source", event.sources(), found);
        side("Target", event.targets(), found);
        return found.stream();
    }

    private static void side(String name, List<Endpoint> side, Set<String> found) {
        number(name, side.size(), found);
        for (Endpoint endpoint : side) {
            number("address in a " + name, endpoint.addresses().size(), found);
            number("Port in a " + name, endpoint.ports().size(), found);
            for (AddressRange address : endpoint.addresses()) {
                found.add((address.isSingle() ? address.family() : "a network or range") + " in a " + name);
            }
            if (!endpoint.other().isEmpty()) {
                found.add("a key that siemload does not generate in a " + name);
            }
        }
    }

    private static void number(String what, int number, Set<String> found) {
        if (number != 1) {
            found.add((number == 0 ? "no " : "more than one ") + what);
        }
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
}
