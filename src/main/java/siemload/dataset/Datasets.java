package siemload.dataset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import siemload.config.ConfigException;
import siemload.config.NamedFile;
import siemload.config.NearestName;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.config.RegularFile;
import siemload.config.Setting;
import siemload.config.Settings;
import siemload.config.Sha256;
import siemload.dataset.FeedEvents.CapturedTimes;
import siemload.dataset.format.EventFile;
import siemload.dataset.recording.Recording;
import siemload.event.IdeaTime;
import siemload.event.SecurityEvent;

/** Finds data sets: by name in {@code datasets/}, by the path of their file, or a recording. Stateless. */
public final class Datasets {
    private static final String STANDARD = "smoke";
    private static final String DIRECTORY = "datasets";
    private static final List<String> ENDINGS =
            List.of(".idea", ".jsonl", ".json", ".ndjson", ".cef", ".log", ".syslog", ".txt");
    private static final String ALLOWED =
            "or the path of a .yaml file, or of a recording (" + String.join(", ", ENDINGS) + ", also with .gz)";

    private Datasets() {}

    /**
     * Opens a data set.
     *
     * @param home the directory with datasets/
     * @param name a name in datasets/, or the path of a file
     * @param settings amplify, span, format, unreadable, cache; and the seed, where one was given
     * @throws ConfigException with what is wrong with it
     * @throws java.io.UncheckedIOException if a recording cannot be read to its end
     */
    public static EventSource open(Path home, String name, Settings settings) {
        return open(home, name, settings, text -> {});
    }

    /**
     * Opens a data set, which takes long where a large recording is looked through for the first time.
     *
     * @param status is told what is being done; an empty text clears it
     */
    public static EventSource open(Path home, String name, Settings settings, Consumer<String> status) {
        Origin origin = origin(name, settings);
        List<String> names = recordings(name);
        if (!names.isEmpty()) {
            return RecordedEvents.open(
                    names.stream().map(file -> existing(file, origin)).toList(),
                    new Recording.Reading(
                            file -> EventFile.of(home, file, settings).reader(),
                            settings.value(Property.CACHE),
                            status),
                    settings.value(Property.AMPLIFY));
        }
        String lower = name.toLowerCase(Locale.ROOT);
        requireUnamplified(settings);
        Path file = lower.endsWith(NamedFile.ENDING) ? existing(name, origin) : named(home, name, origin);
        DatasetSpec spec = DatasetReader.read(file);
        boolean seeded = settings.given(Property.SEED).isPresent();
        return new EventGenerator(seeded ? spec.withSeed(settings.value(Property.SEED)) : spec);
    }

    /** The data sets in datasets/ with their descriptions, or with what keeps one from being read; by name. */
    public static Map<String, String> descriptions(Path home) {
        Map<String, String> descriptions = new TreeMap<>();
        for (String name : NamedFile.names(home, DIRECTORY)) {
            descriptions.put(name, description(file(home, name)));
        }
        return descriptions;
    }

    /** The data set that the settings name; the standard one unless they do. */
    public static String chosen(Settings settings) {
        return settings.find(Property.DATASET).orElse(STANDARD);
    }

    /** The recordings that are named here, with commas between; none if it is something else. */
    private static List<String> recordings(String name) {
        List<String> names =
                isRecording(name) && new File(name).exists() ? List.of(name) : List.of(name.split("\\s*,\\s*", -1));
        return names.stream().allMatch(Datasets::isRecording) ? names : List.of();
    }

    private static boolean isRecording(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return ENDINGS.stream().anyMatch(ending -> lower.endsWith(ending) || lower.endsWith(ending + ".gz"));
    }

    private static void requireUnamplified(Settings settings) {
        settings.setting(Property.AMPLIFY)
                .filter(amplify -> settings.value(Property.AMPLIFY) > 1)
                .ifPresent(amplify -> {
                    throw new ConfigException(
                            amplify.origin(),
                            "only recordings are repeated; a generated data set says its number of events in its file"
                                    + " (leave it out)");
                });
    }

    private static Path named(Path home, String name, Origin origin) {
        List<String> known = NamedFile.names(home, DIRECTORY);
        if (!known.contains(name)) {
            throw new ConfigException(
                    origin,
                    "data set '" + name + "' is unknown (" + NearestName.suggestion(name, known) + "known: "
                            + String.join(", ", known) + "; " + ALLOWED + ")");
        }
        return file(home, name);
    }

