package siemload.dataset.learn;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.RegularFile;
import siemload.dataset.DatasetSpec;
import siemload.dataset.EventGenerator;
import siemload.dataset.EventProfile;
import siemload.dataset.EventProfile.Detector;
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
 * Learns a data set from files of events: reads them once, writes the data set with its profile into one file, and compares a generated
 * sample with a sample of the original. At most 50,000 events are in memory, with their addresses, descriptions and notes, however long
 * these are. Stateless and thread-safe.
 */
public final class Learner {
    /** From more events than this, a fair sample is taken, whose share is halved each time the sample is too large. */
    private static final int MOST_EVENTS = 50_000;

    private static final int EVENTS_BETWEEN_SIGNS = 1_000;

    /** The keys that siemload generates; the names of all other keys may be private. */
    private static final Set<String> GENERATED_KEYS =
            Set.of("Format CreateTime EventTime CeaseTime WinStartTime WinEndTime FlowCount ConnCount Note _CESNET"
                    .split(" "));
    /** The key by which a kept event has the length of its line in bytes, without the line end. */
    private static final String BYTES = "bytes of the line";

    private static final double OWN_PORT_SHARE = 0.01;
    private static final int OWN_PORT_COUNT = 20;

    private Learner() {}

    /**
     * The result of learning from events. Immutable.
     *
     * @param spec the data set, as written to its file
     * @param fits how generated events fit the original, field by field
     * @param told notes for people: the places of unreadable lines, and the events that do not count
     * @param lookedAt the number of original events that were compared with as many generated events
     */
    public record Learnt(DatasetSpec spec, List<FieldFit> fits, List<String> told, long lookedAt) {}

    /**
     * Compares a field of generated events with the same field of the original events. Immutable.
     *
     * @param name the name of the field, for people
     * @param labels the label of each cell: a word, or the smallest size in the cell
     * @param original the number of original values in each cell
     * @param generated the number of generated values in each cell
     * @param distance the total variation: half the sum of all differences of shares, from 0 (equal) to 1 (nothing in common)
     * @param byChance the average distance of two samples that are drawn from one law
     */
    public record FieldFit(
            String name,
            List<String> labels,
            List<Long> original,
            List<Long> generated,
            double distance,
            double byChance) {

        /** Counts values in cells; a cell of sizes, which are {@code Long}, covers a range. Numeric cells are in numeric order. */
        static FieldFit of(String name, Stream<?> ones, Stream<?> others) {
            Counts<Object> original = Counts.of(ones.map(FieldFit::cell));
            Counts<Object> generated = Counts.of(others.map(FieldFit::cell));
            List<Object> cells = Stream.concat(original.ranked(), generated.ranked())
                    .distinct()
                    .toList();
            if (cells.stream().allMatch(Number.class::isInstance)) {
                cells = cells.stream().sorted().toList();
            }
            List<Long> ofOnes = cells.stream().map(original::count).toList();
            List<Long> ofOthers = cells.stream().map(generated::count).toList();
            double allOnes = Math.max(1, original.all());
            double allOthers = Math.max(1, generated.all());
            double distance = 0;
            double byChance = 0;
            for (int i = 0; i < cells.size(); i++) {
                distance += Math.abs(ofOnes.get(i) / allOnes - ofOthers.get(i) / allOthers) / 2;
                double both = (ofOnes.get(i) + ofOthers.get(i)) / (allOnes + allOthers);
                // Half the mean absolute value of a normal error with the variance of the difference of two shares.
                byChance += Math.sqrt(both * (1 - both) * (1 / allOnes + 1 / allOthers) / (2 * Math.PI));
            }
            List<String> labels = cells.stream().map(String::valueOf).toList();
            return new FieldFit(name, labels, ofOnes, ofOthers, distance, byChance);
        }

        /** Returns the smallest size in a cell, with four cells from a power of two to the next; other values are their own cells. */
        private static Object cell(Object one) {
            return one instanceof Long size ? size & -1L << Math.max(0, 61 - Long.numberOfLeadingZeros(size)) : one;
        }
    }

