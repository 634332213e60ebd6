package siemload.load;

import io.gatling.core.action.Action;
import io.gatling.core.session.Session;
import io.gatling.core.structure.ScenarioContext;
import java.util.function.Supplier;
import siemload.scenario.AnalystGroup;

/** Runs a whole session of a virtual user. */
final class UserAction extends SearchingAction {
    private final Supplier<UserState> states;
    private final AnalystGroup group;

    /** @param states gives each user a state of its own */
    UserAction(ScenarioContext context, Action next, Supplier<UserState> states, AnalystGroup group) {
        super("analyst", context, next);
        this.states = states;
        this.group = group;
    }

    @Override
    void perform(Session session) {
        new UserSession(this, session, states.get(), group).goOn();
    }
}
