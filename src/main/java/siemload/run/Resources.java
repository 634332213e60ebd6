package siemload.run;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/** What a run has opened; given back in reverse, once, by the first caller. Thread-safe. */
final class Resources implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Resources.class.getName());

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private int beingOpened;
    private boolean closed;

    /**
     * Opens a resource and adds it. {@link #close} waits until it is there and gives it back, so that an interrupted
     * start leaves nothing running; to be used for what cannot be stopped half-way.
     */
    <T extends AutoCloseable> T open(Supplier<T> opening) {
        synchronized (this) {
            beingOpened++;
        }
        try {
            return add(opening.get());
        } finally {
            synchronized (this) {
                beingOpened--;
                notifyAll();
            }
        }
    }

    /** Adds a resource; where everything was given back already, so is this one, and the caller is told. */
    <T extends AutoCloseable> T add(T resource) {
        synchronized (this) {
            if (!closed) {
                opened.push(resource);
                return resource;
            }
        }
        close(resource);
        throw new IllegalStateException("the run is being stopped");
    }

    /** Whether everything was given back. */
    synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public synchronized void close() {
        closed = true;
        awaitOpened();
        while (!opened.isEmpty()) {
            close(opened.pop());
        }
    }

    private synchronized void awaitOpened() {
        try {
            while (beingOpened > 0) {
                wait();
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private static void close(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception gone) {
            // What cannot be given back is gone already: a server that died, a connection that broke.
            LOG.log(System.Logger.Level.DEBUG, "not closed", gone);
        }
    }
}
