package siemload.load.injector;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Starts injectors that do what a test says. */
final class FakeInjectors implements Injectors.Launch {
    private final List<FakeInjector> started = new CopyOnWriteArrayList<>();

    /** By their numbers, from 0. */
    List<FakeInjector> started() {
        return started;
    }

    @Override
    public Process start(int index) throws IOException {
        FakeInjector injector = new FakeInjector();
        started.add(injector);
        return injector;
    }
}
