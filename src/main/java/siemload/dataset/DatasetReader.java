package siemload.dataset;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import siemload.config.ConfigException;
import siemload.config.Problems;
import siemload.config.YamlDocument;
import siemload.config.YamlNode;

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
}
