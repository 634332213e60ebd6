package siemload.run.learn;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.scenario.QueryRecording;
import siemload.scenario.QueryRecording.RecordedExecution;

class LearntReplayTest {
    @TempDir
    private Path directory;

    private final StringBuilder log = new StringBuilder();
    private String program = "till";

    /** @param millis when it ended, from noon on */
    private void logged(String session, int millis, double took, String text, String detail) {
        log.append(String.format(
                Locale.ROOT,
                "2024-03-01 12:00:%02d.%03d UTC,\"ann\",\"shop\",77,\"127.0.0.1:5\",%s,1,\"SELECT\","
                        + "2024-03-01 11:00:00 UTC,3/0,0,LOG,00000,\"duration: %.3f ms  %s\",\"%s\",,,,,,,,\"%s\"%n",
                millis / 1_000,
                millis % 1_000,
                session,
                took,
                text,
                detail,
                program));
    }

    private QueryRecording recorded() throws IOException {
        return recorded(false);
    }

    private QueryRecording recorded(boolean writes) throws IOException {
        write(new QueryLearner.Taken(Optional.empty(), Optional.empty(), List.of(), writes));
        return QueryRecording.of(new LearntScenario(directory.resolve("again.yaml"), true).beside());
    }

    private LearntQueries write(QueryLearner.Taken taken) throws IOException {
        Path csv = Files.writeString(directory.resolve("day.csv"), log.toString());
        return new LearntScenario(directory.resolve("again.yaml"), true).write(List.of(csv), taken, 1, file -> {});
    }

    private List<RecordedExecution> executions(QueryRecording recording) throws IOException {
        List<RecordedExecution> all = new ArrayList<>();
        try (QueryRecording.Reader reader = new QueryRecording.Reader(recording.file())) {
            for (Optional<RecordedExecution> next = reader.next(); next.isPresent(); next = reader.next()) {
                all.add(next.get());
            }
        }
        return all;
    }

    /** The second session's statement begins first and ends last; the first one's come from 100 ms on. */
    @Test
    void executionsComeInTheOrderInWhichTheyBeganWithTheirSessions() throws IOException {
        logged("1.a", 200, 100, "execute <unnamed>: SELECT a FROM t WHERE b = $1", "Parameters: $1 = 'x'");
        logged("1.a", 260, 10, "execute S_1: SELECT a FROM t WHERE b = $1", "Parameters: $1 = 'y'");
        logged("2.b", 300, 250, "execute <unnamed>: SELECT a FROM t WHERE b = $1", "Parameters: $1 = 'z'");
        logged("1.a", 400, 0.5, "statement: SELECT count(*) FROM t", "");

        QueryRecording recording = recorded();

        assertThat(recording.startedAt()).isEqualTo(Instant.parse("2024-03-01T12:00:00.050Z"));
        assertThat(recording.executions()).isEqualTo(4);
        assertThat(recording.sessions()).isEqualTo(2);
        assertThat(recording.openAtOnce()).isEqualTo(2);
        assertThat(recording.micros()).isEqualTo(350_000);
        assertThat(executions(recording))
                .containsExactly(
                        new RecordedExecution(0, 0, 0, 250_000, List.of("z")),
                        new RecordedExecution(50_000, 1, 0, 100_000, List.of("x")),
                        new RecordedExecution(200_000, 1, 0, 10_000, List.of("y")),
                        new RecordedExecution(349_500, 1, 1, 500, List.of()));
        assertThat(Files.readString(directory.resolve("again.yaml")))
                .contains("replay:\n  recording: \"again-recording.jsonl.gz\"\n", "  speed: 1\n");
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("day.csv", "again.yaml", "again-recording.jsonl.gz");
        }
    }

    @Test
    void whatWritesIsRecordedAndMarkedWhereItIsWanted() throws IOException {
        logged("1.a", 100, 1, "statement: SELECT a FROM t", "");
        logged("1.a", 110, 5, "execute <unnamed>: INSERT INTO t VALUES ($1)", "Parameters: $1 = 'x'");

        QueryRecording recording = recorded(true);

        assertThat(recording.queries())
                .extracting(query -> query.statement().writes())
                .containsExactly(false, true);
        assertThat(executions(recording))
                .extracting(RecordedExecution::values)
                .containsExactly(List.of(), List.of("x"));
        assertThat(Files.readString(directory.resolve("again.yaml"))).contains(" --data existing --allowWrites --url ");
    }
}
