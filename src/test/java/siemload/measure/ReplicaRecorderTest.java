package siemload.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.results.Outcome;
import siemload.results.RunResult.ReplicaResult;

class ReplicaRecorderTest {
    private static final List<String> URLS = List.of("jdbc:postgresql://db2/siem", "jdbc:postgresql://db3/siem");
    private static final RunClock CLOCK = RunClock.startingAt(0, Duration.ofSeconds(1), Duration.ofSeconds(10));

    @Test
    void whatIsDueInTheWarmUpOrSeenThereDoesNotCount() {
        LatencyRecorder recorder = recorder();

        recorder.replicas().of(0).finished(sample(900_000_000, 5, Outcome.OK));
        recorder.replicas().of(0).behind(900_000_000, 7);
        recorder.replicas().of(1).finished(sample(1_000_000_000, 2_000_000, Outcome.OK));
        recorder.replicas().of(1).finished(sample(1_500_000_000, 9_000_000, Outcome.CONNECTION));
        recorder.replicas().of(1).behind(1_200_000_000, 3_000_000);

        ReplicaResult none = recorder.replicas().results().get(0);
        ReplicaResult some = recorder.replicas().results().get(1);
        assertThat(none.searches()).isZero();
        assertThat(none.lagMicros().max()).isZero();
        assertThat(some.searches()).isEqualTo(2);
        assertThat(some.failed()).isEqualTo(1);
        assertThat(some.responseTimeMicros().max()).as("of what was answered").isEqualTo(2_000);
        assertThat(some.lagMicros().max()).isBetween(2_997L, 3_003L);
    }

    /** Told in parts by three recorders, and added up by their seconds: the same as one that has taken all of it. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void partsOfSeveralAddUpToWhatOneWouldHaveTaken(long seed) {
        Random random = new Random(seed);
        LatencyRecorder one = recorder();
        LatencyRecorder sum = recorder();
        LatencyRecorder second = new LatencyRecorder(CLOCK);
        List<LatencyRecorder> parts = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            parts.add(recorder());
        }
        for (int step = 0; step < 3_000; step++) {
            int replica = random.nextInt(2);
            LatencyRecorder part = parts.get(random.nextInt(3));
            Sample sample = sample(
                    random.nextInt(2_000_000_000), random.nextInt(500_000_000), Outcome.values()[random.nextInt(3)]);
            long lag = random.nextInt(100_000_000);
            for (LatencyRecorder recorder : List.of(one, part)) {
                recorder.replicas().of(replica).finished(sample);
                recorder.replicas().of(replica).behind(sample.intendedStart(), lag);
            }
            if (random.nextInt(50) == 0) {
                second.add(part.takeRecorded());
            }
            if (random.nextInt(300) == 0) {
                sum.add(second.takeRecorded());
                second = new LatencyRecorder(CLOCK);
            }
        }
        for (LatencyRecorder part : parts) {
            second.add(part.takeRecorded());
        }
        sum.add(second.takeRecorded());

        assertThat(sum.replicas().results())
                .as("seed %d", seed)
                .isEqualTo(one.replicas().results());
        assertThat(one.replicas().results())
                .allSatisfy(result -> assertThat(result.searches()).isPositive());
    }

    private static LatencyRecorder recorder() {
        LatencyRecorder recorder = new LatencyRecorder(CLOCK);
        recorder.replicas().expect(URLS);
        return recorder;
    }

    private static Sample sample(long due, long tookNanos, Outcome outcome) {
        return new Sample(due, due, due, due, due + tookNanos, 1, 1, outcome, "");
    }
}
