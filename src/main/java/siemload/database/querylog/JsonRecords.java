package siemload.database.querylog;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.Optional;
import siemload.database.querylog.NumberedLines.Line;

/** The records of a jsonlog (documentation, 19.8.5), one a line. A line that is none is told and read past. Not thread-safe. */
record JsonRecords(NumberedLines lines, LogTimes times, QueryLogListener listener) implements LogRecords {
    private static final ObjectMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxStringLength(NumberedLines.LONGEST)
                            .build())
                    .build())
            .build();

    @Override
    public Optional<LogRecord> next() throws IOException {
        for (Optional<Line> line = lines.next(); line.isPresent(); line = lines.next()) {
            if (line.get().text().isBlank()) {
                continue;
            }
            Optional<LogRecord> record = record(line.get());
            if (record.isPresent()) {
                return record;
            }
        }
        return Optional.empty();
    }

    private Optional<LogRecord> record(Line line) {
        JsonNode json;
        try {
            json = JSON.readTree(line.text());
        } catch (JsonProcessingException broken) {
            listener.unreadable(line.number(), "the line is no JSON, or ends early");
            return Optional.empty();
        }
        Optional<Long> micros = times.micros(text(json, "timestamp"));
        if (micros.isEmpty()
                || text(json, "session_id").isEmpty()
                || text(json, "error_severity").isEmpty()) {
            listener.unreadable(line.number(), "the line has not the keys of a jsonlog");
            return Optional.empty();
        }
        return Optional.of(new LogRecord(
                line.number(),
                micros.get(),
                text(json, "dbname"),
                text(json, "session_id"),
                text(json, "application_name"),
                text(json, "user"),
                text(json, "error_severity"),
                text(json, "message"),
                text(json, "detail"),
                text(json, "statement")));
    }

    private static String text(JsonNode json, String key) {
        return json.path(key).asText("");
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
