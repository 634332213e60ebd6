package siemload.load.injector;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Where injectors are started that do what a test says. */
final class FakeInjectors implements InjectorHost {
    static final String PLACE = "some machine";

    private final List<FakeInjector> started = new CopyOnWriteArrayList<>();
    private volatile int refused = -1;
    private volatile int neverRunning = -1;
    private volatile boolean closed;

    /** Refuses to start this one. */
    void refuse(int index) {
        refused = index;
    }

    /** Starts this one in vain: it never comes to run. */
    void neverRuns(int index) {
        neverRunning = index;
    }

    /** By their numbers, from 0. */
    List<FakeInjector> started() {
        return started;
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public String place() {
        return PLACE;
    }

    @Override
    public InjectorChannel start(int index) throws IOException {
        if (index == refused) {
            throw new IOException("no such program");
        }
        FakeInjector injector = new FakeInjector(index == neverRunning);
        started.add(injector);
        return injector;
    }

    @Override
    public void close() {
        closed = true;
    }
}
