package siemload.scenario.replay;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import siemload.query.Statement;

/**
 * What a query recording says of itself before its executions. Immutable.
 *
 * @param file it lies in
 * @param startedAt when the first statement began, by the clock of the server that logged it
 * @param executions how many there are, 1 or more
 * @param sessions how many sessions asked them, 1 or more
 * @param openAtOnce how many of these had begun and not ended at a time, at most; 1 or more
 * @param micros from the begin of the first execution to the end of the last one
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
    /** More different statements than this no report could show. */
    public static final int MOST_QUERIES = 1_000;

    static final String FORMAT = "siemload query recording";
    static final int VERSION = 2;

    public QueryRecording {
        queries = List.copyOf(queries);
    }

    /**
     * One execution of a statement of a query recording. Immutable.
     *
     * @param offsetMicros when it began, from the begin of the first one; 0 or more
     * @param session which session asked it, from 0
     * @param query which of the recording's statements, from 0
     * @param tookMicros how long the server worked on it then
     * @param values of its parameters, in the order of the statement's
     */
    public record RecordedExecution(long offsetMicros, int session, int query, long tookMicros, List<String> values) {
        public RecordedExecution {
            values = List.copyOf(values);
        }
    }

    /**
     * One of the different statements of a query recording. Immutable.
     *
     * @param example the values of one of its executions, in the order of its parameters
     */
    public record RecordedQuery(Statement statement, List<String> example) {
        public RecordedQuery {
            example = List.copyOf(example);
            if (example.size() != statement.text().parameters().size()) {
                throw new IllegalArgumentException(statement.name() + " has an example of " + example.size()
                        + " values for " + statement.text().parameters().size() + " parameters");
            }
        }

        /** The same by the names of the parameters. */
        public Map<String, String> exampleByName() {
            List<String> parameters = statement.text().parameters();
            return IntStream.range(0, parameters.size())
                    .boxed()
                    .collect(Collectors.toMap(parameters::get, example::get));
        }
    }

    /**
     * Writes a query recording: lines of JSON in UTF-8, packed by gzip. The first line tells what there is, then comes a line for each
     * statement, and then one for each execution, in the order in which they began: {@code [offset, session, statement, took, "value", ...]}.
     * Not thread-safe.
     */
    public static final class Writer implements Closeable {
        private static final ObjectMapper MAPPER = new ObjectMapper();

        private final QueryRecording recording;
        private final JsonGenerator json;
        private long written;
        private long lastOffset;

        /** Begins the file that the recording names, in the place of one that exists. */
        public Writer(QueryRecording recording) throws IOException {
            this.recording = recording;
            OutputStream file = new BufferedOutputStream(Files.newOutputStream(recording.file()));
            this.json = MAPPER.createGenerator(new GZIPOutputStream(file, 1 << 16));
            json.setPrettyPrinter(new MinimalPrettyPrinter("\n"));
            json.writeTree(MAPPER.createObjectNode()
                    .put("format", FORMAT)
                    .put("version", VERSION)
                    .put("startedAt", recording.startedAt().toString())
                    .put("executions", recording.executions())
                    .put("sessions", recording.sessions())
                    .put("openAtOnce", recording.openAtOnce())
                    .put("micros", recording.micros())
                    .put("statements", recording.queries().size()));
            for (RecordedQuery query : recording.queries()) {
                ObjectNode line = MAPPER.createObjectNode()
                        .put("name", query.statement().name().name())
                        .put("sql", query.statement().text().written());
                query.example().forEach(line.putArray("example")::add);
                if (query.statement().writes()) {
                    line.put("writes", true);
                }
                json.writeTree(line);
            }
        }

        /**
         * Adds an execution.
         *
         * @throws IllegalArgumentException if it began before the one that was added last
         */
        public void add(RecordedExecution execution) {
            if (execution.offsetMicros() < lastOffset) {
                throw new IllegalArgumentException("executions are written in the order in which they began");
            }
            lastOffset = execution.offsetMicros();
            written++;
            try {
                json.writeStartArray();
                json.writeNumber(execution.offsetMicros());
                json.writeNumber(execution.session());
                json.writeNumber(execution.query());
                json.writeNumber(execution.tookMicros());
                for (String value : execution.values()) {
                    json.writeString(value);
                }
                json.writeEndArray();
            } catch (IOException unwritable) {
                throw new UncheckedIOException(unwritable);
            }
        }

        /** @throws IllegalStateException if there are not as many executions as the recording says */
        @Override
        public void close() throws IOException {
            json.writeRaw('\n');
            json.close();
            if (written != recording.executions()) {
                throw new IllegalStateException(
                        written + " executions were written of " + recording.executions() + " in " + recording.file());
            }
        }
    }
}
