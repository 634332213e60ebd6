package siemload.measure.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import siemload.database.Replica.Replication;
import siemload.database.Replica.ReplicationReading;
import siemload.database.SearchException;

class ReplicationWatchTest {
    private final Deque<Supplier<ReplicationReading>> answers = new ArrayDeque<>();
    private final ReplicationWatch watch =
            new ReplicationWatch(new Answering(), ReplicationReading.of(2, Duration.ofSeconds(1)), 0);

    @Test
    void whatWasReadLastCounts() {
        assertThat(watch.lag(seconds(1))).hasSeconds(1);
        read(1, () -> ReplicationReading.of(2, Duration.ofSeconds(7)));
        assertThat(watch.lag(seconds(2))).hasSeconds(7);
    }

    @Test
    void aServerThatTellsNothingLetsTheLagGrow() {
        read(1, () -> ReplicationReading.of(2, Duration.ofSeconds(3)));
        read(2, () -> {
            throw new SearchException(SearchException.Kind.CONNECTION, "", "gone", new IllegalStateException());
        });
        assertThat(watch.lag(seconds(3))).as("two seconds may pass").hasSeconds(3);
        assertThat(watch.lag(seconds(11))).hasSeconds(13);
    }

    @Test
    void aStandbyThatIsGoneFallsFurtherBehind() {
        read(1, () -> ReplicationReading.of(1, Duration.ZERO));
        read(2, () -> ReplicationReading.untold("no standby is connected"));
        assertThat(watch.lag(seconds(10))).hasSeconds(11);
        read(10, () -> ReplicationReading.of(2, Duration.ZERO));
        assertThat(watch.lag(seconds(10))).isZero();
    }

    private void read(long second, Supplier<ReplicationReading> answer) {
        answers.add(answer);
        watch.read(seconds(second));
    }

    private static long seconds(long count) {
        return Duration.ofSeconds(count).toNanos();
    }

    /** Answers what it is told to. */
    private final class Answering implements Replication {
        @Override
        public ReplicationReading read() {
            return answers.remove().get();
        }

        @Override
        public void close() {}
    }
}
