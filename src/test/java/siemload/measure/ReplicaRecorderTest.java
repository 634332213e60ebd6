package siemload.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.results.Outcome;
import siemload.results.RunResult.ReplicaResult;

class ReplicaRecorderTest {
    private static final List<String> URLS = List.of("jdbc:postgresql://db2/siem", "jdbc:postgresql://db3/siem");
    private static final RunClock CLOCK = RunClock.startingAt(0, Duration.ofSeconds(1), Duration.ofSeconds(10));

    @Test
    void whatIsDueInTheWarmUpOrSeenThereDoesNotCount() {
        LatencyRecorder recorder = recorder();

        recorder.replicas().get(0).finished(sample(900_000_000, 5, Outcome.OK));
        recorder.replicas().get(0).behind(900_000_000, 7);
        recorder.replicas().get(1).finished(sample(1_000_000_000, 2_000_000, Outcome.OK));
        recorder.replicas().get(1).finished(sample(1_500_000_000, 9_000_000, Outcome.CONNECTION));
        recorder.replicas().get(1).behind(1_200_000_000, 3_000_000);

        ReplicaResult none = recorder.replicas().get(0).result();
        ReplicaResult some = recorder.replicas().get(1).result();
        assertThat(none.searches()).isZero();
        assertThat(none.lagMicros().max()).isZero();
        assertThat(some.searches()).isEqualTo(2);
        assertThat(some.failed()).isEqualTo(1);
        assertThat(some.responseTimeMicros().max()).as("of what was answered").isEqualTo(2_000);
        assertThat(some.lagMicros().max()).isBetween(2_997L, 3_003L);
    }

    private static LatencyRecorder recorder() {
        LatencyRecorder recorder = new LatencyRecorder(CLOCK);
        recorder.expectReplicas(URLS);
        return recorder;
    }

    private static Sample sample(long due, long tookNanos, Outcome outcome) {
        return new Sample(due, due, due, due, due + tookNanos, 1, 1, outcome, "");
    }
}
