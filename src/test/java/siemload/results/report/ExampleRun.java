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
}
