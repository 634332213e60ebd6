package siemload.run;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import siemload.config.DaemonThread;
import siemload.config.Property;
import siemload.config.Settings;
import siemload.database.PlainLookup;
import siemload.database.SearchException;
import siemload.database.Store;
import siemload.database.TargetException;
import siemload.dataset.Popularity;
import siemload.dataset.SeededRandom;

/**
 * What a search by id costs a process that does nothing but call the database's driver: threads look events up in a loop,
 * each over a connection of its own. Nothing else should go on in the process.
 */
public final class PlainLookups {
    private static final int IDS = 1_000;

    private final RunHost host;
    private final int threads;
    private final LongAdder found = new LongAdder();
    private final CountDownLatch failed = new CountDownLatch(1);
    private volatile boolean over;

    private PlainLookups(RunHost host, int threads) {
        this.host = host;
        this.threads = threads;
    }

    /**
     * What was measured.
     *
     * @param lookups how many events were looked up
     * @param cpuMicros processor time of this process for each of them
     */
    public record Cost(long lookups, double cpuMicros) {}

    /**
     * Measures on the database and the data set of the settings.
     *
     * @param warmup how long before measuring
     * @param measured how long
     * @throws siemload.config.ConfigException if settings or files are wrong
     * @throws TargetException if the database cannot be had, fails, or has no plain lookup
     */
    public static Cost measure(RunHost host, Settings settings, int threads, Duration warmup, Duration measured) {
        return OpenedStore.<Cost, RuntimeException>during(host, settings, opened -> {
            List<String> ids = LongStream.range(0, IDS)
                    .mapToObj(number -> opened.pools()
                            .id(
                                    Popularity.HOT,
                                    SeededRandom.of(opened.plan().settings().value(Property.SEED), number)))
                    .toList();
            return new PlainLookups(host, threads).run(opened.store(), ids, warmup, measured);
        });
    }

    private Cost run(Store store, List<String> ids, Duration warmup, Duration measured) throws InterruptedException {
        host.status("looking events up with the plain driver");
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            long seed = i;
            PlainLookup lookup = store.openPlainLookup()
                    .orElseThrow(() -> new TargetException("this target is not compared with its driver"));
            Thread thread =
                    DaemonThread.start("siemload-plain-" + i, () -> lookUp(lookup, ids, new SeededRandom(seed)));
            all.add(thread);
        }
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        boolean broken = failed.await(warmup.toNanos(), TimeUnit.NANOSECONDS);
        long cpuNanos = system.getProcessCpuTime();
        long lookups = found.sum();
        broken = broken || failed.await(measured.toNanos(), TimeUnit.NANOSECONDS);
        cpuNanos = system.getProcessCpuTime() - cpuNanos;
        lookups = found.sum() - lookups;
        over = true;
        for (Thread thread : all) {
            thread.join();
        }
        host.status("");
        if (broken || lookups == 0) {
            throw new TargetException("the plain driver could not look events up");
        }
        return new Cost(lookups, cpuNanos / 1e3 / lookups);
    }

    private void lookUp(PlainLookup lookup, List<String> ids, SeededRandom random) {
        try (lookup) {
            while (!over) {
                if (lookup.lookUp(ids.get(random.nextInt(ids.size()))) == 0) {
                    throw new SearchException(SearchException.Kind.OTHER, "", "an event was not found");
                }
                found.increment();
            }
        } catch (SearchException broken) {
            failed.countDown();
            host.failure(String.valueOf(broken.getMessage()), broken);
        }
    }
}
