package siemload.dataset.learn;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.dataset.DatasetReader;
import siemload.dataset.DatasetSpec;
import siemload.dataset.EventGenerator;
import siemload.dataset.format.EventFile;
import siemload.dataset.learn.EndpointMeasure.TargetKind;
import siemload.dataset.learn.FieldFit.Kind;
import siemload.dataset.learn.FrequentNames.Entry;
import siemload.dataset.learn.LearntFiles.Overwriting;
import siemload.dataset.statistics.CountComparison;
import siemload.dataset.statistics.RankLawFit;
import siemload.event.EventJson;
import siemload.event.EventLineReader;
import siemload.event.EventReader;
import siemload.event.IdeaWriter;
import siemload.event.LineProblem;
import siemload.event.LineProblem.Severity;
import siemload.event.SecurityEvent;

/**
 * Learns a data set from files of events: reads them once, in memory that does not grow with them, writes the data set with
 * its profile, and holds a generated sample against the original. Stateless and thread-safe.
 */
public final class Learner {
    private static final int SAMPLE = 100_000;
    private static final int BATCH = 1_000;
    private static final int EVENTS_BETWEEN_SIGNS = 1_000;

    private Learner() {}

    /**
     * Learns.
     *
     * @param files events, one a line, in formats of their own
     * @param read told after every thousand events that there were so many more
     * @throws ConfigException if there is no event in the files
     * @throws java.io.UncheckedIOException if a file cannot be read or written
     */
    public static LearntStream learn(
            List<EventFile> files,
            LearntFiles output,
            NameRule rule,
            Overwriting overwriting,
            long seed,
            LongConsumer read) {
        SkippedLines skipped = new SkippedLines();
        StreamMeasure original = measure(files, skipped, read);
        if (original.events() == 0) {
            throw noEvents(files, skipped, rule);
        }
        Pseudonyms names = new Pseudonyms(rule, seed);
        LearntProfile learnt = LearntProfile.of(original, names, output.name(), seed);
        output.write(learnt, overwriting);
        DatasetSpec spec = DatasetReader.read(output.dataset());
        StreamMeasure sample = sample(spec);
        return new LearntStream(
                spec,
                learnt.parameters(),
                StreamFit.of(original, names, sample, learnt),
                original.oddities().found(),
                original.details().keys().ranked().size(),
                skipped.lines(rule),
                sample.events());
    }

    /** Reads files into a measure. */
    static StreamMeasure measure(List<EventFile> files, SkippedLines skipped, LongConsumer read) {
        StreamMeasure measure = new StreamMeasure();
        for (EventFile file : files) {
            LineShapes shapes = new LineShapes(file.reader(), measure.oddities());
            measure(file.path(), shapes, measure, skipped, read);
        }
        return measure;
    }

    private static void measure(
            Path file, EventReader format, StreamMeasure measure, SkippedLines skipped, LongConsumer read) {
        try (EventLineReader reader = EventLineReader.open(file, format, skipped)) {
            for (Optional<SecurityEvent> event = reader.next(); event.isPresent(); event = reader.next()) {
                measure.add(event.get(), reader.lineBytes());
                if (measure.events() % EVENTS_BETWEEN_SIGNS == 0) {
                    read.accept(EVENTS_BETWEEN_SIGNS);
                }
            }
        }
    }

    /** Measures what the data set generates: all of it, or a smaller one from the same profile. */
    static StreamMeasure sample(DatasetSpec spec) {
        DatasetSpec smaller = new DatasetSpec(
                spec.name(),
                spec.description(),
                Math.min(spec.events(), SAMPLE),
                spec.start(),
                spec.span(),
                spec.seed(),
                spec.profile(),
                spec.searched());
        StreamMeasure measure = new StreamMeasure();
        IdeaWriter writer = new IdeaWriter();
        new EventGenerator(smaller)
                .read(BATCH, events -> events.forEach(event -> measure.add(event, writer.toBytes(event).length)));
        return measure;
    }

