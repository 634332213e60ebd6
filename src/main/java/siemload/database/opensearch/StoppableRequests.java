package siemload.database.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import siemload.database.server.Canceller;

/**
 * What a session asks, one request after the other. One that is to be stopped loses its connection, upon which the server cancels what it
 * was doing for it. Used by the session's thread, except for {@link #cancel}.
 */
final class StoppableRequests {
    private final OpenSearchClient client;
    private final Duration timeout;
    private final Canceller stop;
    private volatile @Nullable Future<?> running;

    StoppableRequests(OpenSearchClient client, Duration timeout, ScheduledExecutorService watchers) {
        this.client = client;
        this.timeout = timeout;
        this.stop = new Canceller(watchers, timeout, OpenSearchErrors.CANCELLED_CODE);
    }

    /** Does something that can be stopped, and ends at its deadline. */
    <T> T answered(Supplier<T> work) {
        stop.arm(this::abandon);
        stop.scheduleDeadline();
        try {
            return OpenSearchErrors.answering(timeout, work);
        } finally {
            stop.disarm();
            running = null;
        }
    }

    /** Asks, as a part of that. It is checked once it is under way: who stops it from then on, finds it. */
    JsonNode ask(RestCall call) {
        var asked = client.started(call);
        running = asked;
        try {
            stop.check();
        } catch (RuntimeException stopped) {
            asked.cancel(true);
            throw stopped;
        }
        return client.received(asked);
    }

    /** Stops what is under way between two rows. */
    Canceller stop() {
        return stop;
    }

    /** Gives up what is under way; callable from any thread. */
    void cancel() {
        stop.press();
    }

    private void abandon() {
        Future<?> asked = running;
        if (asked != null) {
            asked.cancel(true);
        }
    }
}
