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
import java.util.zip.GZIPOutputStream;

/**
 * Writes a query recording: lines of JSON in UTF-8, packed by gzip. The first line tells what there is, then comes a line for each
 * statement, and then one for each execution, in the order in which they began: {@code [offset, session, statement, took, "value", ...]}.
 * Not thread-safe.
 */
public final class QueryRecordingWriter implements Closeable {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final QueryRecording recording;
    private final JsonGenerator json;
    private long written;
    private long lastOffset;

    /** Begins the file that the recording names, in the place of one that exists. */
    public QueryRecordingWriter(QueryRecording recording) throws IOException {
        this.recording = recording;
        OutputStream file = new BufferedOutputStream(Files.newOutputStream(recording.file()));
        this.json = MAPPER.createGenerator(new GZIPOutputStream(file, 1 << 16));
        json.setPrettyPrinter(new MinimalPrettyPrinter("\n"));
        json.writeTree(MAPPER.createObjectNode()
                .put("format", QueryRecording.FORMAT)
                .put("version", QueryRecording.VERSION)
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
