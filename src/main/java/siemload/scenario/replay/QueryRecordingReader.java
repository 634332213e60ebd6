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

/**
 * Reads a query recording, plain or gzip, one execution after the other, in memory that does not grow with it. Whatever is not as {@link
 * QueryRecordingWriter} writes it ends the reading by an {@link IOException} that names file and line. Not thread-safe.
 */
public final class QueryRecordingReader implements Closeable {
    /** The values of one execution stood in one record of a log, which has at most 16 MiB. */
    private static final int LONGEST_LINE = 100 << 20;

    private static final ObjectMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxStringLength(LONGEST_LINE)
                            .build())
                    .build())
            .build();
    private static final int BEFORE_VALUES = 5;

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
            return reader.recording();
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
            if (read != recording.executions()) {
                throw broken("it ends after " + read + " of " + recording.executions() + " executions");
            }
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
        if (!head.path("format").asText().equals(QueryRecording.FORMAT)) {
            throw broken("no query recording, as learn-queries --replay writes it");
        }
        if (head.path("version").asInt() != QueryRecording.VERSION) {
            throw broken("version " + head.path("version").asText() + " of a query recording (known here: "
                    + QueryRecording.VERSION + ")");
        }
        Instant startedAt;
        try {
            startedAt = Instant.parse(head.path("startedAt").asText());
        } catch (DateTimeException none) {
            throw broken("startedAt is no instant");
        }
        long executions = wholeOf(head, "executions", 1, Long.MAX_VALUE);
        int sessions = (int) wholeOf(head, "sessions", 1, Integer.MAX_VALUE);
        int openAtOnce = (int) wholeOf(head, "openAtOnce", 1, sessions);
        long micros = wholeOf(head, "micros", 0, Long.MAX_VALUE / 1_000_000);
        long count = wholeOf(head, "statements", 1, QueryRecording.MOST_QUERIES);
        List<RecordedQuery> queries = new ArrayList<>();
        Set<SearchName> names = new HashSet<>();
        for (long i = 0; i < count; i++) {
            RecordedQuery query = query(line().orElseThrow(() -> broken("it ends before its statements do")));
            if (!names.add(query.statement().name())) {
                throw broken(
                        "a second statement with the name " + query.statement().name());
            }
            queries.add(query);
        }
        return new QueryRecording(file, startedAt, executions, sessions, openAtOnce, micros, queries);
    }

    private long wholeOf(JsonNode object, String key, long min, long max) throws IOException {
        return whole(object.path(key), key, min, max);
    }

    private long whole(JsonNode value, String what, long min, long max) throws IOException {
        if (!value.isIntegralNumber() || !value.canConvertToLong() || value.asLong() < min || value.asLong() > max) {
            throw broken(what + " is no whole number from " + min + " to " + max);
        }
        return value.asLong();
    }

    private RecordedQuery query(JsonNode line) throws IOException {
        String name = line.path("name").asText();
        Optional<String> refusal = SearchName.refusal(name);
        if (refusal.isPresent()) {
            throw broken(refusal.get());
        }
        StatementText.Scanned scanned = StatementText.scan(line.path("sql").asText());
        if (scanned.flaw().isPresent()) {
            throw broken("the statement " + name + ": " + scanned.flaw().get().message());
        }
        List<String> example = values(line.path("example"), 0, scanned.statement());
        Statement statement = new Statement(new SearchName(name), scanned.statement(), effect(line));
        return new RecordedQuery(statement, example, plans(line.path("plans")));
    }

    private List<RecordedPlan> plans(JsonNode written) throws IOException {
        if (!written.isMissingNode() && (!written.isArray() || written.size() > RecordedPlan.MOST)) {
            throw broken("the plans of the statement are no list of at most " + RecordedPlan.MOST);
        }
        List<RecordedPlan> plans = new ArrayList<>();
        for (JsonNode plan : written) {
            if (!plan.path("shape").isTextual()) {
                throw broken("a plan without a shape");
            }
            plans.add(new RecordedPlan(plan.path("shape").textValue(), wholeOf(plan, "count", 1, Long.MAX_VALUE)));
        }
        return plans;
    }

    private Statement.Effect effect(JsonNode query) throws IOException {
        JsonNode writes = query.path("writes");
        if (!writes.isMissingNode() && !writes.isBoolean()) {
            throw broken("whether the statement writes is neither true nor false");
        }
        return writes.asBoolean() ? Statement.Effect.WRITES : Statement.Effect.READS;
    }

    private RecordedExecution execution(JsonNode line) throws IOException {
        if (!line.isArray() || line.size() < BEFORE_VALUES) {
            throw broken("no execution: [offset, session, statement, took, last, values]");
        }
        long offset = whole(line.get(0), "the offset", lastOffset, recording.micros());
        int session = (int) whole(line.get(1), "the session", 0, recording.sessions() - 1L);
        int query =
                (int) whole(line.get(2), "the statement", 0, recording.queries().size() - 1L);
        long took = whole(line.get(3), "the time it took", 0, Long.MAX_VALUE / 1_000_000);
        if (!line.get(4).isBoolean()) {
            throw broken("whether it is the last of its session is neither true nor false");
        }
        lastOffset = offset;
        return new RecordedExecution(
                offset,
                session,
                query,
                took,
                line.get(4).booleanValue(),
                values(
                        line,
                        BEFORE_VALUES,
                        recording.queries().get(query).statement().text()));
    }

    private List<String> values(JsonNode array, int from, StatementText text) throws IOException {
        int expected = text.parameters().size();
        if (!array.isArray() || array.size() != from + expected) {
            throw broken("not " + expected + " values, as the statement has parameters");
        }
        List<String> values = new ArrayList<>(expected);
        for (int i = from; i < array.size(); i++) {
            if (!array.get(i).isTextual()) {
                throw broken("a value that is no text");
            }
            values.add(array.get(i).textValue());
        }
        return values;
    }

    private Optional<JsonNode> line() throws IOException {
        number++;
        try {
            if (!lines.next()) {
                return Optional.empty();
            }
        } catch (EOFException | ZipException damaged) {
            throw broken("the gzip data is damaged, or ends early here");
        }
        if (lines.isTooLong()) {
            throw broken("the line is longer than 100 MiB");
        }
        try {
            return Optional.of(JSON.readTree(lines.text()));
        } catch (JsonProcessingException none) {
            throw broken("the line is no JSON, or ends early");
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