    /**
     * Learns a data set.
     *
     * @param files of events, each in its format
     * @param dataset the file to write, whose name ends with {@code .yaml}; an existing file is replaced
     * @param read receives the number of events read so far, after every thousand
     * @throws ConfigException if there is no event in the files
     * @throws UncheckedIOException if a file cannot be read or written
     */
    public static Learnt learn(List<EventFile> files, Path dataset, long seed, LongConsumer read) {
        LineProblems problems = new LineProblems();
        FairSample<Long, SecurityEvent> sample = new FairSample<>(MOST_EVENTS, number -> SeededRandom.mix(number, 1));
        long count = 0;
        for (EventFile file : files) {
            try (EventLineReader reader = EventLineReader.open(file.path(), file.reader(), problems)) {
                for (Optional<SecurityEvent> next = reader.next(); next.isPresent(); next = reader.next()) {
                    SecurityEvent event = next.get();
                    sample.note(count, number -> kept(event, reader.records().bytes().length), noted -> {});
                    if (++count % EVENTS_BETWEEN_SIGNS == 0) {
                        read.accept(count);
                    }
                }
            }
        }
        // Only the place of a problem is shown, because the reason quotes the line.
        List<String> told = new ArrayList<>(problems.lines("", problem -> problem.file() + ":" + problem.line()));
        if (count == 0) {
            throw new ConfigException(
                    new Origin.WholeFile(
                            files.stream().map(file -> file.path().toString()).collect(Collectors.joining(", "))),
                    "there is no event to learn from" + (told.isEmpty() ? " (empty)" : "\n" + String.join("\n", told)));
        }
        List<SecurityEvent> original = List.copyOf(sample.values().values());
        Profile profile = new Profile(original, new Pseudonyms(seed));
        DatasetSpec spec = DatasetSpec.written(
                profile.dataset(dataset, count, seed, told),
                "Learnt by ./siemload learn, with as many events and hours as the original.");
        IdeaWriter writer = new IdeaWriter();
        List<SecurityEvent> generated = new ArrayList<>();
        new EventGenerator(spec.withEvents(original.size()))
                .read(1_000, made -> made.forEach(event -> generated.add(kept(event, writer.toBytes(event).length))));
        return new Learnt(spec, fits(original, generated, profile.names::of), told, original.size());
    }

    /** Returns the event without the values that siemload does not generate, since such values may be long. */
    private static SecurityEvent kept(SecurityEvent event, long bytes) {
        Map<String, JsonNode> other = new LinkedHashMap<>(event.other());
        other.replaceAll((key, value) -> GENERATED_KEYS.contains(key) ? value : NullNode.instance);
        other.put(BYTES, LongNode.valueOf(bytes));
        return event.with("", event.detectTime(), other);
    }

    /** Compares generated events with the original, field by field. */
    private static List<FieldFit> fits(
            List<SecurityEvent> original, List<SecurityEvent> generated, Function<String, String> names) {
        List<Integer> own = ownPorts(original);
        Map<String, Function<SecurityEvent, Stream<?>>> fields = new LinkedHashMap<>();
        fields.put("category", one -> Stream.of(names.apply(category(one))));
        fields.put("detector", one -> one.detector().map(names).stream());
        fields.put(
                "hour of the day (UTC)",
                one -> Stream.of(one.detectTime().atOffset(ZoneOffset.UTC).getHour()));
        fields.put("sources of an event", one -> Stream.of(one.sources().size()));
        fields.put("targets of an event", one -> Stream.of(one.targets().size()));
        fields.put("other keys of an event", one -> Stream.of(one.other().size() - 1));
        fields.put("kind of sources", one -> Stream.of(kind(one.sources())));
        fields.put("kind of targets", one -> Stream.of(kind(one.targets())));
        fields.put("addresses an event names as sources", one -> perEvent(one.sources()));
        fields.put("addresses an event names as targets", one -> perEvent(one.targets()));
        fields.put("prefix of target networks", one -> networkBits(one, Family.IP4));
        fields.put("port", one -> targetPorts(one).map(port -> own.contains(port) ? "" + port : "others"));
        fields.put(
                "characters of a description",
                one -> Stream.of((long) one.description().length()));
        fields.put("characters of a note", one -> note(one).map(note -> (long) note.length()));
        fields.put("seconds from EventTime to DetectTime", one -> lag(one, "EventTime", -1));
        fields.put("seconds from DetectTime to CreateTime", one -> lag(one, "CreateTime", 1));
        fields.put("FlowCount and ConnCount", one -> numbers(one, "FlowCount", "ConnCount"));
        fields.put("bytes of a line", one -> numbers(one, BYTES));
        List<FieldFit> fits = new ArrayList<>();
        fields.forEach((name, of) -> fits.add(FieldFit.of(
                name, original.stream().flatMap(of), generated.stream().flatMap(of))));
        // The fields below are compared by the counts of their values.
        fields.clear();
        fields.put("events of a source address", one -> singles(one.sources()));
        fields.put("events of a target address", one -> singles(one.targets()));
        fields.put("events of another port", one -> targetPorts(one).filter(port -> !own.contains(port)));
        fields.forEach((name, of) -> fits.add(FieldFit.of(name, counts(original, of), counts(generated, of))));
        return fits;
    }

