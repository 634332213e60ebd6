package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;
import siemload.load.UserSession.Patience;

class PatienceTest {
    private final PriorityQueue<Alarm> alarms = new PriorityQueue<>(Comparator.comparingLong(Alarm::at));
    private long now;
    private int set;
    private int lost;
    private long lostAt;
    private final Patience patience = new Patience(Duration.ofNanos(100), this::setAlarm, () -> now, this::lose);

    private record Alarm(long at, Runnable step) {}

    @Test
    void patienceRunsOutOnceAndTheLateAnswerIsNotAwaitedAnyMore() {
        patience.start("search", now);
        passTo(99);
        assertThat(lost).isZero();
        passTo(100);
        assertThat(lost).isEqualTo(1);
        assertThat(patience.stop("search")).isFalse();
        passTo(1_000);
        assertThat(lost).isEqualTo(1);
    }

    @Test
    void manyShortSearchesNeedFewAlarms() {
        for (int i = 0; i < 1_000; i++) {
            answerAfter(1);
        }
        assertThat(lost).isZero();
        assertThat(set).isBetween(10, 12);
    }

    @Test
    void aLateTimerMovesNeitherTheEndOfPatienceNorWhatComesAfterIt() {
        passTo(1_000);
        patience.start("search", now);
        now = 1_170;
        alarms.remove().step().run();
        assertThat(lost).isEqualTo(1);
        assertThat(lostAt).isEqualTo(1_100);
    }

    /** The load generator came to the search late: the user has waited since it was due. */
    @Test
    void aWaitThatBeganBeforeIsNoLongerForIt() {
        passTo(1_070);
        patience.start("search", 1_000);
        passTo(1_099);
        assertThat(lost).isZero();
        passTo(1_100);
        assertThat(lostAt).isEqualTo(1_100);
    }

    private void lose(long deadline) {
        lost++;
        lostAt = deadline;
    }

    private void answerAfter(long nanos) {
        patience.start("search", now);
        passTo(now + nanos);
        assertThat(patience.stop("search")).isTrue();
    }

    private void setAlarm(Runnable step, long nanos) {
        set++;
        alarms.add(new Alarm(now + nanos, step));
    }

    private void passTo(long nanos) {
        while (!alarms.isEmpty() && alarms.element().at() <= nanos) {
            Alarm alarm = alarms.remove();
            now = alarm.at();
            alarm.step().run();
        }
        now = nanos;
    }
}
