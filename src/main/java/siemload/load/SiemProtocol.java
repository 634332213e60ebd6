package siemload.load;

import io.gatling.core.protocol.Protocol;
import io.gatling.javaapi.core.ProtocolBuilder;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import scala.Console$;
import siemload.run.RunGuard;

/** A database under test, for a simulation's {@code protocols(...)}. Thread-safe. */
public final class SiemProtocol implements ProtocolBuilder {
    private final LoadEngine engine;

    private SiemProtocol(LoadEngine engine) {
        this.engine = engine;
    }

    static SiemProtocol open() {
        LoadEngine engine = RunGuard.open(LoadEngine::new);
        if (!engine.wantsDetails()) {
            silenceGatling();
        }
        return new SiemProtocol(engine);
    }

    /**
     * What Gatling prints about its own report would be the last that users read. It does so from the thread that makes the simulation, by
     * Scala.
     */
    private static void silenceGatling() {
        Console$.MODULE$.setOutDirect(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
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
