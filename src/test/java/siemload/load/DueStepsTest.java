package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class DueStepsTest {

    @Test
    void whatIsDueFirstIsDoneFirstWhateverTheOrderInWhichItCameAlsoOnceItIsClosed() throws InterruptedException {
        List<Integer> done = new ArrayList<>();
        CountDownLatch all = new CountDownLatch(40);
        try (DueSteps steps = new DueSteps()) {
            long now = System.nanoTime() + Duration.ofMillis(50).toNanos();
            for (int i = 39; i >= 0; i--) {
                int step = i;
                steps.at(now + step * 1_000_000L, () -> {
                    done.add(step);
                    all.countDown();
                });
            }
        }

        all.await();
        assertThat(done).isSorted().hasSize(40);
    }
}