    private static Stream<Long> counts(List<SecurityEvent> events, Function<SecurityEvent, Stream<?>> of) {
        return Counts.of(events.stream().flatMap(of)).counts().values().stream();
    }

    /** Returns the ports that a profile lists, the most frequent first: each occurs 20 times or more, and is at least 1 % of all. */
    private static List<Integer> ownPorts(List<SecurityEvent> events) {
        Counts<Integer> ports = Counts.of(events.stream().flatMap(Learner::targetPorts));
        double least = Math.max(OWN_PORT_COUNT, ports.all() * OWN_PORT_SHARE);
        return ports.ranked().filter(port -> ports.count(port) >= least).toList();
    }

    private static String category(SecurityEvent event) {
        return event.categories().stream().findFirst().orElse("Other");
    }

    /** The nodes with names: relays, followed by the detector. */
    private static List<Node> named(SecurityEvent event) {
        return event.nodes().stream().filter(node -> !node.name().isEmpty()).toList();
    }

    /** Returns IPv6 if any address of the event is an IPv6 address. */
    private static Stream<Family> family(SecurityEvent event) {
        return addresses(event.endpoints()).map(AddressRange::family).max(Family::compareTo).stream();
    }

    private static Stream<AddressRange> addresses(Stream<Endpoint> side) {
        return side.flatMap(endpoint -> endpoint.addresses().stream());
    }

    private static Stream<AddressRange> singles(List<Endpoint> side) {
        return addresses(side.stream()).filter(AddressRange::isSingle);
    }

    /** The number of single addresses of a side, if any. */
    private static Stream<Integer> perEvent(List<Endpoint> side) {
        return Stream.of((int) Math.min(singles(side).count(), EventProfile.MOST_ADDRESSES_PER_EVENT))
                .filter(number -> number > 0);
    }

    /** The kind of the sources or targets of an event, in the words of {@link EventProfile.TargetKinds}. */
    private static String kind(List<Endpoint> side) {
        boolean hasAddress = addresses(side.stream()).findFirst().isPresent();
        String without = side.isEmpty() ? "none" : "portOnly";
        return singles(side).findFirst().isPresent() ? "single" : hasAddress ? "network" : without;
    }

    /** The prefix lengths of networks and ranges as targets. */
    private static Stream<Integer> networkBits(SecurityEvent event, Family family) {
        return addresses(event.targets().stream())
                .filter(address -> !address.isSingle() && address.family() == family)
                .map(AddressRange::sharedBits);
    }

    private static Stream<Integer> targetPorts(SecurityEvent event) {
        return event.targets().stream().flatMap(target -> target.ports().stream());
    }

    /** Seconds from the detect time to another time of the event, or with the sign -1 in reverse; none if the result is negative. */
    private static Stream<Long> lag(SecurityEvent event, String key, int sign) {
        return seconds(event, key).map(seconds -> sign * seconds).filter(seconds -> seconds >= 0);
    }

