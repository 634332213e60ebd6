package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import siemload.database.Store.DayRemoval.Means;
import siemload.database.Store.DayRemoval.Removed;
import siemload.database.TargetException;
import siemload.load.LoadEngine.RetentionRun;
import siemload.query.Window;
import siemload.run.answers.DroppedDay;

final class RetentionRunTest {
    private static final Instant MIDNIGHT = Instant.parse("2016-06-06T00:00:00Z");
    private static final Window DAY = new Window(MIDNIGHT, MIDNIGHT.plus(Duration.ofDays(1)));

    @Test
    void theDayIsRemovedOnceAndNotBeforeItIsDue() throws InterruptedException {
        List<Window> removed = new ArrayList<>();
        long due = System.nanoTime() + Duration.ofMillis(20).toNanos();
        DroppedDay drop = drop(due, removed::add);
        assertThat(removed).containsExactly(DAY);
        assertThat(drop.startNanos() - due).isNotNegative();
        assertThat(drop.endNanos() - drop.startNanos()).isNotNegative();
        assertThat(drop.removed()).contains(new Removed(Means.PARTITION, Duration.ofMillis(3)));
        assertThat(drop.failure()).isEmpty();
    }

    @Test
    void aServerThatRefusesIsQuotedAndNobodyKnowsWhetherTheDayIsThere() throws InterruptedException {
        DroppedDay drop = drop(System.nanoTime(), day -> {
            throw new TargetException("lock timeout");
        });
        assertThat(drop.failure()).isEqualTo("lock timeout");
        assertThat(drop.removed()).isEmpty();
        assertThat(drop.endNanos() - System.nanoTime())
                .isGreaterThan(Duration.ofDays(365).toNanos());
    }

    private static DroppedDay drop(long dueNanos, Consumer<Window> removal) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        RetentionRun run = new RetentionRun(
                day -> {
                    begun.countDown();
                    removal.accept(day);
                    return new Removed(Means.PARTITION, Duration.ofMillis(3));
                },
                DAY,
                dueNanos);
        Fixtures.await(begun);
        return run.close().orElseThrow();
    }
}
