package siemload.scenario.replay;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.ZipException;
import siemload.event.ByteLines;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.query.StatementText;
import siemload.scenario.replay.QueryRecording.RecordedExecution;
import siemload.scenario.replay.QueryRecording.RecordedQuery;

/**
 * Reads a query recording, plain or gzip, one execution after the other, in memory that does not grow with it. Whatever is not as {@link
 * QueryRecording.Writer} writes it ends the reading by an {@link IOException} that names file and line. Not thread-safe.
 */
public final class QueryRecordingReader implements Closeable {
    /** The values of one execution stood in one record of a log, which has at most 16 MiB. */
    private static final int LONGEST_LINE = 100 << 20;

    private static final ObjectMapper JSON = new JsonMapper(JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(LONGEST_LINE)
                    .build())
            .build());
    private static final long MOST_MICROS = Long.MAX_VALUE / 1_000_000;
    private static final int BEFORE_VALUES = 4;

    private final Path file;
    private final ByteLines lines;
    private final QueryRecording recording;
    private long number;
    private long read;
    private long lastOffset;

    private QueryRecordingReader(Path file, ByteLines lines) throws IOException {
        this.file = file;
        this.lines = lines;
        this.recording = head();
    }

    /** Opens a file and reads what it says of itself. */
    public static QueryRecordingReader open(Path file) throws IOException {
        ByteLines lines = ByteLines.open(file, LONGEST_LINE);
        try {
            return new QueryRecordingReader(file, lines);
        } catch (IOException | RuntimeException unreadable) {
            lines.close();
            throw unreadable;
        }
    }

    /** What a file says of itself. */
    public static QueryRecording headOf(Path file) throws IOException {
        try (QueryRecordingReader reader = open(file)) {
            return reader.recording;
        }
    }

    /** What the file says of itself. */
    public QueryRecording recording() {
        return recording;
    }

    /** The next execution; empty behind the last one. */
    public Optional<RecordedExecution> next() throws IOException {
        Optional<JsonNode> line = line();
        if (line.isEmpty()) {
            require(
                    read == recording.executions(),
                    "it ends after " + read + " of " + recording.executions() + " executions");
            return Optional.empty();
        }
        read++;
        if (read > recording.executions()) {
            throw broken("more executions than the " + recording.executions() + " of the first line");
        }
        return Optional.of(execution(line.get()));
    }

    private QueryRecording head() throws IOException {
        JsonNode head = line().orElseThrow(() -> broken("it is empty"));
        require(
                head.path("format").asText().equals(QueryRecording.FORMAT),
                "no query recording, as learn-queries --replay writes it");
        require(
                head.path("version").asInt() == QueryRecording.VERSION,
                "version " + head.path("version").asText() + " of a query recording (known here: "
                        + QueryRecording.VERSION + ")");
        Instant startedAt;
        try {
            startedAt = Instant.parse(head.path("startedAt").asText());
        } catch (DateTimeException none) {
            throw broken("startedAt is no instant");
        }
        long executions = whole(head.path("executions"), 1, Long.MAX_VALUE, "executions");
        int sessions = (int) whole(head.path("sessions"), 1, Integer.MAX_VALUE, "sessions");
        int openAtOnce = (int) whole(head.path("openAtOnce"), 1, sessions, "openAtOnce");
        long micros = whole(head.path("micros"), 0, MOST_MICROS, "micros");
        List<RecordedQuery> queries = new ArrayList<>();
        Set<SearchName> names = new HashSet<>();
        for (long left = whole(head.path("statements"), 1, QueryRecording.MOST_QUERIES, "statements");
                left > 0;
                left--) {
            RecordedQuery query = query(line().orElseThrow(() -> broken("it ends before its statements do")));
            SearchName name = query.statement().name();
            require(names.add(name), "a second statement with the name " + name);
            queries.add(query);
        }
        return new QueryRecording(file, startedAt, executions, sessions, openAtOnce, micros, queries);
    }

    private RecordedQuery query(JsonNode line) throws IOException {
        String name = line.path("name").asText();
        StatementText.Scanned scanned = StatementText.scan(line.path("sql").asText());
        Optional<String> wrong = SearchName.refusal(name)
                .or(() -> scanned.flaw().map(flaw -> "the statement " + name + ": " + flaw.message()));
        if (wrong.isPresent()) {
            throw broken(wrong.get());
        }
        JsonNode writes = line.path("writes");
        require(writes.isMissingNode() || writes.isBoolean(), "writes is neither true nor false");
        Statement.Effect effect = writes.asBoolean() ? Statement.Effect.WRITES : Statement.Effect.READS;
        return new RecordedQuery(
                new Statement(new SearchName(name), scanned.statement(), effect),
                values(line.path("example"), 0, scanned.statement()));
    }

    private RecordedExecution execution(JsonNode line) throws IOException {
        require(line.isArray(), "no execution: [offset, session, statement, took, values]");
        List<RecordedQuery> queries = recording.queries();
        lastOffset = whole(line.path(0), lastOffset, recording.micros(), "the offset");
        int session = (int) whole(line.path(1), 0, recording.sessions() - 1L, "the session");
        int query = (int) whole(line.path(2), 0, queries.size() - 1L, "the statement");
        long took = whole(line.path(3), 0, MOST_MICROS, "the time it took");
        StatementText text = queries.get(query).statement().text();
        return new RecordedExecution(lastOffset, session, query, took, values(line, BEFORE_VALUES, text));
    }

    private long whole(JsonNode value, long min, long max, String what) throws IOException {
        boolean isWhole = value.isIntegralNumber() && value.canConvertToLong();
        require(
                isWhole && value.asLong() >= min && value.asLong() <= max,
                what + " is no whole number from " + min + " to " + max);
        return value.asLong();
    }

    private List<String> values(JsonNode array, int from, StatementText text) throws IOException {
        List<String> values = new ArrayList<>();
        for (int i = from; i < array.size() && array.get(i).isTextual(); i++) {
            values.add(array.get(i).textValue());
        }
        int expected = text.parameters().size();
        require(
                array.isArray() && array.size() == from + expected && values.size() == expected,
                "not " + expected + " texts as values, as the statement has parameters");
        return values;
    }

    private Optional<JsonNode> line() throws IOException {
        number++;
        try {
            if (!lines.next()) {
                return Optional.empty();
            }
            require(!lines.isTooLong(), "the line is longer than 100 MiB");
            return Optional.of(JSON.readTree(lines.text()));
        } catch (EOFException | ZipException damaged) {
            throw broken("the gzip data is damaged, or ends early here");
        } catch (JsonProcessingException none) {
            throw broken("the line is no JSON, or ends early");
        }
    }

    private void require(boolean isGood, String why) throws IOException {
        if (!isGood) {
            throw broken(why);
        }
    }

    private IOException broken(String why) {
        return new IOException(file + ":" + number + ": " + why);
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
