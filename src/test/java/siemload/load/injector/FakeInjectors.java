package siemload.load.injector;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Where injectors are started that do what a test says. */
final class FakeInjectors implements InjectorHost {
    private final List<FakeInjector> started = new CopyOnWriteArrayList<>();
    private volatile int refused = -1;
    private volatile boolean closed;

    /** Refuses to start this one. */
    void refuse(int index) {
        refused = index;
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
        return "some machine";
    }

    @Override
    public InjectorChannel start(int index) throws IOException {
        if (index == refused) {
            throw new IOException("no such program");
        }
        FakeInjector injector = new FakeInjector();
        started.add(injector);
        return injector;
    }

    @Override
    public void close() {
        closed = true;
    }
}
