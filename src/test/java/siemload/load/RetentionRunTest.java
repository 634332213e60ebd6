package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import siemload.database.Store.DayRemoval;
import siemload.database.Store.DayRemoval.Means;
import siemload.database.Store.DayRemoval.Removed;
import siemload.database.TargetException;
import siemload.load.LoadEngine.RetentionRun;
import siemload.query.Window;
import siemload.run.answers.DroppedDay;

final class RetentionRunTest {
    private static final Instant MIDNIGHT = Instant.parse("2016-06-06T00:00:00Z");
    private static final Window DAY = new Window(MIDNIGHT, MIDNIGHT.plus(Duration.ofDays(1)));

    private final CountDownLatch begun = new CountDownLatch(1);

    @Test
    void theDayIsRemovedOnceAndNotBeforeItIsDue() throws InterruptedException {
        List<Window> removed = new ArrayList<>();
        long due = System.nanoTime() + Duration.ofMillis(20).toNanos();
        DroppedDay drop = drop(
                day -> {
                    removed.add(day);
                    return new Removed(Means.PARTITION, Duration.ofMillis(3));
                },
                due);
        assertThat(removed).containsExactly(DAY);
        assertThat(drop.startNanos() - due).isNotNegative();
        assertThat(drop.endNanos() - drop.startNanos()).isNotNegative();
        assertThat(drop.removed()).contains(new Removed(Means.PARTITION, Duration.ofMillis(3)));
        assertThat(drop.failure()).isEmpty();
    }

    @Test
    void aServerThatRefusesIsQuotedAndNobodyKnowsWhetherTheDayIsThere() throws InterruptedException {
        DroppedDay drop = drop(
                day -> {
                    throw new TargetException("lock timeout");
                },
                System.nanoTime());
        assertThat(drop.failure()).isEqualTo("lock timeout");
        assertThat(drop.removed()).isEmpty();
        assertThat(drop.endNanos() - System.nanoTime())
                .isGreaterThan(Duration.ofDays(365).toNanos());
    }

    private DroppedDay drop(DayRemoval removal, long dueNanos) throws InterruptedException {
        RetentionRun run = new RetentionRun(
                day -> {
                    begun.countDown();
                    return removal.remove(day);
                },
                DAY,
                dueNanos);
        assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
        return run.close().orElseThrow();
    }
}
