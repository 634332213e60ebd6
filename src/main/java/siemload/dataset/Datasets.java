package siemload.dataset;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.NamedFile;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.config.RegularFile;
import siemload.config.Setting;
import siemload.config.Settings;
import siemload.dataset.format.EventFile;

/** Finds data sets: by name in {@code datasets/}, by the path of their file, or a recording. Stateless. */
public final class Datasets {
    private static final String STANDARD = "smoke";
    private static final String DIRECTORY = "datasets";
    private static final List<String> ENDINGS =
            List.of(".idea", ".jsonl", ".json", ".ndjson", ".cef", ".leef", ".log", ".syslog", ".txt");
    private static final String ALLOWED =
            "or the path of a .yaml file, or of a recording (" + String.join(", ", ENDINGS) + ", also with .gz)";

    private Datasets() {}

    /**
     * Opens a data set, which takes long for the first use of a large recording.
     *
     * @param home the directory with datasets/
     * @param name a name in datasets/, or the path of a file
     * @param settings amplify, format, cache; and the seed, where one was given
     * @param status shows the current step; an empty text clears it
     * @throws ConfigException with what is wrong with the data set
     * @throws java.io.UncheckedIOException if a recording cannot be read to its end
     */
    public static EventSource open(Path home, String name, Settings settings, Consumer<String> status) {
        Origin origin = origin(name, settings);
        List<String> names =
                isRecording(name) && new File(name).exists() ? List.of(name) : List.of(name.split("\\s*,\\s*", -1));
        if (names.stream().allMatch(Datasets::isRecording)) {
            List<EventFile> files = names.stream()
                    .map(file -> EventFile.of(home, existing(file, origin), settings))
                    .toList();
            return Recording.open(files, settings.value(Property.CACHE), status, settings.value(Property.AMPLIFY));
        }
        if (settings.value(Property.AMPLIFY) > 1) {
            throw new ConfigException(
                    settings.origin(Property.AMPLIFY),
                    "only recordings can be repeated; the file of a generated data set states its number of events"
                            + " (remove it)");
        }
        if (!settings.value(Property.FORMAT).equals("auto")) {
            throw new ConfigException(settings.origin(Property.FORMAT), "only recordings have a format (remove it)");
        }
        boolean isPath = name.toLowerCase(Locale.ROOT).endsWith(NamedFile.ENDING);
        DatasetSpec spec = DatasetSpec.read(isPath ? existing(name, origin) : named(home, name, origin));
        boolean seeded = settings.given(Property.SEED).isPresent();
        return new EventGenerator(seeded ? spec.withSeed(settings.value(Property.SEED)) : spec);
    }

    /** Returns the description of each data set in datasets/ by its name; an unreadable file has the reason instead. */
    public static Map<String, String> descriptions(Path home) {
        Map<String, String> descriptions = new TreeMap<>();
        NamedFile.files(home, DIRECTORY, 1).forEach((name, file) -> {
            try {
                descriptions.put(name, DatasetSpec.read(home.resolve(file)).description());
            } catch (ConfigException wrong) {
                descriptions.put(name, "(" + wrong.problems().get(0) + ")");
            }
        });
        return descriptions;
    }

    /** Returns the data set that the settings name, or else the default one. */
    public static String chosen(Settings settings) {
        return settings.find(Property.DATASET).orElse(STANDARD);
    }

    private static boolean isRecording(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        // Packed files that siemload cannot read count as recordings too: their reader says how to unpack them.
        String plain = lower.replaceFirst("\\.(gz|zst|zip|bz2|xz|lz4)$", "");
        return plain.matches(".*\\.(tar|tgz|7z|parquet)") || ENDINGS.stream().anyMatch(plain::endsWith);
    }

    private static Path named(Path home, String name, Origin origin) {
        Map<String, Path> known = NamedFile.files(home, DIRECTORY, 1);
        Path file = known.get(name);
        if (file == null) {
            throw new ConfigException(
                    origin,
                    "data set '" + name + "' is unknown (" + Choices.suggestion(name, known.keySet()) + "known: "
                            + String.join(", ", known.keySet()) + "; " + ALLOWED + ")");
        }
        return home.resolve(file);
    }

    private static Path existing(String name, Origin origin) {
        // A name with a character that no path may have counts as a missing file.
        File file = new File(name);
        if (!file.exists()) {
            File directory = Objects.requireNonNullElse(file.getAbsoluteFile().getParentFile(), file);
            String[] siblings = Objects.requireNonNullElse(directory.list(), new String[0]);
            List<String> known = Stream.of(siblings).sorted().toList();
            throw new ConfigException(
                    origin,
                    "there is no file " + name + " (" + Choices.suggestion(file.getName(), known) + "looked in "
                            + Path.of("").toAbsolutePath() + ")");
        }
        RegularFile.refusal(file.toPath()).ifPresent(reason -> {
            throw new ConfigException(origin, name + " " + reason);
        });
        return file.toPath();
    }

    /** The origin of the data set's name: the setting, or else the scenario. */
    private static Origin origin(String name, Settings settings) {
        return settings.setting(Property.DATASET)
                .filter(setting -> setting.value().equals(name))
                .map(Setting::origin)
                .or(() -> settings.find(Property.SCENARIO)
                        .map(scenario -> new Origin.WholeFile("dataset of scenario " + scenario)))
                .orElseGet(Origin.Default::new);
    }
}
