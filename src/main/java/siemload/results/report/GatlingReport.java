package siemload.results.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import siemload.results.ResultLines;
import siemload.results.RunFile;

/**
 * Finds the report that Gatling wrote of the same run. Nothing names it, but the name of its directory holds the instant
 * at which Gatling started: after the run began, and before its measured phase did. Stateless.
 */
final class GatlingReport {
    private static final Pattern STARTED = Pattern.compile(".*-(\\d{17})");
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("uuuuMMddHHmmssSSS", Locale.ROOT);
    private static final String LOG_START = "#[StartTime: ";

    private GatlingReport() {}

    /**
     * The report's first page, as a link from a file of the run's directory; empty where none or several might be meant.
     *
     * @param directory the run's
     * @param startedAt when the run began
     */
    static Optional<String> find(Path directory, Instant startedAt) {
        try {
            Optional<Instant> measuredFrom = measuredFrom(RunFile.RESPONSE_TIME.in(directory));
            if (measuredFrom.isEmpty()) {
                return Optional.empty();
            }
            List<String> found = new ArrayList<>();
            for (String place : List.of("../gatling", "../../gatling")) {
                for (String name : reports(directory.resolve(place).normalize())) {
                    if (isBetween(name, startedAt, measuredFrom.get())) {
                        found.add(place + "/" + name + "/index.html");
                    }
                }
            }
            return found.size() == 1 ? Optional.of(found.get(0)) : Optional.empty();
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    /** Gatling writes its log during the run and the page after it. */
    private static List<String> reports(Path place) throws IOException {
        if (!Files.isDirectory(place)) {
            return List.of();
        }
        try (Stream<Path> reports = Files.list(place)) {
            return reports.filter(report -> Files.exists(report.resolve("index.html"))
                            || Files.exists(report.resolve("simulation.log")))
                    .map(report -> String.valueOf(report.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    private static boolean isBetween(String name, Instant from, Instant until) {
        Matcher stamp = STARTED.matcher(name);
        if (!stamp.matches()) {
            return false;
        }
        try {
            Instant started = LocalDateTime.parse(stamp.group(1), STAMP).toInstant(ZoneOffset.UTC);
            return !started.isBefore(from) && !started.isAfter(until);
        } catch (DateTimeException noInstant) {
            return false;
        }
    }

    private static Optional<Instant> measuredFrom(Path log) throws IOException {
        if (!Files.exists(log)) {
            return Optional.empty();
        }
        try (ResultLines lines = ResultLines.open(log, String.valueOf(log.getFileName()))) {
            for (String line = lines.next().orElse("");
                    line.startsWith("#");
                    line = lines.next().orElse("")) {
                if (line.startsWith(LOG_START)) {
                    double seconds = Double.parseDouble(
                            line.substring(LOG_START.length(), line.indexOf(' ', LOG_START.length())));
                    return Optional.of(Instant.ofEpochMilli(Math.round(seconds * 1000)));
                }
            }
            return Optional.empty();
        } catch (NumberFormatException | IndexOutOfBoundsException unclear) {
            return Optional.empty();
        }
    }
}
