package siemload.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class OrderedBatchesTest {
    private final List<Integer> taken = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void batchesMadeByOtherThreadsAreTakenInOrderByThisOne(int threads) {
        Set<Thread> makers = ConcurrentHashMap.newKeySet();
        AtomicInteger made = new AtomicInteger();
        Thread taker = Thread.currentThread();
        try (OrderedBatches<Integer> batches = new OrderedBatches<>(threads, batch -> {
            assertThat(Thread.currentThread()).isSameAs(taker);
            assertThat(made.get() - taken.size()).isLessThanOrEqualTo(2 * threads);
            taken.add(batch);
        })) {
            for (int i = 0; i < 100; i++) {
                int number = i;
                batches.add(() -> {
                    makers.add(Thread.currentThread());
                    made.incrementAndGet();
                    return number;
                });
            }
            batches.finish();
        }
        assertThat(taken).isEqualTo(IntStream.range(0, 100).boxed().toList());
        assertThat(makers).doesNotContain(taker).hasSizeLessThanOrEqualTo(threads);
    }

    /** The second one is made before the first. */
    @Test
    void aBatchWaitsForThoseBeforeIt() {
        CountDownLatch second = new CountDownLatch(1);
        try (OrderedBatches<Integer> batches = new OrderedBatches<>(2, taken::add)) {
            batches.add(() -> {
                second.await();
                return 1;
            });
            batches.add(() -> {
                second.countDown();
                return 2;
            });
            batches.finish();
        }
        assertThat(taken).containsExactly(1, 2);
    }

    @Test
    void whyABatchCouldNotBeMadeIsTold() {
        IllegalArgumentException why = new IllegalArgumentException("no such day");
        IOException torn = new IOException("torn");
        try (OrderedBatches<Integer> batches = new OrderedBatches<>(1, taken::add)) {
            batches.add(() -> 1);
            batches.add(() -> {
                throw why;
            });
            batches.add(() -> 3);
            assertThatThrownBy(batches::finish).isSameAs(why);
            batches.add(() -> {
                throw torn;
            });
            assertThatThrownBy(batches::finish).hasCause(torn);
        }
        assertThat(taken).containsExactly(1, 3);
    }

    @Test
    void whoeverIsInterruptedStopsAndStaysInterrupted() throws InterruptedException {
        CountDownLatch given = new CountDownLatch(1);
        try (OrderedBatches<Integer> batches = new OrderedBatches<>(1, taken::add)) {
            batches.add(() -> {
                try {
                    new CountDownLatch(1).await();
                    return 1;
                } catch (InterruptedException up) {
                    given.countDown();
                    throw up;
                }
            });
            Thread.currentThread().interrupt();
            assertThatThrownBy(batches::finish).isInstanceOf(CancellationException.class);
            assertThat(Thread.interrupted()).isTrue();
        }
        given.await();
        assertThat(taken).isEmpty();
    }
}
