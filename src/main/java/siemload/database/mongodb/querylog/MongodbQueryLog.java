package siemload.database.mongodb.querylog;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import siemload.database.LoggedStatement;
import siemload.database.QueryLogListener;
import siemload.database.QueryLogReader;
import siemload.query.Statement;

/**
 * Reads the structured log of mongod and mongos, and documents of system.profile as mongoexport writes them: lines of JSON or
 * an array of them. An operation ends at the time of its record. Not thread-safe.
 */
public final class MongodbQueryLog implements QueryLogReader {
    private static final int RECORDS_THAT_TELL = 100;
    private static final int SHOWN_CHARACTERS = 400;
    private final QueryLogListener listener;
    private final CommandForms forms = new CommandForms();
    private int starts;

    /** @param listener hears what is in the files */
    public MongodbQueryLog(QueryLogListener listener) {
        this.listener = listener;
    }

    /** Whether a file begins as one of these. */
    public static boolean isOne(Path file) throws IOException {
        try (OperationRecords records = OperationRecords.open(file, QueryLogListener.DEAF)) {
            Optional<OperationRecords.Told> record = records.next();
            for (int i = 0; i < RECORDS_THAT_TELL && record.isPresent(); i++) {
                JsonNode json = record.get().json();
                if (LoggedOperation.isLog(json) || LoggedOperation.isProfile(json)) {
                    return true;
                }
                record = records.next();
            }
            return false;
        }
    }

    @Override
    public long read(Path file) throws IOException {
        long count = 0;
        try (OperationRecords records = OperationRecords.open(file, listener)) {
            for (Optional<OperationRecords.Told> record = records.next(); record.isPresent(); record = records.next()) {
                count += read(record.get()) ? 1 : 0;
            }
        } catch (IOException unreadable) {
            throw new IOException(file + ": " + unreadable.getMessage(), unreadable);
        }
        return count;
    }

    private boolean read(OperationRecords.Told record) {
        if (LoggedOperation.isLog(record.json())) {
            log(record.json());
            return true;
        } else if (LoggedOperation.isProfile(record.json())) {
            LoggedOperation.ofProfile(record.json()).ifPresent(this::operation);
            return true;
        }
        listener.unreadable(
                record.line(), "the record has neither the fields of a structured log nor those of system.profile");
        return false;
    }

    private void log(JsonNode json) {
        String message = json.path("msg").asText();
        if (message.equals("Connection ended")) {
            listener.ended(session(json.path("ctx").asText()));
        } else if (message.equals("MongoDB starting")) {
            starts++;
        } else {
            LoggedOperation.ofLog(json).ifPresent(this::operation);
        }
    }

    /** A server that starts again counts its connections from the first on. */
    private String session(String connection) {
        return starts == 0 ? connection : connection + " of start " + starts;
    }

    private void operation(LoggedOperation operation) {
        CommandForms.Outcome outcome = forms.of(operation);
        if (outcome instanceof CommandForms.Outcome.Asked asked) {
            listener.executed(new LoggedStatement(
                    session(operation.session()),
                    operation.database(),
                    operation.program(),
                    "",
                    operation.endMicros(),
                    operation.durationMicros(),
                    0,
                    asked.text(),
                    asked.values(),
                    Statement.Effect.READS));
        } else if (outcome instanceof CommandForms.Outcome.LeftOut left) {
            String text = operation.command().toString();
            listener.leftOut(left.reason(), text.substring(0, Math.min(text.length(), SHOWN_CHARACTERS)));
        }
    }
}
