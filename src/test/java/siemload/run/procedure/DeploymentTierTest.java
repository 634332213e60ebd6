package siemload.run.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.run.procedure.Procedures.IngestSteps.DeploymentTier;
import siemload.run.procedure.Procedures.IngestSteps.DeploymentTier.Measured;
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
}
