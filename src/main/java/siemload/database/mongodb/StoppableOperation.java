package siemload.database.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.MongoDatabase;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import org.bson.Document;
import siemload.database.server.Canceller;

/**
 * What a session has the server do, one thing after the other. Each carries a comment of its own, by which it is found on the server when
 * it is to be stopped. Used by the session's thread, except for {@link #cancel}.
 */
final class StoppableOperation {
    private static final BsonTemplate RUNNING = BsonTemplate.read("server", "running-operations");

    private final MongoDatabase administration;
    private final Duration timeout;
    private final ScheduledExecutorService watchers;
    private final Canceller stop;
    private final String name = "siemload " + UUID.randomUUID();
    private long number;

    StoppableOperation(MongoDatabase administration, Duration timeout, ScheduledExecutorService watchers) {
        this.administration = administration;
        this.timeout = timeout;
        this.watchers = watchers;
        this.stop = new Canceller(watchers, timeout, MongodbErrors.INTERRUPTED_CODE);
    }

    /** The next one begins. */
    void begin() {
        number++;
    }

    /** What the running one is found by on the server. */
    String comment() {
        return name + " " + number;
    }

    /** Stops it between two rows, or at its deadline where the server would not. */
    Canceller stop() {
        return stop;
    }

    /** Waits for an answer that can be stopped. */
    <T> T answered(Supplier<T> answer) {
        String comment = comment();
        stop.arm(() -> watchers.execute(() -> kill(comment)));
        try {
            return MongodbErrors.answering(timeout, answer);
        } finally {
            stop.disarm();
        }
    }

    /** Asks the server to give it up; callable from any thread. */
    void cancel() {
        stop.press();
    }

    private void kill(String comment) {
        try {
            for (Document operation : administration.aggregate(RUNNING.pipeline(Map.of("comment", comment)))) {
                administration.runCommand(new Document("killOp", 1).append("op", operation.get("opid")));
            }
        } catch (MongoException unreachable) {
            // The search itself meets the same trouble and reports it.
        }
    }
}
