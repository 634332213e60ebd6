package siemload.run.procedure;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The request that a procedure should end at once. What is being waited for on the server is given up; what was
 * measured before is kept. Thread-safe.
 */
public final class Interruption {
    private final List<Runnable> cancellations = new CopyOnWriteArrayList<>();
    private volatile boolean asked;

    /** Ends the procedure. */
    public void ask() {
        asked = true;
        cancellations.forEach(Runnable::run);
    }

    /** Whether it should end. */
    public boolean isAsked() {
        return asked;
    }

    /** Adds what gives up something that is being waited for; done at once where it should end already, twice at most. */
    public void onAsk(Runnable cancellation) {
        cancellations.add(cancellation);
        if (asked) {
            cancellation.run();
        }
    }

    /** Does nothing, or ends the procedure where that is asked for: to be called between two steps. */
    public void check() {
        if (asked) {
            throw new Interrupted();
        }
    }

    /** Ends a procedure whose end was asked for. */
    static final class Interrupted extends RuntimeException {
        private static final long serialVersionUID = 1;

        Interrupted() {
            super("the procedure was interrupted");
        }
    }
}
