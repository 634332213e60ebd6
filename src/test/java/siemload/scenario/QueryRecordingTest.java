package siemload.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.query.StatementText;
import siemload.scenario.QueryRecording.RecordedExecution;
import siemload.scenario.QueryRecording.RecordedQuery;

class QueryRecordingTest {
    private static final RecordedExecution FIRST =
            new RecordedExecution(0, 0, 0, 1_250, List.of("it's \"x\"\n\u2028", ""));
    private static final RecordedExecution SECOND = new RecordedExecution(1, 1, 1, 0, List.of());
    private static final RecordedExecution THIRD = new RecordedExecution(7_000_000_000L, 0, 0, 3, List.of("č", "2"));
    private static final List<RecordedExecution> ALL = List.of(FIRST, SECOND, THIRD);

    @TempDir
    private Path directory;

    private static RecordedQuery query(String name, String sql, String... example) {
        return query(Statement.Effect.READS, name, sql, example);
    }

    private static RecordedQuery query(Statement.Effect effect, String name, String sql, String... example) {
        StatementText text = StatementText.parse(sql);
        return new RecordedQuery(new Statement(new SearchName(name), text, effect), List.of(example));
    }

    private QueryRecording recording(long executions) {
        return new QueryRecording(
                directory.resolve("day.jsonl.gz"),
                Instant.parse("2026-11-24T18:31:22.436005Z"),
                executions,
                2,
                2,
                7_000_000_003L,
                List.of(
                        query("a_1", "SELECT ':x', b::text FROM a WHERE c = :p1 AND d = :p2", "1", "2"),
                        query("b_1", "SELECT 1")));
    }

    private QueryRecording written() throws IOException {
        QueryRecording recording = recording(ALL.size());
        try (QueryRecording.Writer writer = new QueryRecording.Writer(recording)) {
            for (RecordedExecution execution : ALL) {
                writer.add(execution);
            }
        }
        return recording;
    }

    private List<String> lines() throws IOException {
        try (GZIPInputStream in =
                new GZIPInputStream(Files.newInputStream(written().file()))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    private static List<RecordedExecution> read(Path file) throws IOException {
        List<RecordedExecution> found = new ArrayList<>();
        try (QueryRecording.Reader reader = new QueryRecording.Reader(file)) {
            for (Optional<RecordedExecution> next = reader.next(); next.isPresent(); next = reader.next()) {
                found.add(next.get());
            }
        }
        return found;
    }

    @Test
    void whatIsWrittenIsReadAgain() throws IOException {
        QueryRecording recording = written();

        assertThat(QueryRecording.of(recording.file())).isEqualTo(recording);
        assertThat(read(recording.file())).isEqualTo(ALL);
    }

    @Test
    void theFileIsLinesOfJsonThatMayBeUnpacked() throws IOException {
        List<String> lines = lines();

        assertThat(lines.get(0))
                .isEqualTo("{\"format\":\"siemload query recording\",\"version\":2,"
                        + "\"startedAt\":\"2026-11-24T18:31:22.436005Z\",\"executions\":3,\"sessions\":2,\"openAtOnce\":2,"
                        + "\"micros\":7000000003,\"statements\":2}");
        assertThat(lines.get(2)).isEqualTo("{\"name\":\"b_1\",\"sql\":\"SELECT 1\",\"example\":[]}");
        assertThat(lines.get(4)).isEqualTo("[1,1,1,0]");
        assertThat(read(Files.write(directory.resolve("plain.jsonl"), lines))).isEqualTo(ALL);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "1|{\"format\":\"other\"}|not a query recording as learn-queries --replay writes it",
                "1|{\"format\":\"siemload query recording\",\"version\":1}|version 1 of a query recording (supported: 2)",
                "1|nothing|the line is not JSON",
                "2|{\"name\":\"7\"}|'7'",
                "2|{\"name\":\"a\",\"sql\":\"SELECT 'x\"}|the quote or comment that begins here with ' does not end",
                "2|{\"name\":\"a\",\"sql\":\"SELECT :x\",\"example\":[]}|needs 1 texts as values",
                "2|{\"name\":\"a\",\"sql\":\"SELECT 1\",\"example\":[],\"writes\":1}|writes is neither true nor false",
                "4|{}|not an execution",
                "4|[0,0,0,1,\"1\"]|needs 2 texts as values, one for each parameter of the statement",
                "4|[0,2,0,1,\"1\",\"2\"]|the session is not a whole number from 0 to 1",
                "6|[0,1,1,0]|the offset is not a whole number from 1",
            })
    void anythingElseIsRefusedWithItsLine(int line, String text, String why) throws IOException {
        List<String> lines = new ArrayList<>(lines());
        lines.set(line - 1, text);
        Path file = Files.write(directory.resolve("broken.jsonl"), lines);

        assertThatIOException()
                .isThrownBy(() -> read(file))
                .withMessageContaining(file + ":" + line + ": ")
                .withMessageContaining(why);
    }

    @Test
    void aFileThatEndsEarlyIsRefusedWhereItEnds() throws IOException {
        Path shorter = Files.write(directory.resolve("short.jsonl"), lines().subList(0, 5));
        byte[] packed = Files.readAllBytes(written().file());
        Path cut = Files.write(directory.resolve("cut.gz"), Arrays.copyOf(packed, packed.length - 20));

        assertThatIOException()
                .isThrownBy(() -> read(shorter))
                .withMessage(shorter + ":6: the file ends after 2 of 3 executions");
        assertThatIOException().isThrownBy(() -> read(cut)).withMessageContaining("ends early");
    }
}
