package siemload.load;

import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.Simulation;
import java.util.ArrayList;
import java.util.List;
import siemload.run.RunGuard;
import siemload.scenario.AnalystGroup;

/**
 * Runs a scenario file: every group of analysts becomes a Gatling population beside the feeder. A procedure is followed
 * before Gatling starts, and the process ends with it. Which scenario, on which database, is said by the properties
 * ({@code -Dscenario=hawat -Dtarget=memory ...}).
 */
public final class SiemSimulation extends Simulation {

    public SiemSimulation() {
        // Does not come back from one: Gatling has no report about a run without requests, and would crash.
        RunGuard.endWithProcedure();
        SiemProtocol siem = SiemDsl.siem();
        siem.engine().onlyAnalysts();
        List<AnalystGroup> groups = siem.engine().scenario().analysts();
        List<PopulationBuilder> populations = new ArrayList<>();
        for (int i = 0; i < groups.size(); i++) {
            if (Analysts.areHere(siem.engine().shard(), groups.get(i))) {
                populations.add(Analysts.population(siem.engine(), groups.get(i), i));
            }
        }
        if (!siem.engine().shard().isWhole()) {
            populations.add(Analysts.starter());
        }
        setUp(populations).protocols(siem);
    }
}