    private static ConfigException noEvents(List<EventFile> files, SkippedLines skipped, NameRule rule) {
        List<String> reasons = new ArrayList<>(skipped.lines(rule));
        String names = String.join(
                ", ", files.stream().map(file -> file.path().toString()).toList());
        return new ConfigException(
                new Origin.WholeFile(names),
                "there is no event to learn from"
                        + (reasons.isEmpty() ? " (empty)" : "\n" + String.join("\n", reasons)));
    }

    /** Counts the lines that are no events and keeps the first of them. What events lack is measured, not told. Not thread-safe. */
    private static final class SkippedLines implements Consumer<LineProblem> {
        private static final int KEPT = 10;

        private final List<LineProblem> first = new ArrayList<>();
        private long count;

        @Override
        public void accept(LineProblem problem) {
            if (problem.severity() == Severity.UNREADABLE) {
                count++;
                if (first.size() < KEPT) {
                    first.add(problem);
                }
            }
        }

        /** For people, a line each. The reason quotes the line where names are kept, and otherwise its place must do. */
        List<String> lines(NameRule rule) {
            List<String> lines = new ArrayList<>();
            if (count > 0) {
                lines.add(String.format(
                        Locale.ROOT,
                        "%,d unreadable lines were skipped%s:",
                        count,
                        count > KEPT ? "; the first " + KEPT : ""));
                for (LineProblem problem : first) {
                    lines.add("  " + problem.file() + ":" + problem.line()
                            + (rule == NameRule.KEEP ? ": " + problem.reason() : ""));
                }
            }
            return lines;
        }
    }

    /** Holds what was measured of a generated sample against what was measured of the original, field by field. Stateless. */
    private static final class StreamFit {
        /** So many points of a curve are kept for drawing. */
        private static final int MOST_POINTS = 120;

        private static final List<Sizes> SIZES = List.of(
                new Sizes("bytes of a line", StreamMeasure::lines),
                new Sizes(
                        "characters of a description",
                        measure -> measure.categories().lengths()),
                new Sizes("characters of a note", measure -> measure.details().notes()),
                new Sizes(
                        "seconds from EventTime to DetectTime",
                        measure -> measure.times().lasted()),
                new Sizes(
                        "seconds from DetectTime to CreateTime",
                        measure -> measure.times().delay()),
                new Sizes(
                        "FlowCount and ConnCount", measure -> measure.details().counts()));

        private StreamFit() {}

        /** A field of sizes, in words, and where they were counted. */
        private record Sizes(String name, Function<StreamMeasure, SizeHistogram> of) {}

        /**
         * All fields.
         *
         * @param names by which those of the original stand in the profile
         */
        static List<FieldFit> of(
                StreamMeasure original, Pseudonyms names, StreamMeasure generated, LearntProfile learnt) {
            Pseudonyms asTheyAre = new Pseudonyms(NameRule.KEEP, 0);
            Map<String, Map<String, Double>> first = NamedShares.of(original, names, original);
            Map<String, Map<String, Double>> second = NamedShares.of(generated, asTheyAre, original);
            List<FieldFit> fits = new ArrayList<>();
            first.forEach((name, shares) -> fits.add(shares(name, shares, second.getOrDefault(name, Map.of()))));
            learnt.laws().forEach((name, law) -> {
                if (!law.edges().isEmpty()) {
                    fits.add(law(name, law));
                }
            });
            SIZES.forEach(sizes -> fits.add(sizes(sizes, original, generated)));
            return List.copyOf(fits);
        }

        private static FieldFit shares(String name, Map<String, Double> original, Map<String, Double> generated) {
            Set<String> labels = new LinkedHashSet<>(original.keySet());
            labels.addAll(generated.keySet());
            List<Double> first = labels.stream()
                    .map(label -> original.getOrDefault(label, 0.0))
                    .toList();
            List<Double> second = labels.stream()
                    .map(label -> generated.getOrDefault(label, 0.0))
                    .toList();
            return FieldFit.of(
                    name,
                    Kind.SHARES,
                    List.copyOf(labels),
                    first,
                    second,
                    CountComparison.ofShares(array(first), array(second)));
        }