    /** Seconds from the detect time to another time of the event; negative if the other time is earlier. */
    private static Stream<Long> seconds(SecurityEvent event, String key) {
        return text(event.other(), key)
                .flatMap(IdeaTime::parse)
                .map(time -> time.getEpochSecond() - event.detectTime().getEpochSecond())
                .stream();
    }

    private static Stream<String> note(SecurityEvent event) {
        return Stream.ofNullable(event.other().get("Note")).map(JsonNode::asText);
    }

    private static Stream<Long> numbers(SecurityEvent event, String... keys) {
        return Stream.of(keys)
                .flatMap(key -> Stream.ofNullable(event.other().get(key)))
                .filter(number -> number.isIntegralNumber() && number.canConvertToLong() && number.longValue() >= 0)
                .map(JsonNode::longValue);
    }

    private static Optional<String> text(Map<String, JsonNode> keys, String key) {
        return Optional.ofNullable(keys.get(key)).map(JsonNode::textValue);
    }

    /** The counts of values, from the most frequent value down; equally frequent values are in order of appearance. Immutable. */
    record Counts<T>(Map<T, Long> counts, long all) {
        static <T> Counts<T> of(Stream<? extends T> things) {
            Map<T, Long> counts = new LinkedHashMap<>();
            things.forEach(thing -> counts.merge(thing, 1L, Long::sum));
            Map<T, Long> ranked = new LinkedHashMap<>();
            counts.entrySet().stream()
                    .sorted(Collections.reverseOrder(Map.Entry.comparingByValue()))
                    .forEach(one -> ranked.put(one.getKey(), one.getValue()));
            return new Counts<>(
                    ranked, counts.values().stream().mapToLong(Long::longValue).sum());
        }

        long count(T thing) {
            return counts.getOrDefault(thing, 0L);
        }

        Stream<T> ranked() {
            return counts.keySet().stream();
        }

        /** The share of a value in all occurrences, 0 to 1. */
        double share(T thing) {
            return ratio(count(thing), all);
        }

        static double ratio(long part, long all) {
            return all == 0 ? 0 : Math.rint(1e6 * part / all) / 1e6;
        }

        /** The share of a value in percent, as in profiles: always above 0. */
        double percent(T thing) {
            return Math.max(EventProfile.SMALLEST_SHARE, Math.rint(1e8 * count(thing) / all) / 1e6);
        }

        /** The weights of the values, as in profiles, with a default value if nothing was counted. */
        SortedMap<T, Integer> weights(T otherwise) {
            SortedMap<T, Integer> weights = new TreeMap<>();
            ranked().forEach(thing ->
                    weights.put(thing, (int) Math.max(1, Math.round(share(thing) * EventProfile.LARGEST_WEIGHT))));
            return weights.isEmpty() ? new TreeMap<>(Map.of(otherwise, 1)) : weights;
        }
    }

    /**
     * Zipf's law: values of rank 1 to n occur with shares in proportion to {@code rank ^ -exponent}. The law is estimated from how often
     * values occurred, not from their unknown ranks. The law keeps the number of values that occur, and the probability that two events
     * share a value, so searches for values find as many events as in the original. Immutable.
     *
     * @param values the number of values, including those that did not occur
     * @param exponent how unevenly the values occur
     */
    record PopularityLaw(double values, double exponent) {
        private static final double LARGEST_EXPONENT = 10;
        /** The last rank without blocks; higher ranks form blocks of a hundredth of their rank, whose values count as equal. */
        private static final int SINGLE_RANKS = 100;

        /** Estimates the law of observed counts, with a limit on the number of values; too few counts give a common law. */
        static PopularityLaw of(Counts<?> occurred, double most) {
            if (occurred.all() < 2) {
                return new PopularityLaw(1, 0.5);
            }
            double pairs = occurred.counts().values().stream()
                    .mapToDouble(count -> count * (count - 1.0))
                    .sum();
            double alike = pairs / occurred.all() / (occurred.all() - 1);
            double low = 0;
            double high = LARGEST_EXPONENT;
            while (high - low > 1e-4) {
                double middle = (low + high) / 2;
                PopularityLaw law = new PopularityLaw(values(occurred, middle, most), middle);
                boolean isTooEven = law.sum(share -> share * share) < alike;
                low = isTooEven ? middle : low;
                high = isTooEven ? high : middle;
            }
            return new PopularityLaw(Math.rint(values(occurred, low, most)), low);
        }

