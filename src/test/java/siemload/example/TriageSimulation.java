package siemload.example;

import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.during;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static siemload.load.SiemSimulation.search;
import static siemload.load.SiemSimulation.siem;
import static siemload.query.SearchName.HAWAT1;
import static siemload.query.SearchName.HAWAT3;
import static siemload.query.SearchName.MENTAT;

import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Simulation;
import java.time.Duration;
import siemload.load.SiemSimulation.SiemProtocol;

/**
 * A simulation of one's own: five users who look at the newest events, then at scans, then at one address. Run it with
 * {@code mvn gatling:test -Dgatling.simulationClass=siemload.example.TriageSimulation}.
 */
public final class TriageSimulation extends Simulation {
    private final SiemProtocol siem = siem();

    private final ScenarioBuilder triage = scenario("triage")
            .exec(during(siem.duration())
                    .on(exec(
                            search(MENTAT).last(Duration.ofHours(24)).page(50),
                            pause(Duration.ofMillis(100)),
                            search(HAWAT3).category("Recon.Scanning").page(100, 2),
                            pause(Duration.ofMillis(100)),
                            search(HAWAT1).oldestFirst())));

    public TriageSimulation() {
        setUp(triage.injectOpen(atOnceUsers(5))).protocols(siem);
    }
}
