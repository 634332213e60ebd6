package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import siemload.load.SearchWorkers.WorkQueue;

/** The searches are texts. */
@Timeout(30)
class WorkQueueTest {
    private final WorkQueue<String> queue = new WorkQueue<>();
    private final List<Thread> threads = new ArrayList<>();

    @AfterEach
    void endThreads() {
        threads.forEach(Thread::interrupt);
    }

    @Test
    void anIdleWorkerDoesAStepItselfAMomentBeforeItIsDueAtMost() {
        CompletableFuture<Thread> done = new CompletableFuture<>();
        CompletableFuture<Long> early = new CompletableFuture<>();
        Thread worker = startWorker(search -> {});
        long due = System.nanoTime() + Duration.ofMillis(20).toNanos();

        queue.at(due, () -> {
            early.complete(due - System.nanoTime());
            done.complete(Thread.currentThread());
        });

        assertThat(done.join()).isSameAs(worker);
        assertThat(early.join()).isLessThan(500_000L);
    }

    @Test
    void whatIsDueFirstIsDoneFirstWhateverTheOrderInWhichItCame() {
        List<Integer> done = new ArrayList<>();
        long now = System.nanoTime();
        CountDownLatch all = new CountDownLatch(40);
        for (int i = 39; i >= 0; i--) {
            int step = i;
            queue.at(now + step * 1_000_000L, () -> {
                done.add(step);
                all.countDown();
            });
        }

        startWorker(search -> {});

        await(all);
        assertThat(done).isSorted().hasSize(40);
    }

    @Test
    void whileAllWorkersAreBusyStepsAreDoneAllTheSame() {
        CountDownLatch busy = new CountDownLatch(1);
        CompletableFuture<Void> release = new CompletableFuture<>();
        CompletableFuture<Thread> done = new CompletableFuture<>();
        Thread overdue = startOverdue();
        startWorker(search -> {
            busy.countDown();
            release.join();
        });
        queue.add("long");
        await(busy);
        queue.at(System.nanoTime() + Duration.ofMillis(5).toNanos(), () -> done.complete(Thread.currentThread()));

        assertThat(done.join()).isSameAs(overdue);
        release.complete(null);
    }

    @Test
    void nothingIsLostOrDoneTwiceWithManyWorkersAndSubmitters() {
        int each = 2_000;
        ConcurrentLinkedQueue<String> done = new ConcurrentLinkedQueue<>();
        CountDownLatch all = new CountDownLatch(3 * each);
        startOverdue();
        for (int i = 0; i < 4; i++) {
            startWorker(search -> {
                done.add(search);
                all.countDown();
            });
        }
        for (int submitter = 0; submitter < 3; submitter++) {
            int name = submitter;
            Random random = new Random(submitter);
            start(() -> {
                for (int i = 0; i < each; i++) {
                    String search = name + "-" + i;
                    queue.at(System.nanoTime() + random.nextInt(3_000_000), () -> queue.add(search));
                }
            });
        }

        await(all);
        assertThat(done).hasSize(3 * each).doesNotHaveDuplicates();
    }

    private Thread startWorker(Consumer<String> search) {
        return start(() -> {
            try {
                while (true) {
                    queue.next().ifPresent(search);
                }
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private Thread startOverdue() {
        return start(() -> {
            try {
                while (true) {
                    queue.nextOverdue().ifPresent(Runnable::run);
                }
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private Thread start(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
        return thread;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException ended) {
            throw new IllegalStateException(ended);
        }
    }
}
