package siemload.run;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/** The resources that a run has opened; they are closed in reverse order, once, by the first caller. Thread-safe. */
final class Resources implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Resources.class.getName());

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private boolean closed;

    /**
     * Opens a resource and adds it. {@link #close} waits for it and closes it, so that an interrupted start leaves nothing running. Use
     * this for starts that cannot be interrupted.
     */
    synchronized <T extends AutoCloseable> T open(Supplier<T> opening) {
        return add(opening.get());
    }

    /** Adds a resource; if the others are already closed, closes the new resource as well, and throws an exception. */
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
                // A resource that cannot be closed is gone already: a server that ended, or a connection that broke.
                LOG.log(System.Logger.Level.DEBUG, "not closed", gone);
            }
        }
    }
}