        /** Finds, by bisection, the number of values for which this exponent predicts the observed number of values that occur. */
        static double values(Counts<?> occurred, double exponent, double most) {
            double low = Math.max(1, occurred.counts().size());
            double high = Math.max(low, most);
            while (high - low > 1e-3) {
                double middle = (low + high) / 2;
                double occur = new PopularityLaw(middle, exponent).sum(share -> -Math.expm1(-share * occurred.all()));
                // The goal is half a value below the observed number, since the counts may not limit the number of
                // values.
                boolean areTooFew = occur < occurred.counts().size() - 0.5;
                low = areTooFew ? middle : low;
                high = areTooFew ? high : middle;
            }
            return (low + high) / 2;
        }

        /** Returns the exponent as a rank root for profiles; 1,000 if all values are equally frequent. */
        double rankRoot() {
            return exponent < 0.001 ? 1_000 : Math.max(0.1, Math.rint(10_000 / exponent) / 10_000);
        }

        /** The sum of a function of each value's share over all values. */
        private double sum(DoubleUnaryOperator ofShare) {
            double all = sumOfWeights(weight -> weight);
            return sumOfWeights(weight -> ofShare.applyAsDouble(weight / all));
        }

        /** Adds up weights; the number of values need not be whole, so that the law changes smoothly with this number. */
        private double sumOfWeights(DoubleUnaryOperator ofWeight) {
            double sum = 0;
            double start = 1;
            while (start < values + 1) {
                double full = Math.ceil(start / SINGLE_RANKS);
                double weight = Math.pow(start + (full - 1) / 2, -exponent);
                sum += Math.min(full, values + 1 - start) * ofWeight.applyAsDouble(weight);
                start += full;
            }
            return sum;
        }
    }

    /** Estimates a profile from one event or more: each parameter of the generator's model. Not thread-safe. */
    private record Profile(List<SecurityEvent> events, Pseudonyms names) {
        private static final int LONGEST_HOURS = 3_660 * 24;
        /** Events far from all others, as from a wrong clock, are left out at either end: up to this share, or one of 20 or more events. */
        private static final double FEW = 0.01;

        private static final int MEAN_WEIGHT = 1_000;
        private static final double LONGEST_SECONDS = Duration.ofDays(30).toSeconds();
        private static final int MOST_NAMES = 1_000;
        private static final int MOST_TEXTS = 20;
        private static final int LONGEST_NOTE = 10_000;
        private static final int LONGEST_DESCRIPTION = 400;
        /** The most addresses in a network of 256 addresses, which is at most half full. */
        private static final double ADDRESSES_A_NETWORK = 128;

        private static final Pattern AGGREGATION = Pattern.compile("[0-9]{1,3}:[0-5][0-9]:[0-5][0-9]");

