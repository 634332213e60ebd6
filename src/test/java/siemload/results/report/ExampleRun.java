package siemload.results.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files of a real run of half a minute on a small machine, beside made-up ones of host, disks and the database's own
 * counters.
 */
public final class ExampleRun {
    private static final Path RUNS = Path.of("src/test/resources/runs");

    /** Of a log of times: its heading and what was logged in the first six of thirty seconds. */
    private static final int LINES_OF_SIX_SECONDS = 100;

    private ExampleRun() {}

    /** Copies it into a results directory and answers its own directory there. */
    public static Path copyTo(Path results) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(RUNS)) {
            files = all.filter(Files::isRegularFile).toList();
        }
        for (Path file : files) {
            Path copy = results.resolve(RUNS.relativize(file));
            Files.createDirectories(copy.getParent());
            Files.copy(file, copy);
        }
        return results.resolve("busy");
    }

    /** The same with short logs of times, for tests that are about something else: reading the whole ones takes a second. */
    public static Path copyWithShortLogsTo(Path results) throws IOException {
        Path run = copyTo(results);
        List<Path> logs;
        try (Stream<Path> files = Files.list(run)) {
            logs = files.filter(file -> file.toString().endsWith(".hlog")).toList();
        }
        for (Path log : logs) {
            List<String> lines = Files.readAllLines(log);
            Files.write(log, lines.subList(0, LINES_OF_SIX_SECONDS));
        }
        return run;
    }
}
