package siemload.database.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import siemload.database.server.Registry.Claim;
import siemload.database.server.Registry.Entry;
import siemload.database.server.Registry.Entry.Purpose;

/**
 * Runs and loads at once, step by step in any order, some of them killed: nobody loses what is their own, no half of a data
 * set is used, and what the killed ones left goes.
 */
@Tag("any-java")
final class InterleavingTest {
    private static final Duration RENEWAL = Duration.ofMillis(2);
    private static final int SIEMLOADS = 4;

    static IntStream seeds() {
        return IntStream.range(0, 200);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void nothingIsLostAndNothingHalfLoadedIsUsed(int seed) throws Exception {
        MemoryServer server = new MemoryServer();
        server.make("siemload_run_of_somebody_else", "theirs");
        ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();
        ExecutorService siemloads = Executors.newFixedThreadPool(SIEMLOADS);
        SplittableRandom random = new SplittableRandom(seed);
        List<? extends Future<?>> all = IntStream.range(0, SIEMLOADS)
                .mapToObj(i -> new Siemload(server, "machine-" + i + " 1 1", random.split(), faults))
                .map(siemloads::submit)
                .toList();
        for (Future<?> one : all) {
            one.get();
        }
        siemloads.shutdown();
        new Siemload(server, "machine-last 1 1", random.split(), faults).useDataSet();
        assertThat(faults).isEmpty();
        assertThat(server.entries())
                .singleElement()
                .satisfies(entry -> assertThat(entry.purpose()).isEqualTo(Purpose.DATA_SET));
        assertThat(server.objects())
                .containsOnlyKeys(
                        "siemload_run_of_somebody_else", server.entries().get(0).name());
    }

    /** Loads the data set unless it is kept, works on a copy of it, and drops the copy; is killed at any step, now and then. */
    private record Siemload(
            MemoryServer server, String self, SplittableRandom random, ConcurrentLinkedQueue<String> faults)
            implements Runnable {
        private static final String WHOLE = "whole";
        private static final double KILLED = 0.05;

        @Override
        public void run() {
            try {
                step();
                useDataSet();
            } catch (Killed atAnyStep) {
                while (server.entries().stream()
                        .anyMatch(entry -> entry.holder().equals(self))) {
                    die(); // A last sign of life may have come in between.
                }
            }
        }

        private void die() {
            server.entries().stream()
                    .filter(entry -> entry.holder().equals(self))
                    .forEach(entry -> server.change(
                            entry,
                            Optional.of(entry.changed(
                                    entry.identity(), gone(), server.now().toEpochMilli()))));
        }

        private void useDataSet() {
            try (Registry registry = new Registry(server, RENEWAL, self)) {
                registry.sweep();
                if (registry.kept("fingerprint").isEmpty()) {
                    load(registry);
                }
                Entry kept = registry.kept("fingerprint").orElseThrow();
                if (!kept.contents().equals(WHOLE)) {
                    faults.add("a half-loaded data set is kept: " + kept);
                }
                work(registry);
                registry.sweep();
            }
        }

        private void load(Registry registry) {
            Claim claim = made(registry, Purpose.LOADING, "siemload_data_");
            step();
            if (!claim.keep(WHOLE, 1)) {
                claim.close();
            }
        }

        private void work(Registry registry) {
            Claim copy = made(registry, Purpose.RUN, "siemload_run_");
            step();
            if (!server.objects().containsKey(copy.name())) {
                faults.add(copy.name() + " was dropped while it was in use");
            }
            copy.close();
        }

        private Claim made(Registry registry, Purpose purpose, String prefix) {
            String name = Registry.name(prefix, "x", 63);
            Claim claim = registry.claim(purpose, name, "fingerprint", "smoke", "");
            step();
            server.make(name, name);
            step();
            claim.made(name);
            return claim;
        }

        /** Takes a moment, or is the last one. */
        private void step() {
            long end = System.nanoTime() + random.nextLong(50_000);
            while (System.nanoTime() - end < 0) {
                Thread.yield();
            }
            if (!self.startsWith("machine-last") && random.nextDouble() < KILLED) {
                throw new Killed();
            }
        }

        /** A process of this machine that is not there any more. */
        private static String gone() {
            return Registry.THIS_PROCESS.replaceFirst("\\d+$", "0");
        }
    }

    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1;
    }
}
