package siemload.run.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import siemload.results.StepRecord;
import siemload.run.procedure.DeploymentTier.Measured;
import siemload.scenario.Ingest.Deployment;

class DeploymentTierTest {
    private static final Deployment QUARTER = new Deployment(3, Duration.ofDays(90));

    /** 20 GB are 20,000,000 kB in 86,400 s; events of 500 bytes are two to a kilobyte, and three times as large on disk. */
    @Test
    void aVolumeADayIsWorkedOutToRatesAndToWhatIsKept() {
        Map<String, Double> asked = DeploymentTier.DEPARTMENTAL
                .step(new Measured(1_000, 500, 1_500), QUARTER)
                .figures();

        assertThat(asked.get("averageKilobytesPerSecond")).isCloseTo(231.481, within(0.001));
        assertThat(asked.get("averageEventsPerSecond")).isCloseTo(462.963, within(0.001));
        assertThat(asked.get("peakKilobytesPerSecond")).isCloseTo(694.444, within(0.001));
        assertThat(asked.get("peakEventsPerSecond")).isCloseTo(1388.889, within(0.001));
        assertThat(asked.get("diskGigabytes")).isCloseTo(20.0 * 90 * 3, within(1e-6));
        assertThat(asked.get("serversNeeded")).isEqualTo(1);
    }

    /** At the peak the tiers ask for 694, 3,472, 10,417 and 173,611 kB a second. */
    @Test
    void aTierIsReachedByAsManyServersAsTheStudyGivesIt() {
        assertThat(reached(30_000))
                .containsExactly(
                        "by this server alone", "by this server alone", "by this server alone", "by 6 servers");
        assertThat(reached(1_200))
                .containsExactly("by this server alone", "by 3 servers", "not by 5 servers", "not by 36 servers");
        assertThat(reached(100)).startsWith("no", "not by 3 servers");
    }

    @Test
    void whereTheServerTellsNoSizesNothingIsSaidOfDisks() {
        assertThat(DeploymentTier.LARGE_ENTERPRISE
                        .step(new Measured(1_000, 500, 0), QUARTER)
                        .figures())
                .containsKey("gigabytesPerDay")
                .doesNotContainKey("diskGigabytes");
    }

    private static List<String> reached(double kilobytesPerSecond) {
        return Stream.of(DeploymentTier.values())
                .map(tier -> tier.step(new Measured(kilobytesPerSecond, 500, 1_500), QUARTER))
                .map(StepRecord::facts)
                .map(facts -> facts.getOrDefault("reached", ""))
                .toList();
    }
}