        /**
         * Returns a data set of this many events over the hours of the original.
         *
         * @param told receives a note about events that do not count
         */
        DatasetSpec dataset(Path file, long count, long seed, List<String> told) {
            long[] hours = events.stream()
                    .mapToLong(event -> Math.floorDiv(event.detectTime().getEpochSecond(), 3_600L))
                    .sorted()
                    .toArray();
            // The ten years with the most events; the latest if several have as many.
            int size = 0;
            int end = 0;
            for (int i = 0; i < hours.length; i++) {
                size += hours[i] - hours[i - size] < LONGEST_HOURS ? 1 : 0;
                end = hours[i] - hours[i - size + 1] < LONGEST_HOURS ? i : end;
            }
            int from = end - size + 1;
            int to = end;
            int few = (int) Math.max(size * FEW, Math.min(1, size / 20));
            long far = Math.max(24, (hours[to - few] - hours[from + few]) / 10);
            for (int i = 1; i <= few; i++) {
                from = hours[end - size + i + 1] - hours[end - size + i] > far ? end - size + i + 1 : from;
                to = hours[end - i + 1] - hours[end - i] > far ? end - i : to;
            }
            long first = hours[from];
            long last = hours[to];
            int inside = to - from + 1;
            if (inside < events.size()) {
                told.add(String.format(
                        Locale.ROOT,
                        "%,d events are far in time from all others, and do not count for the span and the day curve"
                                + " (out of %,d events)",
                        events.size() - inside,
                        events.size()));
            }
            double mean = (double) inside / (last - first + 1);
            double[] busy = new double[24];
            Arrays.stream(hours, from, to + 1).forEach(hour -> busy[Math.floorMod(hour, 24)]++);
            List<Integer> dayCurve = IntStream.range(0, 24)
                    .mapToObj(hour -> {
                        long times = Math.floorDiv(last - hour, 24L) - Math.floorDiv(first - 1 - hour, 24L);
                        return times == 0 ? MEAN_WEIGHT : (int) Math.rint(MEAN_WEIGHT * busy[hour] / times / mean);
                    })
                    .toList();
            return new DatasetSpec(
                    file,
                    String.format(Locale.ROOT, "Learnt from %,d events, with made-up names", count),
                    count,
                    Instant.ofEpochSecond(first * 3_600),
                    Duration.ofHours(last - first + 1),
                    seed,
                    new EventProfile(
                            dayCurve,
                            count(Learner::family).share(Family.IP6),
                            times(),
                            categories(),
                            detectors(),
                            endpoints(SecurityEvent::sources),
                            endpoints(SecurityEvent::targets),
                            targetKinds(),
                            ports(),
                            details()),
                    Map.of());
        }

        private <T> Counts<T> count(Function<SecurityEvent, Stream<T>> parts) {
            return Counts.of(events.stream().flatMap(parts));
        }

        private <T> T most(Function<SecurityEvent, Stream<T>> parts, T otherwise) {
            return count(parts).ranked().findFirst().orElse(otherwise);
        }

        private double ratio(Predicate<SecurityEvent> is) {
            return count(event -> Stream.of(is.test(event))).share(true);
        }

        private double has(String key) {
            return ratio(event -> event.other().containsKey(key));
        }

        /** Lags are uniform up to the longest, which is thus twice the mean; the longest observed lag may come from a wrong clock. */
        private EventProfile.Times times() {
            Counts<Long> windows = count(event -> seconds(event, "WinStartTime")
                    .flatMap(opened -> seconds(event, "WinEndTime").map(closed -> closed - opened)));
            return new EventProfile.Times(
                    ratio(event -> event.detectTime().get(ChronoField.NANO_OF_SECOND) > 0),
                    twiceTheMean("EventTime", -1),
                    twiceTheMean("CreateTime", 1),
                    has("EventTime"),
                    Counts.ratio(windows.all(), events.size()),
                    duration(windows.ranked().findFirst().orElse(0L)));
        }

        private Duration twiceTheMean(String key, int sign) {
            return duration(2
                    * events.stream()
                            .flatMap(event -> lag(event, key, sign))
                            .collect(Collectors.averagingLong(one -> one)));
        }

        private static Duration duration(double seconds) {
            return Duration.ofSeconds(Math.round(Math.max(0, Math.min(LONGEST_SECONDS, seconds))));
        }

        private EventProfile.Categories categories() {
            Counts<String> counted = count(event -> Stream.of(category(event)));
            List<EventProfile.Category> shares = counted.ranked()
                    .limit(MOST_NAMES)
                    .map(name -> new EventProfile.Category(
                            names.of(name),
                            counted.percent(name),
                            names.of(most(
                                    event -> event.sources().stream()
                                            .limit(category(event).equals(name) ? 1 : 0)
                                            .map(Endpoint::types),
                                    List.of())),
                            sentences(
                                    event -> Stream.of(event.description())
                                            .filter(text -> !text.isBlank()
                                                    && category(event).equals(name)),
                                    LONGEST_DESCRIPTION)))
                    .toList();
            return new EventProfile.Categories(ratio(event -> event.categories().size() > 1), shares);
        }

