package siemload.database.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;
import siemload.database.SearchException;
import siemload.database.SearchException.Kind;

/**
 * Stops the search that a session is running. Each search carries a comment of its own, by which its operation is found
 * on the server, so that a request that comes late hits no later search.
 */
final class MongodbCanceller {
    private static final JsonTemplate RUNNING = JsonTemplate.read("server/running-operations.json");
    private static final String INTERRUPTED = "11601";

    private final MongoDatabase administration;
    private final ScheduledExecutorService watchers;
    private final String session = "siemload " + UUID.randomUUID();
    private long number;
    private volatile String comment = session;
    private volatile boolean pressed;
    private long deadlineNanos;
    private @Nullable Future<?> alarm;

    MongodbCanceller(MongoClient client, ScheduledExecutorService watchers) {
        this.administration = client.getDatabase("admin");
        this.watchers = watchers;
    }

    /** A search starts; called by the session's thread, as all but {@link #press}. Answers its comment. */
    String arm(long deadline) {
        number++;
        arm(deadline, session + " " + number);
        return comment;
    }

    /** A search goes on that started with this comment. */
    void arm(long deadline, String searchComment) {
        comment = searchComment;
        deadlineNanos = deadline;
        pressed = false;
    }

    /** Stops at the deadline what the server itself would let go on: its own timeout is for a whole cursor. */
    void scheduleDeadline() {
        String current = comment;
        alarm = watchers.schedule(() -> kill(current), deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    /** The search has ended. */
    void disarm() {
        if (alarm != null) {
            alarm.cancel(false);
            alarm = null;
        }
    }

    /** Between two rows: the server is idle then and would not notice. */
    void check(Duration timeout) {
        if (pressed) {
            throw new SearchException(Kind.CANCELLED, INTERRUPTED, "the search was cancelled");
        }
        if (System.nanoTime() - deadlineNanos >= 0) {
            String message = "the rows took longer than " + timeout.toMillis() + " ms";
            throw new SearchException(Kind.TIMEOUT, INTERRUPTED, message);
        }
    }

    /** Asks for the running search to be stopped; returns at once. */
    void press() {
        String current = comment;
        pressed = true;
        watchers.execute(() -> kill(current));
    }

    private void kill(String searchComment) {
        try {
            Map<String, BsonString> values = Map.of("comment", new BsonString(searchComment));
            for (BsonDocument operation : administration.aggregate(RUNNING.pipeline(values), BsonDocument.class)) {
                administration.runCommand(
                        new BsonDocument("killOp", new BsonInt32(1)).append("op", operation.get("opid")));
            }
        } catch (MongoException unreachable) {
            // The search itself meets the same trouble and reports it.
        }
    }
}
