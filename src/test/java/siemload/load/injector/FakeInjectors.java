package siemload.load.injector;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Where injectors are started that do what a test says. */
final class FakeInjectors implements InjectorHost {
    static final String PLACE = "some machine";

    private final List<FakeInjector> started = new CopyOnWriteArrayList<>();
    private volatile int neverRunning = -1;
    /** Starts this one in vain: it never comes to run. */
    void neverRuns(int index) {
        neverRunning = index;
    }

    /** By their numbers, from 0. */
    List<FakeInjector> started() {
        return started;
    }

    @Override
    public String place() {
        return PLACE;
    }

    @Override
    public InjectorChannel start(int index) throws IOException {
        FakeInjector injector = new FakeInjector(index == neverRunning);
        started.add(injector);
        return injector;
    }

    @Override
    public void close() {}
}
