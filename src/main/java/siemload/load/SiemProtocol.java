package siemload.load;

import io.gatling.core.protocol.Protocol;
import io.gatling.javaapi.core.ProtocolBuilder;
import java.time.Duration;
import siemload.run.RunGuard;

/** A database under test, for a simulation's {@code protocols(...)}. Thread-safe. */
public final class SiemProtocol implements ProtocolBuilder {
    private final LoadEngine engine;

    private SiemProtocol(LoadEngine engine) {
        this.engine = engine;
    }

    static SiemProtocol open() {
        return new SiemProtocol(RunGuard.open(LoadEngine::new));
    }

    /** Warm-up and measured phase together: how long users should be kept busy. */
    public Duration duration() {
        return engine.duration();
    }

    /** Whether the measured phase is over; a condition for loops that should end with it. */
    public boolean isOver() {
        return engine.isOver();
    }

    LoadEngine engine() {
        return engine;
    }

    @Override
    public Protocol protocol() {
        return new SearchProtocol(engine);
    }
}