        private static FieldFit law(String name, RankLawFit law) {
            List<String> labels = law.edges().stream()
                    .map(edge -> String.format(Locale.ROOT, "%,d", edge))
                    .toList();
            double distance = CountComparison.ofShares(array(law.found()), array(law.expected()))
                    .distance();
            return FieldFit.of(
                    "popularity: " + name,
                    Kind.LAW,
                    labels,
                    law.found(),
                    law.expected(),
                    new CountComparison(distance, law.misfit()));
        }

        private static FieldFit sizes(Sizes field, StreamMeasure original, StreamMeasure generated) {
            SizeHistogram first = field.of().apply(original);
            SizeHistogram second = field.of().apply(generated);
            double[] firstCells = first.cells(second);
            double[] secondCells = second.cells(first);
            CountComparison fit = CountComparison.ofOrder(firstCells, secondCells);
            Map<Long, double[]> points = new LinkedHashMap<>();
            int used = 0;
            for (int i = 0; i < firstCells.length; i++) {
                used += firstCells[i] + secondCells[i] > 0 ? 1 : 0;
            }
            int each = Math.max(1, (used + MOST_POINTS - 1) / MOST_POINTS);
            long[] sizes = SizeHistogram.sizes(firstCells.length);
            double[] point = new double[2];
            int inPoint = 0;
            for (int i = 0; i < firstCells.length; i++) {
                if (firstCells[i] + secondCells[i] > 0) {
                    point[0] += firstCells[i];
                    point[1] += secondCells[i];
                    inPoint++;
                    if (inPoint == each || i == firstCells.length - 1) {
                        points.put(sizes[i], point);
                        point = new double[2];
                        inPoint = 0;
                    }
                }
            }
            return new FieldFit(
                    field.name(),
                    Kind.SIZES,
                    points.keySet().stream().map(String::valueOf).toList(),
                    points.values().stream().map(counts -> counts[0]).toList(),
                    points.values().stream().map(counts -> counts[1]).toList(),
                    fit.distance(),
                    fit.byChance(),
                    first.count(),
                    second.count());
        }

        private static double[] array(List<Double> counts) {
            return counts.stream().mapToDouble(Double::doubleValue).toArray();
        }

        /** What was measured as counts by name, for comparing. Stateless. */
        private static final class NamedShares {
            private static final int MOST_PER_EVENT_SHOWN = 20;

            private NamedShares() {}

            /**
             * The fields that have shares.
             *
             * @param names what names are replaced by
             * @param ports whose ports count by themselves: those of the original
             */
            static Map<String, Map<String, Double>> of(StreamMeasure measure, Pseudonyms names, StreamMeasure ports) {
                Map<String, Map<String, Double>> fields = new LinkedHashMap<>();
                Map<String, Double> categories = new LinkedHashMap<>();
                for (Entry<CategoryMeasure.Nature> entry :
                        measure.categories().categories().ranked()) {
                    categories.merge(names.category(entry.name()), (double) entry.count(), Double::sum);
                }
                fields.put("category", categories);
                Map<String, Double> detectors = new LinkedHashMap<>();
                for (Entry<DetectorMeasure.Nature> entry :
                        measure.detectors().detectors().ranked()) {
                    detectors.merge(names.detector(entry.name()), (double) entry.count(), Double::sum);
                }
                fields.put("detector", detectors);
                fields.put("hour of the day (UTC)", hours(measure.times()));
                EndpointMeasure endpoints = measure.endpoints();
                fields.put("family of addresses", families(endpoints));
                fields.put(
                        "addresses an event names as sources",
                        numbers(endpoints.sources().perEvent(), ""));
                fields.put("what targets are", kinds(endpoints));
                fields.put(
                        "addresses an event names as targets",
                        numbers(endpoints.targets().perEvent(), ""));
                fields.put("prefix of target networks", numbers(endpoints.networkBits(), "/"));
                fields.put("port", ports(endpoints.ports(), ports.endpoints().ports()));
                return fields;
            }

