package siemload.load;

import java.time.Instant;
import siemload.query.Paging;
import siemload.run.LoadRun;
import siemload.run.SearchKinds;
import siemload.scenario.Scenario;
import siemload.scenario.SearchDraw;

/** Makes sure that the server follows the hint of a run, by searches such as the load will ask. Stateless. */
public final class PlanProof {
    private PlanProof() {}

    /**
     * Has the plans read.
     *
     * @throws siemload.config.ConfigException if the server does not follow the hint
     */
    public static void of(LoadRun run) {
        Scenario scenario = run.plan().scenario();
        SearchDraw draw = draw(run);
        Paging paging = run.plan().variant().paging();
        Instant now = run.plan().source().until();
        long seed = run.plan().seed();
        run.provePlans(
                SearchKinds.of(scenario, draw, paging, now, seed),
                SearchKinds.various(scenario, draw, paging, now, seed));
    }

    /** What the searches of a run are drawn by. */
    static SearchDraw draw(LoadRun run) {
        return run.plan().searchDraw(run.pools(), run.statements());
    }
}
