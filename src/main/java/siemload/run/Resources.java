package siemload.run;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/** What a run has opened; given back in reverse, once, by the first caller. Thread-safe. */
final class Resources implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Resources.class.getName());

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private boolean closed;

    /**
     * Opens a resource and adds it. {@link #close} waits until it is there and gives it back, so that an interrupted
     * start leaves nothing running; to be used for what cannot be stopped half-way.
     */
    synchronized <T extends AutoCloseable> T open(Supplier<T> opening) {
        return add(opening.get());
    }

    /** Adds a resource; where everything was given back already, so is this one, and the caller is told. */
    synchronized <T extends AutoCloseable> T add(T resource) {
        opened.push(resource);
        if (closed) {
            close();
            throw new IllegalStateException("the run is being stopped");
        }
        return resource;
    }

    @Override
    public synchronized void close() {
        closed = true;
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception gone) {
                // What cannot be given back is gone already: a server that died, a connection that broke.
                LOG.log(System.Logger.Level.DEBUG, "not closed", gone);
            }
        }
    }
}
