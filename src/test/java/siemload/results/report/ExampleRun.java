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

    /** Lets the database of a copy tell its memory, as Oracle would: of every second from the warm-up on, rising by 10 MB a second. */
    static void tellMemory(Path run) throws IOException {
        Path result = run.resolve("run.json");
        Files.writeString(result, Files.readString(result).replace("\"samples\": 30,", """
                                "memoryBytesMax": {"v$sga": 3000000000, "v$pgastat.total PGA allocated": 800000000},
                                "samples": 30,"""));
        StringBuilder lines = new StringBuilder("second,name,bytes\n");
        for (int second = -4; second <= 30; second++) {
            lines.append(second).append(".000,v$sga,3000000000\n");
            lines.append(second).append(".000,v$pgastat.total PGA allocated,");
            lines.append(500_000_000 + second * 10_000_000).append('\n');
        }
        Files.writeString(run.resolve("database-memory.csv"), lines.toString());
    }
}