    private static Path existing(String name, Origin origin) {
        Path file;
        try {
            file = Path.of(name);
        } catch (InvalidPathException e) {
            throw (ConfigException)
                    new ConfigException(origin, "'" + name + "' is not a path: " + e.getReason()).initCause(e);
        }
        if (!Files.exists(file)) {
            List<String> siblings = fileNames(file.toAbsolutePath().resolveSibling(""));
            throw new ConfigException(
                    origin,
                    "there is no file " + file + " ("
                            + NearestName.suggestion(String.valueOf(file.getFileName()), siblings) + "looked in "
                            + Path.of("").toAbsolutePath() + ")");
        }
        RegularFile.refusal(file).ifPresent(reason -> {
            throw new ConfigException(origin, file + " " + reason);
        });
        return file;
    }

    /** Who named the data set: the setting, or else the scenario. */
    private static Origin origin(String name, Settings settings) {
        return settings.setting(Property.DATASET)
                .filter(setting -> setting.value().equals(name))
                .map(Setting::origin)
                .or(() -> settings.find(Property.SCENARIO)
                        .map(scenario -> new Origin.WholeFile("dataset of scenario " + scenario)))
                .orElseGet(Origin.Default::new);
    }

    private static List<String> fileNames(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        } catch (IOException noSuchDirectory) {
            return List.of();
        }
    }

    private static Path file(Path home, String name) {
        return home.resolve(DIRECTORY).resolve(name + NamedFile.ENDING);
    }

    private static String description(Path file) {
        try {
            return DatasetReader.read(file).description();
        } catch (ConfigException wrong) {
            return "(" + wrong.problems().get(0) + ")";
        }
    }

    /**
     * A data set from a recording, as it is or repeated: events in the order of their times, copy after copy. Lines that are no
     * events, or repeat the id of an earlier one, are left out and reported. Thread-safe.
     */
    public static final class RecordedEvents implements EventSource {
        /**
         * The time over which copies are laid out, in as many equal slots. A recording that is longer than a slot is squeezed into it, a
         * shorter one stays as it is at the slot's beginning.
         */
        private static final Duration SPAN = Duration.ofDays(7);

        private static final List<String> TIMESTAMPS =
                List.of("CreateTime", "EventTime", "CeaseTime", "WinStartTime", "WinEndTime");

        private final String name;
        private final Recording recording;
        private final int amplify;

        /**
         * Opens a recording and looks through it unless that has been done before.
         *
         * @param files in the order in which they were recorded
         * @param reading how its lines are read
         * @param amplify how often it is repeated, over a week; 1 leaves the events as they are
         * @throws siemload.config.ConfigException if there is no event in it, or the first bad line where these are refused
         * @throws java.io.UncheckedIOException if it cannot be read, or its index not be written
         */
        public static RecordedEvents open(List<Path> files, Recording.Reading reading, int amplify) {
            String first = String.valueOf(files.get(0).getFileName());
            String name = files.size() == 1 ? first : first + " and " + (files.size() - 1) + " more";
            return new RecordedEvents(name, Recording.open(files, reading), amplify);
        }

        private RecordedEvents(String name, Recording recording, int amplify) {
            this.name = name;
            this.recording = recording;
            this.amplify = amplify;
        }

        @Override
        public String name() {
            return amplify > 1 ? name + " x" + amplify : name;
        }

        @Override
        public long count() {
            return Math.multiplyExact(recording.count(), (long) amplify);
        }

        @Override
        public Instant first() {
            return time(0, recording.first());
        }

        @Override
        public Instant until() {
            return time(amplify - 1, recording.last())
                    .truncatedTo(ChronoUnit.SECONDS)
                    .plusSeconds(1);
        }

        @Override
        public String fingerprint() {
            return amplify > 1
                    ? Sha256.fingerprint(recording.fingerprint() + " " + amplify + " " + SPAN + "\n")
                    : recording.fingerprint();
        }

        @Override
        public long seed() {
            return 0;
        }

        @Override
        public void read(int batch, Consumer<List<SecurityEvent>> batches) {
            List<SecurityEvent> filled = new ArrayList<>(batch);
            for (int copy = 0; copy < amplify; copy++) {
                int number = copy;
                recording.forEach(event -> {
                    filled.add(
                            amplify > 1
                                    ? moved(event, EventIds.copy(event.id(), number), time(number, event.detectTime()))
                                    : event);
                    if (filled.size() == batch) {
                        batches.accept(List.copyOf(filled));
                        filled.clear();
                    }
                });
            }
            if (!filled.isEmpty()) {
                batches.accept(List.copyOf(filled));
            }
        }

        @Override
        public List<String> warnings() {
            return recording.warnings();
        }

        @Override
        public Optional<String> leftOut() {
            return recording.leftOut();
        }

        /** The recorded events again and again, with ids and times of their own. */
        @Override
        public FeedEvents feed() {
            return new RecordedFeed(recording, EventIds.hash(fingerprint(), 0));
        }

        /** When an event of a copy happens, in whole milliseconds; of a recording that is not repeated, as it was recorded. */
        private Instant time(long copy, Instant recorded) {
            if (amplify == 1) {
                return recorded;
            }
            long spanMillis = SPAN.toMillis();
            long firstMillis = recording.first().toEpochMilli();
            long lengthMillis = recording.last().toEpochMilli() - firstMillis;
            long slotMillis = Math.max(0, spanMillis / amplify - 1);
            double scale = lengthMillis <= slotMillis ? 1 : (double) slotMillis / lengthMillis;
            long slotStart = spanMillis / amplify * copy + spanMillis % amplify * copy / amplify;
            long offset = (long) ((recorded.toEpochMilli() - firstMillis) * scale);
            return Instant.ofEpochMilli(firstMillis + slotStart + offset);
        }

        /** An event of its own from a recorded one: another id, and all of its timestamps moved by the same time. */
        private static SecurityEvent moved(SecurityEvent event, String id, Instant detectTime) {
            Duration by = Duration.between(event.detectTime(), detectTime);
            Map<String, JsonNode> other = new LinkedHashMap<>(event.other());
            for (String key : TIMESTAMPS) {
                // What is no time stays as it is.
                other.computeIfPresent(
                        key,
                        (unused, value) -> Optional.ofNullable(value.textValue())
                                .flatMap(IdeaTime::parse)
                                .<JsonNode>map(time -> TextNode.valueOf(IdeaTime.format(time.plus(by))))
                                .orElse(value));
            }
            return new SecurityEvent(
                    id,
                    detectTime,
                    event.categories(),
                    event.description(),
                    event.sources(),
                    event.targets(),
                    event.nodes(),
                    other);
        }

        /**
         * A recording that is repeated: from its last event to the first one of the next round is as long as from one event to the next on
         * average. Immutable.
         */
        private record RecordedFeed(Recording recording, long seed) implements FeedEvents, FeedEvents.CapturedTimes {
            private static final long ALONE_MICROS = 1_000_000;

            @Override
            public SecurityEvent event(long number, Instant detectTime) {
                return moved(recording.event(number % recording.count()), id(number), detectTime);
            }

            @Override
            public Optional<CapturedTimes> captured() {
                return Optional.of(this);
            }

            @Override
            public String id(long number) {
                return EventIds.id(seed, number);
            }

            @Override
            public double micros(long number) {
                return Math.floorDiv(number, recording.count()) * roundMicros()
                        + inRound(Math.floorMod(number, recording.count()));
            }

            @Override
            public long countUntil(double micros) {
                long round = (long) Math.floor(micros / roundMicros());
                double left = micros - round * roundMicros();
                long low = 0;
                long high = recording.count();
                while (low < high) {
                    long middle = (low + high) >>> 1;
                    if (inRound(middle) <= left) {
                        low = middle + 1;
                    } else {
                        high = middle;
                    }
                }
                return round * recording.count() + low;
            }

            private double inRound(long number) {
                return recording.micros(number) - recording.micros(0);
            }

            /** From the first event of a round to that of the next one. */
            private double roundMicros() {
                long last = recording.count() - 1;
                double length = inRound(last);
                return length == 0 ? ALONE_MICROS : length + length / last;
            }
        }
    }
}
