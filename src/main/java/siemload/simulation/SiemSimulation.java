package siemload.simulation;

import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.Simulation;
import java.util.ArrayList;
import java.util.List;
import siemload.scenario.AnalystGroup;

/**
 * Runs a scenario file: every group of analysts becomes a Gatling population beside the feeder. Which scenario, on which
 * database, is said by the properties ({@code -Dscenario=hawat -Dtarget=postgresql ...}).
 */
public final class SiemSimulation extends Simulation {

    public SiemSimulation() {
        SiemProtocol siem = SiemDsl.siem();
        List<AnalystGroup> groups = siem.engine().scenario().analysts();
        List<PopulationBuilder> populations = new ArrayList<>();
        for (int i = 0; i < groups.size(); i++) {
            populations.add(Analysts.population(siem.engine(), groups.get(i), i));
        }
        setUp(populations).protocols(siem);
    }
}
