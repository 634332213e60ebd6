package siemload.scenario.replay;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.zip.GZIPOutputStream;
import siemload.query.StatementText;

/**
 * Writes a query recording: lines of JSON in UTF-8, packed by gzip. The first line tells what there is, then comes a line for each
 * statement, and then one for each execution, in the order in which they began: {@code [offset, session, statement, took, last, "value", ...]}.
 * Not thread-safe.
 */
public final class QueryRecordingWriter implements Closeable {
    private final QueryRecording recording;
    private final JsonGenerator json;
    private long written;
    private long lastOffset;

    /** Begins the file that the recording names, in the place of one that exists. */
    public QueryRecordingWriter(QueryRecording recording) throws IOException {
        this.recording = recording;
        OutputStream file = new BufferedOutputStream(Files.newOutputStream(recording.file()));
        this.json = new JsonFactory().createGenerator(new GZIPOutputStream(file, 1 << 16));
        json.setPrettyPrinter(new MinimalPrettyPrinter("\n"));
        writeHead();
    }

    private void writeHead() throws IOException {
        json.writeStartObject();
        json.writeStringField("format", QueryRecording.FORMAT);
        json.writeNumberField("version", QueryRecording.VERSION);
        json.writeStringField("startedAt", recording.startedAt().toString());
        json.writeNumberField("executions", recording.executions());
        json.writeNumberField("sessions", recording.sessions());
        json.writeNumberField("openAtOnce", recording.openAtOnce());
        json.writeNumberField("micros", recording.micros());
        json.writeNumberField("statements", recording.queries().size());
        json.writeEndObject();
        for (RecordedQuery query : recording.queries()) {
            json.writeStartObject();
            json.writeStringField("name", query.statement().name().name());
            StatementText text = query.statement().text();
            json.writeStringField("sql", text.written());
            json.writeArrayFieldStart("example");
            for (String value : query.example()) {
                json.writeString(value);
            }
            json.writeEndArray();
            if (query.statement().writes()) {
                json.writeBooleanField("writes", true);
            }
            if (!query.plans().isEmpty()) {
                writePlans(query);
            }
            json.writeEndObject();
        }
    }

    private void writePlans(RecordedQuery query) throws IOException {
        json.writeArrayFieldStart("plans");
        for (RecordedPlan plan : query.plans()) {
            json.writeStartObject();
            json.writeStringField("shape", plan.shape());
            json.writeNumberField("count", plan.count());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /**
     * Adds an execution.
     *
     * @throws IllegalArgumentException if it began before the one that was added last
     */
    public void add(RecordedExecution execution) throws IOException {
        if (execution.offsetMicros() < lastOffset) {
            throw new IllegalArgumentException("executions are written in the order in which they began");
        }
        lastOffset = execution.offsetMicros();
        written++;
        json.writeStartArray();
        json.writeNumber(execution.offsetMicros());
        json.writeNumber(execution.session());
        json.writeNumber(execution.query());
        json.writeNumber(execution.tookMicros());
        json.writeBoolean(execution.last());
        for (String value : execution.values()) {
            json.writeString(value);
        }
        json.writeEndArray();
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
