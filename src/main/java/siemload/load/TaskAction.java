package siemload.load;

import io.gatling.core.action.Action;
import io.gatling.core.session.Session;
import io.gatling.core.structure.ScenarioContext;
import java.util.concurrent.atomic.AtomicInteger;
import siemload.dataset.SeededRandom;
import siemload.measure.TickRecorder;
import siemload.scenario.AnalystGroup;
import siemload.scenario.LoadModel;

/** Lets each of Gatling's users be one task of a group that searches by the clock. */
final class TaskAction extends SearchingAction {
    private final AnalystGroup group;
    private final LoadModel.Scheduled schedule;
    private final long seed;
    private final AtomicInteger started = new AtomicInteger();

    /** @param seed of this group alone */
    TaskAction(ScenarioContext context, Action next, AnalystGroup group, LoadModel.Scheduled schedule, long seed) {
        super("scheduled task", context, next);
        this.group = group;
        this.schedule = schedule;
        this.seed = seed;
    }

    @Override
    void perform(Session session) {
        DrawnSearches searches = new DrawnSearches(group, engine().draw(), engine().dataClock());
        ScheduledTask task = new ScheduledTask(
                schedule, started.getAndIncrement(), searches, SeededRandom.mix(seed, 0), engine().startNanos());
        TickRecorder.Group ticks = engine().recorder().ticks().of(group.name());
        new TaskSession(this, session, task, ticks).begin();
    }
}
