package siemload.dataset.learn;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.dataset.DatasetReader;
import siemload.dataset.DatasetSpec;
import siemload.dataset.EventGenerator;
import siemload.dataset.format.EventFile;
import siemload.dataset.recording.LineProblems;
import siemload.event.AddressRange.Family;
import siemload.event.EventLineReader;
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
    private static final int MOST_NUMBERS_SHOWN = 20;

    private Learner() {}

    /** What becomes of the names of a stream: of detectors, their software, categories, and the words of descriptions. */
    public enum Names {
        /** Names of one's own stand in their place, except for words that IDEA defines. */
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
     * @param sampleEvents how many events were generated for the comparison
     */
    public record Learnt(
            DatasetSpec spec,
            List<FieldFit> fits,
            Map<String, Long> unmodelled,
            List<String> skipped,
            long sampleEvents) {
        public Learnt {
            fits = List.copyOf(fits);
            unmodelled = Collections.unmodifiableMap(new LinkedHashMap<>(unmodelled));
            skipped = List.copyOf(skipped);
        }
    }

    /** Where the profile of a data set is written. */
    public static Path profile(Path dataset) {
        return dataset.resolveSibling("profiles").resolve(String.valueOf(dataset.getFileName()));
    }

    /**
     * Learns.
     *
     * @param files events, one a line, in formats of their own
     * @param dataset the file to write, whose name ends with {@code .yaml}; it and {@link #profile} are replaced
     * @param read told after every thousand events that there were so many more
     * @throws ConfigException if there is no event in the files
     * @throws UncheckedIOException if a file cannot be read or written
     */
    public static Learnt learn(List<EventFile> files, Path dataset, Names rule, long seed, LongConsumer read) {
        LineProblems problems =
                new LineProblems(files.stream().map(EventFile::path).toList());
        EventCounts original = new EventCounts();
        files.forEach(file -> count(file, original, problems, read));
        // The reason quotes the line where names are kept, and otherwise its place must do.
        List<String> skipped = problems.lines(
                "", problem -> rule == Names.KEEP ? problem.toString() : problem.file() + ":" + problem.line());
        if (original.events() == 0) {
            throw noEvents(files, skipped);
        }
        Pseudonyms names = new Pseudonyms(rule, seed);
        LearntProfile learnt = new LearntProfile(original, names);
        String description = String.format(
                Locale.ROOT,
                "Learnt from %,d events: names are %s",
                original.events(),
                rule == Names.KEEP ? "kept, addresses are not" : "replaced");
        Path profile = profile(dataset);
        try {
            Files.createDirectories(profile.toAbsolutePath().getParent());
            Files.writeString(profile, learnt.yaml());
            Files.writeString(dataset, learnt.dataset(description, seed, String.valueOf(profile.getFileName())));
        } catch (IOException e) {
            throw new UncheckedIOException(dataset + " cannot be written", e);
        }
        DatasetSpec spec = DatasetReader.read(dataset);
        EventCounts sample = sample(spec);
        Map<String, Long> unmodelled = new LinkedHashMap<>();
        original.features.ranked().stream()
                .filter(feature -> sample.features.of(feature) == 0)
                .forEach(feature -> unmodelled.put("events with " + feature, original.features.of(feature)));
        if (learnt.outside() > 0) {
            unmodelled.put(
                    "events far from all others in time, left out of the span and the day curve", learnt.outside());
        }
        return new Learnt(spec, fits(original, names, sample, learnt.laws), unmodelled, skipped, sample.events());
    }

    private static void count(EventFile file, EventCounts counts, LineProblems problems, LongConsumer read) {
        // What events lack is counted as a feature.
        Consumer<LineProblem> unreadable = problem -> {
            if (problem.severity() == Severity.UNREADABLE) {
                problems.accept(problem);
            }
        };
        try (EventLineReader reader = EventLineReader.open(file.path(), file.reader(), unreadable)) {
            for (Optional<SecurityEvent> event = reader.next(); event.isPresent(); event = reader.next()) {
                counts.add(event.get(), reader.lineBytes());
                if (counts.events() % EVENTS_BETWEEN_SIGNS == 0) {
                    read.accept(EVENTS_BETWEEN_SIGNS);
                }
            }
        }
    }

    /** Counts what the data set generates: all of it, or a smaller one from the same profile. */
    private static EventCounts sample(DatasetSpec spec) {
        DatasetSpec smaller = new DatasetSpec(
                spec.name(),
                spec.description(),
                Math.min(spec.events(), SAMPLE),
                spec.start(),
                spec.span(),
                spec.seed(),
                spec.profile(),
                spec.searched());
        EventCounts counts = new EventCounts();
        IdeaWriter writer = new IdeaWriter();
        new EventGenerator(smaller)
                .read(BATCH, events -> events.forEach(event -> counts.add(event, writer.toBytes(event).length)));
        return counts;
    }

    private static ConfigException noEvents(List<EventFile> files, List<String> reasons) {
        String names = String.join(
                ", ", files.stream().map(file -> file.path().toString()).toList());
        return new ConfigException(
                new Origin.WholeFile(names),
                "there is no event to learn from"
                        + (reasons.isEmpty() ? " (empty)" : "\n" + String.join("\n", reasons)));
    }

    private static List<FieldFit> fits(
            EventCounts original, Pseudonyms names, EventCounts sample, Map<String, PopularityLaw> laws) {
        List<Integer> ownPorts = LearntProfile.ownPorts(original);
        Map<String, Map<String, Double>> generated = shares(sample, new Pseudonyms(Names.KEEP, 0), ownPorts);
        List<FieldFit> fits = new ArrayList<>();
        shares(original, names, ownPorts)
                .forEach((name, counts) ->
                        fits.add(FieldFit.ofShares(name, counts, generated.getOrDefault(name, Map.of()))));
        laws.forEach((name, law) -> fits.add(FieldFit.ofLaw("popularity: " + name, law)));
        for (EventCounts.Size size : EventCounts.Size.values()) {
            fits.add(FieldFit.ofSizes(size.words, original.size(size), sample.size(size)));
        }
        return fits;
    }

    /**
     * What is compared by its shares.
     *
     * @param names what names are replaced by
     * @param ownPorts that count by themselves
     */
    private static Map<String, Map<String, Double>> shares(
            EventCounts counts, Pseudonyms names, List<Integer> ownPorts) {
        Map<String, Double> hours = new LinkedHashMap<>();
        for (int hour = 0; hour < 24; hour++) {
            hours.put(String.format(Locale.ROOT, "%02d", hour), 0.0);
        }
        hours.putAll(counts.hours.named(hour -> String.format(Locale.ROOT, "%02d", Math.floorMod(hour, 24))));
        Map<String, Map<String, Double>> shares = new LinkedHashMap<>();
        shares.put("category", counts.categories.named(names::category));
        shares.put("detector", counts.detectors.named(names::detector));
        shares.put("hour of the day (UTC)", hours);
        shares.put("family of addresses", counts.families.named(family -> family == Family.IP4 ? "IPv4" : "IPv6"));
        shares.put("addresses an event names as sources", numbers(counts.sources.perEvent, ""));
        shares.put(
                "what targets are",
                counts.targetKinds.named(
                        kind -> kind.name().toLowerCase(Locale.ROOT).replace('_', ' ')));
        shares.put("addresses an event names as targets", numbers(counts.targets.perEvent, ""));
        shares.put("prefix of target networks", numbers(counts.targets.networkBits, "/"));
        shares.put("port", counts.ports.named(port -> ownPorts.contains(port) ? port.toString() : "others"));
        return shares;
    }

    private static Map<String, Double> numbers(Frequencies<Integer> counts, String before) {
        Map<String, Double> numbers = new LinkedHashMap<>();
        counts.sorted()
                .forEach((number, count) -> numbers.merge(
                        numbers.size() < MOST_NUMBERS_SHOWN ? before + number : "more", (double) count, Double::sum));
        return numbers;
    }
}
