package siemload.simulation;

import io.gatling.core.action.Action;
import io.gatling.core.session.Session;
import io.gatling.core.structure.ScenarioContext;
import java.time.Duration;
import java.util.function.Supplier;

/** Lets a user sit down, search until it is time to leave, and leave. */
final class AnalystAction extends GatlingAction {
    private final LoadEngine engine;
    private final Supplier<Seat> seats;
    private final Duration patience;
    private final ResponseLog log;

    /** @param seats gives each user a seat of its own */
    AnalystAction(ScenarioContext context, Action next, Supplier<Seat> seats, Duration patience) {
        super("analyst", context, next);
        SearchProtocol.Components protocol =
                context.protocolComponentsRegistry().components(SearchProtocol.KEY);
        this.engine = protocol.engine();
        this.log = protocol.log();
        this.seats = seats;
        this.patience = patience;
    }

    @Override
    void perform(Session session) {
        new Sitting(this, session, seats.get(), patience).goOn();
    }

    LoadEngine engine() {
        return engine;
    }

    ResponseLog log() {
        return log;
    }
}
