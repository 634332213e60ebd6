package siemload.dataset;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
            List.of(".idea", ".jsonl", ".json", ".ndjson", ".cef", ".log", ".syslog", ".txt");
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
     * @throws ConfigException with what is wrong with it
     * @throws java.io.UncheckedIOException if a recording cannot be read to its end
     */
    public static EventSource open(Path home, String name, Settings settings, Consumer<String> status) {
        Origin origin = origin(name, settings);
        List<String> names = recordings(name);
        if (!names.isEmpty()) {
            return Recording.open(
                    names.stream().map(file -> existing(file, origin)).toList(),
                    file -> EventFile.of(home, file, settings).reader(),
                    settings.value(Property.CACHE),
                    status,
                    settings.value(Property.AMPLIFY));
        }
        String lower = name.toLowerCase(Locale.ROOT);
        requireUnamplified(settings);
        Path file = lower.endsWith(NamedFile.ENDING) ? existing(name, origin) : named(home, name, origin);
        DatasetSpec spec = DatasetSpec.read(file);
        boolean seeded = settings.given(Property.SEED).isPresent();
        return new EventGenerator(seeded ? spec.withSeed(settings.value(Property.SEED)) : spec);
    }

    /** The data sets in datasets/ with their descriptions, or with the reason why one cannot be read; by name. */
    public static Map<String, String> descriptions(Path home) {
        Map<String, String> descriptions = new TreeMap<>();
        for (String name : NamedFile.files(home, DIRECTORY, 1).keySet()) {
            descriptions.put(name, description(file(home, name)));
        }
        return descriptions;
    }

    /** The data set of the settings; the default one unless they name one. */
    public static String chosen(Settings settings) {
        return settings.find(Property.DATASET).orElse(STANDARD);
    }

    /** The recordings named here, separated by commas; none if it is something else. */
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
                                    + " (remove it)");
                });
    }

    private static Path named(Path home, String name, Origin origin) {
        List<String> known = List.copyOf(NamedFile.files(home, DIRECTORY, 1).keySet());
        if (!known.contains(name)) {
            throw new ConfigException(
                    origin,
                    "data set '" + name + "' is unknown (" + Choices.suggestion(name, known) + "known: "
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
                            + Choices.suggestion(String.valueOf(file.getFileName()), siblings) + "looked in "
                            + Path.of("").toAbsolutePath() + ")");
        }
        RegularFile.refusal(file).ifPresent(reason -> {
            throw new ConfigException(origin, file + " " + reason);
        });
        return file;
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
            return DatasetSpec.read(file).description();
        } catch (ConfigException wrong) {
            return "(" + wrong.problems().get(0) + ")";
        }
    }
}
