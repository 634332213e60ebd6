package siemload.load;

import io.gatling.core.action.Action;
import io.gatling.core.session.Session;
import io.gatling.core.structure.ScenarioContext;
import java.time.Duration;
import java.util.function.Supplier;

/** Runs a whole session of a virtual user. */
final class UserAction extends GatlingAction {
    private final LoadEngine engine;
    private final Supplier<UserState> states;
    private final Duration patience;
    private final ResponseLog log;

    /** @param states gives each user a state of its own */
    UserAction(ScenarioContext context, Action next, Supplier<UserState> states, Duration patience) {
        super("analyst", context, next);
        SearchProtocol.Components protocol =
                context.protocolComponentsRegistry().components(SearchProtocol.KEY);
        this.engine = protocol.engine();
        this.log = protocol.log();
        this.states = states;
        this.patience = patience;
    }

    @Override
    void perform(Session session) {
        new UserSession(this, session, states.get(), patience).goOn();
    }

    LoadEngine engine() {
        return engine;
    }

    ResponseLog log() {
        return log;
    }
}
