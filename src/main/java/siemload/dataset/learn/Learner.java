package siemload.dataset.learn;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializerBase;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
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
import java.util.stream.Collectors;
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
import siemload.event.AddressRange.Family;
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
    private static final int MOST_HOURS = 100_000;
    private static final int EVENTS_BETWEEN_SIGNS = 1_000;
    /** All others may be private. */
    private static final Set<String> GENERATED_KEYS =
            Set.of("Format CreateTime EventTime CeaseTime WinStartTime WinEndTime FlowCount ConnCount Note _CESNET"
                    .split(" "));

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
     * @param told the unreadable lines and what else was left out, for people
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
    public static Learnt learn(List<EventFile> files, Path dataset, Names rule, long seed, LongConsumer read) {
        LineProblems problems =
                new LineProblems(files.stream().map(EventFile::path).toList());
        FairSample<Long, Seen> sample = new FairSample<>(MOST_EVENTS, number -> SeededRandom.mix(number, 1));
        NavigableMap<Long, Long> hours = new TreeMap<>();
        long count = 0;
        for (EventFile file : files) {
            try (EventLineReader reader = EventLineReader.open(file.path(), file.reader(), problems)) {
                for (Optional<SecurityEvent> next = reader.next(); next.isPresent(); next = reader.next()) {
                    SecurityEvent event = next.get();
                    sample.note(count, number -> Seen.of(event, reader.lineBytes()), noted -> {});
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
        // The reason quotes the line where names are kept, and otherwise its place must do.
        List<String> told = new ArrayList<>(problems.lines(
                "", problem -> rule == Names.KEEP ? problem.toString() : problem.file() + ":" + problem.line()));
        if (count == 0) {
            throw new ConfigException(
                    new Origin.WholeFile(
                            files.stream().map(file -> file.path().toString()).collect(Collectors.joining(", "))),
                    "there is no event to learn from" + (told.isEmpty() ? " (empty)" : "\n" + String.join("\n", told)));
        }
        List<Seen> original = List.copyOf(sample.values().values());
        List<SecurityEvent> events = original.stream().map(Seen::event).toList();
        Pseudonyms names = new Pseudonyms(rule, seed);
        Span span = Span.of(hours, count);
        if (span.outside > 0) {
            told.add(String.format(
                    Locale.ROOT,
                    "%,d events far from all others in time count neither for the span nor for the day curve",
                    span.outside));
        }
        String description = String.format(
                Locale.ROOT,
                "Learnt from %,d events: names are %s",
                count,
                rule == Names.KEEP ? "kept, addresses are not" : "replaced");
        DatasetSpec spec = write(
                dataset,
                new Written(
                        description,
                        count,
                        Instant.ofEpochSecond(span.firstHour * 3_600).toString(),
                        span.hours + "h",
                        seed,
                        new LearntProfile(events, names).profile(span.dayCurve)));
        List<SecurityEvent> made = new ArrayList<>();
        new EventGenerator(spec.withEvents(events.size())).read(BATCH, made::addAll);
        IdeaWriter writer = new IdeaWriter();
        List<Seen> generated = made.stream()
                .map(event -> Seen.of(event, writer.toBytes(event).length))
                .toList();
        return new Learnt(spec, Comparison.of(original, generated, names), told, events.size());
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
            return new Seen(
                    new SecurityEvent(
                            "",
                            event.detectTime(),
                            event.categories(),
                            event.description(),
                            event.sources(),
                            event.targets(),
                            event.nodes(),
                            other),
                    bytes);
        }
    }

    private static DatasetSpec write(Path dataset, Written written) {
        YAMLMapper yaml = YAMLMapper.builder()
                .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER, YAMLGenerator.Feature.SPLIT_LINES)
                .addModule(new SimpleModule().addSerializer(Duration.class, new DurationText()))
                .build();
        try {
            Files.createDirectories(dataset.toAbsolutePath().resolveSibling(""));
            Files.writeString(
                    dataset,
                    "# Learnt by ./siemload learn: as many events over as many hours as the original had.\n"
                            + yaml.writeValueAsString(written));
        } catch (IOException e) {
            throw new UncheckedIOException(dataset + " cannot be written", e);
        }
        return DatasetReader.read(dataset);
    }

    /** Durations as YAML files have them. */
    private static final class DurationText extends ToStringSerializerBase {
        private static final long serialVersionUID = 1;

        DurationText() {
            super(Duration.class);
        }

        @Override
        public String valueToString(Object duration) {
            return Durations.format((Duration) duration);
        }
    }

    /** Holds generated events against the original, field by field. Not thread-safe. */
    private record Comparison(List<Seen> original, List<Seen> generated, List<FieldFit> fits) {
        static List<FieldFit> of(List<Seen> original, List<Seen> generated, Pseudonyms names) {
            Comparison all = new Comparison(original, generated, new ArrayList<>());
            List<Integer> own =
                    LearntProfile.ownPorts(original.stream().map(Seen::event).toList());
            Map<String, Function<SecurityEvent, Stream<String>>> named = new LinkedHashMap<>();
            named.put("category", event -> Stream.of(LearntProfile.category(event)));
            named.put("detector", event -> LearntProfile.detector(event).map(Node::name));
            named.forEach((field, of) -> all.add(field, all(original, of).map(names::of), all(generated, of)));
            all.shares(
                    "hour of the day (UTC)",
                    event -> Stream.of(
                            event.detectTime().atOffset(ZoneOffset.UTC).getHour()));
            all.shares(
                    "categories of an event",
                    event -> Stream.of(event.categories().size()));
            all.shares(
                    "named nodes of an event",
                    event -> Stream.of(LearntProfile.named(event).size()));
            all.shares("sources of an event", event -> Stream.of(event.sources().size()));
            all.shares("targets of an event", event -> Stream.of(event.targets().size()));
            all.shares(
                    "keys of an event that siemload does not generate",
                    event -> Stream.of(event.other().keySet().stream()
                            .filter(key -> !GENERATED_KEYS.contains(key))
                            .count()));
            all.shares("family of addresses", LearntProfile::family);
            all.shares("addresses an event names as sources", event -> LearntProfile.perEvent(event.sources()));
            all.shares("what sources are", event -> Stream.of(LearntProfile.kind(event.sources())));
            all.shares("what targets are", event -> Stream.of(LearntProfile.kind(event.targets())));
            all.shares("addresses an event names as targets", event -> LearntProfile.perEvent(event.targets()));
            all.shares("prefix of target networks", event -> LearntProfile.networkBits(event, Family.IP4));
            all.shares(
                    "port",
                    event -> LearntProfile.targetPorts(event)
                            .map(port -> own.contains(port) ? port.toString() : "others"));
            all.sizes(
                    "characters of a description",
                    seen -> Stream.of((long) seen.event.description().length()));
            all.sizes("characters of a note", seen -> LearntProfile.noteLength(seen.event));
            all.sizes("seconds from EventTime to DetectTime", seen -> LearntProfile.lasted(seen.event));
            all.sizes("seconds from DetectTime to CreateTime", seen -> LearntProfile.delay(seen.event));
            all.sizes("FlowCount and ConnCount", seen -> LearntProfile.counts(seen.event));
            all.sizes("bytes of a line", seen -> Stream.of(seen.bytes));
            all.popularity("events of a source address", event -> LearntProfile.singles(event.sources()));
            all.popularity("events of a target address", event -> LearntProfile.singles(event.targets()));
            all.popularity(
                    "events of another port",
                    event -> LearntProfile.targetPorts(event).filter(port -> !own.contains(port)));
            return all.fits;
        }

        private void shares(String field, Function<SecurityEvent, Stream<?>> of) {
            add(field, all(original, of), all(generated, of));
        }

        private void sizes(String field, Function<Seen, Stream<Long>> of) {
            add(
                    field,
                    cells(original.stream().flatMap(of)),
                    cells(generated.stream().flatMap(of)));
        }

        /** How many values occurred how often. */
        private void popularity(String field, Function<SecurityEvent, Stream<?>> of) {
            add(
                    field,
                    cells(Counts.of(all(original, of)).counts().values().stream()),
                    cells(Counts.of(all(generated, of)).counts().values().stream()));
        }

        private void add(String field, Stream<?> ones, Stream<?> others) {
            fits.add(FieldFit.of(field, Counts.of(ones), Counts.of(others)));
        }

        private static <T> Stream<T> all(List<Seen> events, Function<SecurityEvent, ? extends Stream<? extends T>> of) {
            return events.stream().map(Seen::event).flatMap(of);
        }

        /** The least sizes of cells, four from one power of two to the next. */
        private static Stream<Long> cells(Stream<Long> sizes) {
            return sizes.map(size -> {
                int shift = Math.max(0, Long.SIZE - 3 - Long.numberOfLeadingZeros(size));
                return size >> shift << shift;
            });
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
