package siemload.load;

import io.gatling.core.action.Action;
import io.gatling.core.session.Session;
import io.gatling.core.structure.ScenarioContext;
import siemload.scenario.AnalystGroup;
import siemload.scenario.LoadModel;

/** Lets Gatling's only user of a replay play the recording, for all sessions in it. */
final class ReplayAction extends SearchingAction {
    private final AnalystGroup group;
    private final LoadModel.Replayed replayed;
    private final long seed;

    /** @param seed of this group alone */
    ReplayAction(ScenarioContext context, Action next, AnalystGroup group, LoadModel.Replayed replayed, long seed) {
        super("replay", context, next);
        this.group = group;
        this.replayed = replayed;
        this.seed = seed;
    }

    @Override
    void perform(Session session) {
        new ReplayPlayer(this, session).start();
    }

    AnalystGroup group() {
        return group;
    }

    LoadModel.Replayed replayed() {
        return replayed;
    }

    long seed() {
        return seed;
    }
}
