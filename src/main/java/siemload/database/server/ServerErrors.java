package siemload.database.server;

import java.time.Duration;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import siemload.database.SearchException;
import siemload.database.SearchException.Kind;
import siemload.database.TargetException;

/**
 * What the errors of a client mean for a run, and before or after one. Stateless and thread-safe.
 *
 * @param <E> what the client throws
 */
public abstract class ServerErrors<E extends Exception> {
    private final Class<E> thrown;

    protected ServerErrors(Class<E> thrown) {
        this.thrown = thrown;
    }

    /**
     * What an error means.
     *
     * @param advice what can be done, in whole sentences; empty where nobody knows
     */
    public record Meaning(Kind kind, String advice) {
        /** Of an error that no table has. */
        public static final Meaning UNKNOWN = new Meaning(Kind.OTHER, "");
    }

    /** What it means. */
    protected abstract Meaning meaning(E error);

    /** Whether it is a timeout where the time that it may take had passed. */
    protected boolean mayBeTimeout(E error) {
        return meaning(error).kind == Kind.CANCELLED;
    }

    /** The server's code; empty if there is none. */
    protected abstract String code(E error);

    /** The same for people. */
    protected String shownCode(E error) {
        return code(error);
    }

    /** The server's words, without searched values. */
    protected abstract String message(E error);

    /** The same where nothing is searched yet, with all that helps to find the cause. */
    protected String wholeMessage(E error) {
        return message(error) + (shownCode(error).isEmpty() ? "" : " (" + shownCode(error) + ")");
    }

    /** For an error in a run; one that came at the timeout or later may be due to it. */
    public final SearchException inRun(E error, Duration elapsed, Duration timeout) {
        boolean isLate = elapsed.compareTo(timeout) >= 0;
        Kind kind = isLate && mayBeTimeout(error) ? Kind.TIMEOUT : meaning(error).kind;
        return new SearchException(kind, code(error), message(error), error);
    }

    /** Does a piece of a run, which may take so long. @throws SearchException in place of the client's error */
    public final <T> T answering(Duration timeout, Supplier<T> work) {
        long start = System.nanoTime();
        try {
            return work.get();
        } catch (RuntimeException e) {
            throw thrown.isInstance(e)
                    ? inRun(thrown.cast(e), Duration.ofNanos(System.nanoTime() - start), timeout)
                    : e;
        }
    }

    /** For an error before or after a run: what was tried, what the server said, what can be done. */
    public final TargetException outsideRun(String tried, E error) {
        String advice = meaning(error).advice.isEmpty() ? "" : ". " + meaning(error).advice;
        return new TargetException(tried + ": " + wholeMessage(error) + advice, error);
    }

    /**
     * Does something before or after a run.
     *
     * @param tried for people: {@code count the events}
     */
    public final <T> T trying(String tried, Supplier<T> work) {
        try {
            return work.get();
        } catch (RuntimeException e) {
            throw thrown.isInstance(e) ? outsideRun("cannot " + tried, thrown.cast(e)) : e;
        }
    }

    /**
     * Does something that may fail in a way that is no failure.
     *
     * @param instead what is answered then
     */
    public final <T> T unless(Predicate<E> expected, Supplier<T> work, Function<E, T> instead) {
        try {
            return work.get();
        } catch (RuntimeException e) {
            if (thrown.isInstance(e) && expected.test(thrown.cast(e))) {
                return instead.apply(thrown.cast(e));
            }
            throw e;
        }
    }

    /** As {@link #trying} without an answer. */
    public final void running(String tried, Runnable work) {
        boolean unused = trying(tried, () -> {
            work.run();
            return true;
        });
    }
}
