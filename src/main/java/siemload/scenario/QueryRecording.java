package siemload.scenario;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;
import siemload.config.ValueType;
import siemload.event.ByteLines;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.query.StatementText;

/**
 * The header of a query recording. The file has lines of JSON in UTF-8, gzipped or plain: the header, then a line for each statement, and
 * then a line for each execution, in the order of their start: {@code [offset, session, statement, took, "value", ...]}. Immutable.
 *
 * @param startedAt when the first statement began, by the clock of the logging server
 * @param executions how many executions there are, 1 or more
 * @param sessions how many sessions the executions belong to, 1 or more
 * @param openAtOnce the largest number of sessions that were open at once, 1 or more
 * @param micros from the start of the first execution to the end of the last one
 * @param queries the different statements, at least one
 */
public record QueryRecording(
        Path file,
        Instant startedAt,
        long executions,
        int sessions,
        int openAtOnce,
        long micros,
        List<RecordedQuery> queries) {
    /** The most different statements that a report can show. */
    private static final int MOST_QUERIES = 1_000;

    private static final String FORMAT = "siemload query recording";
    private static final int VERSION = 2;
    private static final long MOST_MICROS = Long.MAX_VALUE / 1_000_000;
    private static final int BEFORE_VALUES = 4;
    /** The most bytes of a line: its values come from one log record, which has at most 16 MiB, but JSON escapes characters. */
    private static final int LONGEST_LINE = 100 << 20;

    private static final ObjectMapper JSON = new ObjectMapper().disable(SerializationFeature.FLUSH_AFTER_WRITE_VALUE);

    public QueryRecording {
        queries = List.copyOf(queries);
    }

    /** Returns the names of the recorded statements, in their order. */
    List<SearchName> names() {
        return queries.stream().map(query -> query.statement.name()).toList();
    }

    /** Reads the header of a file. @throws IOException as {@link Reader} does */
    public static QueryRecording of(Path file) throws IOException {
        try (Reader reader = new Reader(file)) {
            return reader.recording();
        }
    }

    /**
     * One execution of a statement of a query recording. Immutable.
     *
     * @param offsetMicros when the execution began, from the start of the first execution; 0 or more
     * @param session the number of the session, from 0
     * @param query the index of its statement in the recording, from 0
     * @param tookMicros how long the server worked on the execution when it was recorded
     * @param values of its parameters, in order
     */
    public record RecordedExecution(long offsetMicros, int session, int query, long tookMicros, List<String> values) {
        public RecordedExecution {
            values = List.copyOf(values);
        }
    }

    /** One of the different statements, with the values of one of its executions in the order of its parameters. Immutable. */
    public record RecordedQuery(Statement statement, List<String> example) {
        public RecordedQuery {
            example = List.copyOf(example);
        }

        /** Returns the values of an execution by the names of the parameters. */
        public Map<String, String> byName(List<String> values) {
            List<String> parameters = statement.text().parameters();
            return IntStream.range(0, parameters.size())
                    .boxed()
                    .collect(Collectors.toMap(parameters::get, values::get));
        }
    }

    /** Writes a query recording. Not thread-safe. */
    public static final class Writer implements Closeable {
        private final JsonGenerator json;

        /** Begins the recording's file, and replaces an existing file. */
        public Writer(QueryRecording recording) throws IOException {
            OutputStream file = new BufferedOutputStream(Files.newOutputStream(recording.file()));
            this.json = JSON.createGenerator(new GZIPOutputStream(file, 1 << 16));
            json.setPrettyPrinter(new MinimalPrettyPrinter("\n"));
            json.writeTree(JSON.createObjectNode()
                    .put("format", FORMAT)
                    .put("version", VERSION)
                    .put("startedAt", recording.startedAt().toString())
                    .put("executions", recording.executions())
                    .put("sessions", recording.sessions())
                    .put("openAtOnce", recording.openAtOnce())
                    .put("micros", recording.micros())
                    .put("statements", recording.queries().size()));
            for (RecordedQuery query : recording.queries()) {
                ObjectNode line = JSON.createObjectNode()
                        .put("name", query.statement().name().name())
                        .put("sql", query.statement().text().written());
                query.example().forEach(line.putArray("example")::add);
                if (query.statement().writes()) {
                    line.put("writes", true);
                }
                json.writeTree(line);
            }
        }

        /** Adds an execution, which must not have begun before the execution that was added last. */
        public void add(RecordedExecution execution) {
            List<Object> line = new ArrayList<>(
                    List.of(execution.offsetMicros(), execution.session(), execution.query(), execution.tookMicros()));
            line.addAll(execution.values());
            try {
                json.writePOJO(line);
            } catch (IOException unwritable) {
                throw new UncheckedIOException(unwritable);
            }
        }

        @Override
        public void close() throws IOException {
            json.writeRaw('\n');
            json.close();
        }
    }

    /**
     * Reads a query recording, one execution after the other, in bounded memory. Anything that {@link Writer} does not write ends the
     * reading with an {@link IOException} that names file and line. Not thread-safe.
     */
    public static final class Reader implements Closeable {
        private final Path file;
        private final ByteLines lines;
        private final QueryRecording recording;
        private long number;
        private long read;
        private long lastOffset;

        /** Opens a file and reads its header. */
        public Reader(Path file) throws IOException {
            this.file = file;
            this.lines = ByteLines.open(file, LONGEST_LINE);
            try {
                this.recording = head();
            } catch (IOException | IllegalArgumentException wrong) {
                lines.close();
                throw wrong instanceof IOException broken ? broken : broken(String.valueOf(wrong.getMessage()));
            }
        }

        /** Returns the header of the file. */
        public QueryRecording recording() {
            return recording;
        }

        /** Reads the next execution; returns empty after the last one. */
        public Optional<RecordedExecution> next() throws IOException {
            Optional<JsonNode> line = line();
            long all = recording.executions;
            if (line.isEmpty()) {
                require(read == all, "the file ends after " + read + " of " + all + " executions");
                return Optional.empty();
            }
            require(++read <= all, "more executions than the " + all + " of the first line");
            JsonNode execution = line.get();
            require(execution.isArray(), "not an execution (needed: [offset, session, statement, took, values])");
            lastOffset = whole(execution.path(0), lastOffset, recording.micros, "the offset");
            int session = (int) whole(execution.path(1), 0, recording.sessions - 1L, "the session");
            int query = (int) whole(execution.path(2), 0, recording.queries.size() - 1L, "the statement");
            long took = whole(execution.path(3), 0, MOST_MICROS, "the duration");
            StatementText text = recording.queries.get(query).statement().text();
            List<String> values = values(execution, BEFORE_VALUES, text);
            return Optional.of(new RecordedExecution(lastOffset, session, query, took, values));
        }

        private QueryRecording head() throws IOException {
            JsonNode head = line().orElseThrow(() -> broken("the file is empty"));
            boolean isRecording = head.path("format").asText().equals(FORMAT);
            require(isRecording, "not a query recording as learn-queries --replay writes it");
            String version = head.path("version").asText();
            String other = "version " + version + " of a query recording (supported: " + VERSION + ")";
            require(version.equals(String.valueOf(VERSION)), other);
            Instant startedAt = ValueType.instant().parse(head.path("startedAt").asText());
            long executions = whole(head.path("executions"), 1, Long.MAX_VALUE, "executions");
            int sessions = (int) whole(head.path("sessions"), 1, Integer.MAX_VALUE, "sessions");
            int openAtOnce = (int) whole(head.path("openAtOnce"), 1, sessions, "openAtOnce");
            long micros = whole(head.path("micros"), 0, MOST_MICROS, "micros");
            long statements = whole(head.path("statements"), 1, MOST_QUERIES, "statements");
            List<RecordedQuery> queries = new ArrayList<>();
            Set<SearchName> names = new HashSet<>();
            while (queries.size() < statements) {
                RecordedQuery query = query(line().orElseThrow(() -> broken("the file has too few statements")));
                SearchName name = query.statement().name();
                require(names.add(name), "a second statement with the name " + name);
                queries.add(query);
            }
            return new QueryRecording(file, startedAt, executions, sessions, openAtOnce, micros, queries);
        }

        private RecordedQuery query(JsonNode line) throws IOException {
            JsonNode writes = line.path("writes");
            require(writes.isMissingNode() || writes.isBoolean(), "writes is neither true nor false");
            Statement.Effect effect = writes.asBoolean() ? Statement.Effect.WRITES : Statement.Effect.READS;
            SearchName name = new SearchName(line.path("name").asText());
            StatementText text = StatementText.parse(line.path("sql").asText());
            return new RecordedQuery(new Statement(name, text, effect), values(line.path("example"), 0, text));
        }

        private long whole(JsonNode value, long min, long max, String what) throws IOException {
            boolean isWhole = value.isIntegralNumber() && value.canConvertToLong();
            if (!isWhole || value.asLong() < min || value.asLong() > max) {
                throw broken(what + " is not a whole number from " + min + " to " + max);
            }
            return value.asLong();
        }

        private List<String> values(JsonNode array, int from, StatementText text) throws IOException {
            List<String> values = new ArrayList<>();
            for (int i = from; i < array.size() && array.get(i).isTextual(); i++) {
                values.add(array.get(i).textValue());
            }
            int expected = text.parameters().size();
            boolean isFull = array.isArray() && array.size() == from + expected && values.size() == expected;
            require(isFull, "needs " + expected + " texts as values, one for each parameter of the statement");
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
                throw broken("the line is not JSON, or ends early");
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
}
