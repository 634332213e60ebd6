package siemload.load;

import java.time.Duration;
import java.util.List;
import siemload.run.ReadRouting;

/** All places where the users of a load search. Thread-safe. */
record ReadPools(ReadRouting routing, List<ReadPool> pools) implements AutoCloseable {
    ReadPools {
        pools = List.copyOf(pools);
    }

    /** Where the user, or the task, of this number searches. */
    ReadPool of(long number) {
        return pools.get(routing.replica(number));
    }

    /** Waits until every submitted search has ended, or the time is up. */
    void awaitIdle(Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        for (ReadPool pool : pools) {
            pool.workers().awaitIdle(Duration.ofNanos(deadline - System.nanoTime()));
        }
    }

    /** As {@link ReadPool#cancelAll}. */
    void cancelAll() {
        pools.forEach(ReadPool::cancelAll);
    }

    /** As {@link SearchWorkers#giveUp}. */
    void giveUp() {
        pools.forEach(pool -> pool.workers().giveUp());
    }

    @Override
    public void close() {
        pools.forEach(ReadPool::close);
    }
}
