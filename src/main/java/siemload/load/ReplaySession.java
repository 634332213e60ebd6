package siemload.load;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import siemload.measure.Sample;
import siemload.query.SearchName;
import siemload.scenario.replay.RecordedExecution;

/**
 * One session of a replay. It asks one statement at a time, in the order of the recording; what is due while it is at another one
 * waits. The steps come on whatever thread is at hand. Thread-safe.
 */
final class ReplaySession {
    /** What was due before the end of the run is asked for so long behind it; the rest has waited in vain. */
    private static final long AFTER_END_NANOS = Duration.ofSeconds(30).toNanos();

    private final ReplayPlayer player;
    private final int number;
    private final Queue<Asking> queue = new ArrayDeque<>();
    /** How many of those in the queue are due. */
    private int due;

    private boolean busy;
    private long freeNanos;

    ReplaySession(ReplayPlayer player, int number) {
        this.player = player;
        this.number = number;
        this.freeNanos = player.engine().startNanos();
    }

    /** @param execution how it was when it was recorded */
    private record Asking(SearchRequest request, RecordedExecution execution) {}

    /** Adds what it will ask behind all that it was given before. */
    synchronized void add(SearchRequest request, RecordedExecution execution) {
        queue.add(new Asking(request, execution));
    }

    /** One more is due. Steps of nearly the same instant may come in any order: the first in the queue is asked first. */
    void due() {
        synchronized (this) {
            if (player.engine().isOverAt(queue.element().request().intendedStart())) {
                queue.remove();
                player.ended();
                return;
            }
            due++;
            player.recorder().due();
        }
        goOn();
    }

    private void goOn() {
        for (Optional<Asking> next = next(); next.isPresent(); next = next()) {
            Asking asking = next.get();
            if (!isTooLate()) {
                ask(asking);
                return;
            }
            ended(asking, player.engine().notBegun(asking.request()));
        }
        player.free(number);
    }

    private synchronized Optional<Asking> next() {
        if (busy || due == 0) {
            return Optional.empty();
        }
        busy = true;
        due--;
        return Optional.of(queue.remove());
    }

    private boolean isTooLate() {
        return System.nanoTime() - player.engine().endNanos() >= AFTER_END_NANOS;
    }

    private void ask(Asking asking) {
        boolean atOnce = player.connections().take(number, connection -> isBegun(asking, connection));
        if (!atOnce) {
            player.engine().recorder().foundAllBusy(asking.request().intendedStart());
        }
    }

    /** Begins with it, unless it has become too late while it waited for the connection. */
    private boolean isBegun(Asking asking, ReplayConnections.Leased connection) {
        if (isTooLate()) {
            ended(asking, player.engine().notBegun(asking.request()));
            goOn();
            return false;
        }
        SearchRequest due = asking.request();
        SearchRequest request = due.readBy(connection).handedOverAt(Math.max(due.intendedStart(), System.nanoTime()));
        player.engine()
                .submit(
                        number,
                        request,
                        answer -> player.guarded(() -> {
                            player.connections()
                                    .give(number, connection, asking.execution().last());
                            player.log(request, answer);
                            ended(asking, answer.sample());
                            goOn();
                        }));
        return true;
    }

    private void ended(Asking asking, Sample sample) {
        SearchName name = asking.request().search().name();
        player.recorder().ended(name, asking.execution().tookMicros(), freeNanos, sample);
        synchronized (this) {
            busy = false;
            freeNanos = sample.end();
        }
        player.ended();
    }

    /** Whether nothing is under way, and nothing to come is known. */
    synchronized boolean isDone() {
        return !busy && queue.isEmpty();
    }
}
