package siemload.load;

import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * What a virtual user is at: the analyst, when the next action is due, and how many searches are running. At
 * the limit the user's next search waits until one of them has ended. Thread-safe where threads meet: the searches that run.
 */
final class UserState {
    private final long number;
    private final Analyst analyst;
    private final int maxRunning;
    private final Stay stay;
    private final long startNanos;
    private int running;
    private Optional<LongConsumer> waiting = Optional.empty();
    private long dueNanos;

    /** @param number among all users of the run, which decides where this one searches */
    UserState(long number, Analyst analyst, int maxRunning, Stay stay, long nowNanos) {
        this.number = number;
        this.analyst = analyst;
        this.maxRunning = maxRunning;
        this.stay = stay;
        this.startNanos = nowNanos;
        this.dueNanos = nowNanos;
    }

    /** How long the user stays. */
    enum Stay {
        ONE_INVESTIGATION,
        WHOLE_RUN
    }

    /** Whether the user has done what there was to do, and leaves. */
    boolean isDone() {
        return stay == Stay.ONE_INVESTIGATION && dueNanos != startNanos && analyst.investigationDone();
    }

    long number() {
        return number;
    }

    Analyst analyst() {
        return analyst;
    }

    /** When the next action is due. */
    long dueNanos() {
        return dueNanos;
    }

    /** Sets when the user is free again: the next action is due after the wait from then. */
    void free(long nanos) {
        dueNanos = nanos;
    }

    /** Lets the user wait. */
    void delayDue(long nanos) {
        dueNanos += nanos;
    }

    /**
     * Sends a search now, or as soon as fewer than the limit are running; until then the user must not go on.
     *
     * @param search is told when the user began to wait for its answer: when it was due, or when another one ended for it
     * @throws IllegalStateException if another one waits already
     */
    void send(LongConsumer search, long dueNanos) {
        synchronized (this) {
            if (running >= maxRunning) {
                if (waiting.isPresent()) {
                    throw new IllegalStateException("a user has one search waiting at most");
                }
                waiting = Optional.of(search);
                return;
            }
            running++;
        }
        search.accept(dueNanos);
    }

    /** Notes that a search ended then; a waiting one takes its place. */
    void ended(long nanos) {
        Optional<LongConsumer> next;
        synchronized (this) {
            next = waiting;
            waiting = Optional.empty();
            if (next.isEmpty()) {
                running--;
            }
        }
        next.ifPresent(search -> search.accept(nanos));
    }
}