        /** Makes up sentences whose lengths are quantiles of the original lengths. */
        private List<String> sentences(Function<SecurityEvent, Stream<String>> texts, int longest) {
            List<Integer> lengths = events.stream()
                    .flatMap(texts)
                    .map(text -> Math.min(longest, text.length()))
                    .sorted()
                    .toList();
            int many = Math.min(MOST_TEXTS, count(texts).counts().size());
            return many == 0
                    ? List.of("-")
                    : IntStream.range(0, many)
                            .mapToObj(i -> names.sentence(lengths.get((2 * i + 1) * lengths.size() / (2 * many))))
                            .toList();
        }

        private EventProfile.Detectors detectors() {
            // The properties of each detector, without its share.
            Counts<Detector> detectors = count(event -> named(event).stream().reduce((relay, last) -> last).stream()
                    .map(node -> new Detector(
                            names.of(node.name()),
                            0,
                            names.of(node.types()),
                            names.of(node.software()),
                            text(node.other(), "AggrWin")
                                    .filter(text -> AGGREGATION.matcher(text).matches())
                                    .orElse(""))));
            Counts<String> relays = count(event ->
                    named(event).stream().limit(named(event).size() > 1 ? 1 : 0).map(Node::name));
            List<Detector> shares = detectors
                    .ranked()
                    .limit(MOST_NAMES)
                    .map(said -> new Detector(
                            said.name(), detectors.percent(said), said.types(), said.software(), said.aggregation()))
                    .toList();
            return new EventProfile.Detectors(
                    Counts.ratio(relays.all(), detectors.all()),
                    names.of(relays.ranked().findFirst().orElse("relay")),
                    shares.isEmpty() ? List.of(new Detector("detector", 1, List.of(), List.of(), "")) : shares);
        }

        /** Estimates one law of popularity for the addresses of both families. */
        private EventProfile.Endpoints endpoints(Function<SecurityEvent, List<Endpoint>> side) {
            Counts<AddressRange> addresses = count(event -> singles(side.apply(event)));
            PopularityLaw law = PopularityLaw.of(addresses, EventProfile.MOST_ADDRESSES);
            double ip6 = law.values()
                    * Counts.of(addresses.ranked().map(AddressRange::family)).share(Family.IP6);
            // The generator spreads addresses evenly over the networks.
            double networks = PopularityLaw.values(
                    Counts.of(addresses.ranked().map(one -> one.network(one.family() == Family.IP6 ? 64 : 24))),
                    0,
                    EventProfile.MOST_NETWORKS);
            double room = Math.ceil(law.values() / ADDRESSES_A_NETWORK);
            Counts<Boolean> hasPort = count(event -> side.apply(event).stream()
                    .filter(endpoint -> !endpoint.addresses().isEmpty())
                    .map(endpoint -> !endpoint.ports().isEmpty()));
            return new EventProfile.Endpoints(
                    (int) Math.max(1, Math.rint(law.values() - ip6)),
                    (int) Math.max(1, Math.rint(ip6)),
                    law.rankRoot(),
                    (int) Math.min(EventProfile.MOST_NETWORKS, Math.max(room, Math.rint(networks))),
                    List.of(),
                    List.of(),
                    count(event -> perEvent(side.apply(event))).weights(1),
                    hasPort.share(true));
        }

        private EventProfile.TargetKinds targetKinds() {
            Map<String, Integer> kinds =
                    count(event -> Stream.of(kind(event.targets()))).weights("none");
            Counts<Integer> bits = count(event ->
                    networkBits(event, Family.IP4).map(number -> Math.max(EventProfile.LARGEST_NETWORK_BITS, number)));
            int ip6Bits = most(event -> networkBits(event, Family.IP6), 64);
            return new EventProfile.TargetKinds(
                    kinds.getOrDefault("single", 0),
                    kinds.getOrDefault("network", 0),
                    kinds.getOrDefault("portOnly", 0),
                    kinds.getOrDefault("none", 0),
                    bits.weights(24),
                    Math.max(EventProfile.LARGEST_IP6_NETWORK_BITS, ip6Bits));
        }