            private static Map<String, Double> hours(TimeMeasure times) {
                double[] hours = new double[24];
                for (Map.Entry<Long, long[]> hour : SpanEstimate.whole(times)) {
                    hours[Math.floorMod(hour.getKey(), 24)] +=
                            hour.getValue()[0] / SpanEstimate.watched(hour.getKey(), times);
                }
                Map<String, Double> counts = new LinkedHashMap<>();
                for (int hour = 0; hour < hours.length; hour++) {
                    counts.put(String.format(Locale.ROOT, "%02d", hour), hours[hour]);
                }
                return counts;
            }

            private static Map<String, Double> families(EndpointMeasure endpoints) {
                Map<String, Double> families = new LinkedHashMap<>();
                families.put("IPv4", (double) (endpoints.withAddress() - endpoints.withIp6()));
                families.put("IPv6", (double) endpoints.withIp6());
                return families;
            }

            private static Map<String, Double> kinds(EndpointMeasure endpoints) {
                Map<String, Double> kinds = new LinkedHashMap<>();
                for (TargetKind kind : TargetKind.values()) {
                    kinds.put(kind.name().toLowerCase(Locale.ROOT).replace('_', ' '), (double)
                            endpoints.kinds().count(kind));
                }
                return kinds;
            }

            private static Map<String, Double> numbers(long[] counts, String before) {
                Map<String, Double> numbers = new LinkedHashMap<>();
                for (int number = 0; number < counts.length; number++) {
                    if (counts[number] > 0) {
                        String label = numbers.size() < MOST_PER_EVENT_SHOWN ? before + number : "more";
                        numbers.merge(label, (double) counts[number], Double::sum);
                    }
                }
                return numbers;
            }

            private static Map<String, Double> ports(PortMeasure measured, PortMeasure original) {
                Map<String, Double> ports = new LinkedHashMap<>();
                Set<Integer> own = new HashSet<>();
                for (int port : PortEstimate.own(original)) {
                    ports.put(Integer.toString(port), (double) measured.events()[port]);
                    own.add(port);
                }
                double others = 0;
                for (int port = 0; port < measured.events().length; port++) {
                    others += own.contains(port) ? 0 : measured.events()[port];
                }
                ports.put("others", others);
                return ports;
            }
        }
    }

    /**
     * Reads as another reader does, and looks at every sixteenth line for shapes that no longer show in an event: ports as text,
     * and single values where lists belong. Not thread-safe, since it counts.
     */
    private static final class LineShapes implements EventReader {
        private static final int LOOKED_AT = 16;

        private final EventReader reader;
        private final Oddities oddities;
        private int lines;

        LineShapes(EventReader reader, Oddities oddities) {
            this.reader = reader;
            this.oddities = oddities;
        }

        @Override
        public SecurityEvent read(byte[] bytes, int offset, int length, long position) {
            SecurityEvent event = reader.read(bytes, offset, length, position);
            if (lines++ % LOOKED_AT == 0) {
                look(bytes, offset, length);
            }
            return event;
        }

        @Override
        public String identity() {
            return reader.identity();
        }

        @Override
        public List<String> lacks(SecurityEvent event) {
            return List.of();
        }

        private void look(byte[] bytes, int offset, int length) {
            boolean text = false;
            boolean single = false;
            try (JsonParser parser = EventJson.OF_DETECTORS.parser(bytes, offset, length)) {
                String list = "";
                for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                    if (token == JsonToken.FIELD_NAME) {
                        list = isList(parser.currentName()) ? parser.currentName() : "";
                    } else if (token.isScalarValue() && !list.isEmpty()) {
                        single |= !parser.getParsingContext().inArray();
                        text |= list.equals("Port") && token == JsonToken.VALUE_STRING;
                    }
                }
            } catch (IOException notJson) {
                return;
            }
            if (text) {
                oddities.add(Oddity.PORT_AS_TEXT);
            }
            if (single) {
                oddities.add(Oddity.SINGLE_VALUE);
            }
        }

        private static boolean isList(String key) {
            return switch (key) {
                case "Category", "Type", "IP4", "IP6", "Port", "Proto", "SW" -> true;
                default -> false;
            };
        }
    }
}
