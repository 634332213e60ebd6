package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import siemload.results.RunResult;

/** What the latest run of a {@link ChildProcess} in this directory has left behind. Stateless. */
public final class LatestRun {
    private LatestRun() {}

    static RunResult result(Path directory) throws IOException {
        return RunResult.read(file(directory));
    }

    /** The same as others read it. */
    public static JsonNode json(Path directory) throws IOException {
        return new ObjectMapper().readTree(file(directory).toFile());
    }

    /** How many rows its searches had, none of which failed. */
    public static long rows(Path directory) throws IOException {
        long rows = 0;
        for (JsonNode search : json(directory).at("/searches")) {
            assertThat(search.at("/ko").asLong()).as(search.toString()).isZero();
            rows += search.at("/rows").asLong();
        }
        return rows;
    }

    /** The only one of the experiments, gates or capacities that lie there. */
    static Path only(Path directory, String kind) throws IOException {
        try (Stream<Path> all = Files.list(directory.resolve("results").resolve(kind))) {
            List<Path> found = all.toList();
            assertThat(found).hasSize(1);
            return found.get(0);
        }
    }

    private static Path file(Path directory) {
        return directory.resolve("results/latest/run.json");
    }
}