        private EventProfile.Ports ports() {
            Counts<Integer> ports = count(Learner::targetPorts);
            Map<Integer, List<String>> protocols = new HashMap<>();
            // Each port gets the most frequent protocols of the events with this port.
            count(event -> event.targets().stream()
                            .flatMap(
                                    target -> target.ports().stream().map(port -> Map.entry(port, target.protocols()))))
                    .ranked()
                    .forEach(one -> protocols.putIfAbsent(one.getKey(), names.of(one.getValue())));
            List<Integer> own = ownPorts(events);
            Counts<Integer> seldom = count(event -> targetPorts(event).filter(port -> !own.contains(port)));
            PopularityLaw law = PopularityLaw.of(seldom, EventProfile.MOST_TAIL_PORTS);
            // Each port of the tail has one protocol, so the ports are counted, not their events.
            Counts<String> ofTail = Counts.of(seldom.ranked()
                    .flatMap(port ->
                            protocols.getOrDefault(port, List.of()).stream().limit(1)));
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
            Stream<Long> numbers =
                    count(event -> numbers(event, "FlowCount", "ConnCount")).ranked();
            long largest = numbers.max(Long::compare).orElse(1L);
            return new EventProfile.Details(
                    has("FlowCount"),
                    has("ConnCount"),
                    Math.max(1, Math.min(EventProfile.LARGEST_COUNT, largest)),
                    has("Note"),
                    1,
                    sentences(Learner::note, LONGEST_NOTE),
                    ratio(event -> event.other()
                            .getOrDefault("_CESNET", NullNode.instance)
                            .has("StorageTime")));
        }
    }

    /**
     * Pseudonyms: each name becomes a made-up word of its length, which is always the same for one name, and differs between names. Words
     * depend on the order and the lengths of the names, never on letters, so that no name can be reconstructed. Not thread-safe.
     */
    private static final class Pseudonyms {
        /** Words of IDEA's own categories and types, and of well-known protocols, stay, since they name neither people nor machines. */
        private static final Set<String> STANDARD = Set.copyOf(List.of(
                RegularFile.resource(Learner.class, "standard-names.txt").split("\\s+")));

        private static final String CONSONANTS = "bdfgklmnprstvz";
        private static final String VOWELS = "aeiou";
        /** After this many attempts, a pseudonym gets one more letter. */
        private static final int TRIES = 20;

        private final SeededRandom random;
        private final Map<String, String> made = new HashMap<>();
        private final Set<String> taken = new HashSet<>();

        Pseudonyms(long seed) {
            random = new SeededRandom(seed);
        }

        /** Returns the pseudonym of a name; a made-up name stays. */
        String of(String name) {
            if (name.isBlank()) {
                return "-";
            }
            return taken.contains(name) || STANDARD.containsAll(List.of(name.split("[.-]")))
                    ? name
                    : made.computeIfAbsent(
                            name,
                            unused -> Stream.iterate(0, tried -> tried + 1)
                                    .map(tried -> madeUp(name.length() + tried / TRIES))
                                    .filter(taken::add)
                                    .findFirst()
                                    .orElseThrow());
        }

        List<String> of(List<String> names) {
            return names.stream().map(this::of).toList();
        }

        /** Returns a sentence of made-up words with this length, at least two characters. */
        String sentence(long length) {
            StringBuilder text = new StringBuilder();
            long end = Math.max(2, length) - 1;
            while (text.length() < end) {
                text.append(text.isEmpty() || text.length() + 1 == end ? "" : " ");
                text.append(madeUp((int) Math.min(end - text.length(), 3 + text.length() % 7)));
            }
            return text.append('.').toString();
        }

        private String madeUp(int length) {
            StringBuilder word = new StringBuilder(length);
            for (int i = 0; i < length; i++) {
                String letters = i % 2 == 0 ? CONSONANTS : VOWELS;
                word.append(letters.charAt(random.nextInt(letters.length())));
            }
            return word.toString();
        }
    }
}
