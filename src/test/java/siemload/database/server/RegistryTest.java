package siemload.database.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import siemload.database.TargetException;
import siemload.database.server.Registry.Claim;
import siemload.database.server.Registry.Entry;
import siemload.database.server.Registry.Entry.Purpose;

final class RegistryTest {
    private static final String ELSEWHERE = "another-machine/4026531836 17 4711";
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final MemoryServer server = new MemoryServer();
    private final Registry registry = new Registry(server, Duration.ofHours(1), Registry.THIS_PROCESS);

    @AfterEach
    void endSignsOfLife() {
        registry.close();
    }

    @Test
    void whatAnotherMachineLeftIsDroppedOnlyWhenItsLastSignOfLifeIsOld() {
        left("run_elsewhere", Purpose.RUN, ELSEWHERE);
        server.jump(PATIENCE);
        registry.sweep();
        assertThat(server.objects()).containsKey("run_elsewhere");
        server.jump(Duration.ofSeconds(1));
        registry.sweep();
        assertThat(server.objects()).isEmpty();
    }

    @Test
    void whatSomebodyIsConnectedToWaitsForALaterRun() {
        left("run_killed", Purpose.RUN, holder("0"));
        server.use("run_killed");
        registry.sweep();
        assertThat(server.objects()).containsKey("run_killed");
        server.letGo("run_killed");
        registry.sweep();
        assertThat(server.objects()).isEmpty();
    }

    @Test
    void aKeptDataSetThatAnAdministratorDroppedIsReplaced() {
        loading("data_first").keep("10 rows", 10);
        server.drop(server.entries().get(0), Registry.Sessions.RESPECT);
        assertThat(registry.kept("fingerprint")).isEmpty();
        assertThat(loading("data_second").keep("10 rows", 10)).isTrue();
        assertThat(registry.kept("fingerprint")).map(Entry::name).hasValue("data_second");
    }

    @Test
    void aChangeWhoseAcknowledgementWasLostIsTakenForMade() {
        Claim claim = loading("data_first");
        server.loseAcknowledgements(1);
        claim.giveSignOfLife();
        assertThat(claim.keep("10 rows", 10)).isTrue();
    }

    @Test
    void aClaimThatWasTakenForAbandonedSaysSo() {
        Claim claim = loading("data_first");
        Entry entry = server.entries().get(0);
        server.change(
                entry,
                Optional.of(
                        entry.changed(entry.identity(), ELSEWHERE, server.now().toEpochMilli())));
        assertThatExceptionOfType(TargetException.class)
                .isThrownBy(() -> claim.keep("10 rows", 10))
                .withMessageContaining("data_first was considered abandoned");
    }

    @Test
    void namesAreShortEnoughAndNeverTheSame() {
        String one = Registry.name("siemload_run_", "x".repeat(100), 63);
        String other = Registry.name("siemload_run_", "x".repeat(100), 63);
        assertThat(one).hasSize(63).startsWith("siemload_run_x").isNotEqualTo(other);
        assertThat(Registry.name("siemload_run_", "hawat", 63)).matches("siemload_run_hawat_[0-9a-f]{8}");
    }

    @Test
    void aDataSetThatIsReadIsDroppedOnlyWhenItsLastReaderHasEndedOrIsGone() {
        assertThat(loading("data_read").keep("10 rows", 10)).isTrue();
        Claim reader = reading("reads_1");
        server.insert(entry("reads_2", Purpose.READING, "data_read", ELSEWHERE));
        registry.discard("fingerprint");
        assertThat(registry.kept("fingerprint")).isEmpty();
        assertThat(registry.readers("data_read")).hasSize(2);
        kill(server.entries().stream()
                .filter(entry -> entry.purpose() == Purpose.LOADING)
                .findFirst()
                .orElseThrow());
        registry.sweep();
        reader.close();
        registry.sweep();
        assertThat(server.objects()).containsKey("data_read");
        kill(registry.readers("data_read").get(0));
        registry.sweep();
        assertThat(server.objects()).isEmpty();
        assertThat(server.entries()).isEmpty();
    }

    private Claim reading(String name) {
        return registry.claim(Purpose.READING, name, "fingerprint", "run 1", "data_read");
    }

    /** Its process is gone. */
    private void kill(Entry entry) {
        server.change(
                entry,
                Optional.of(entry.changed(
                        entry.identity(), holder("0"), server.now().toEpochMilli())));
    }

    private Claim loading(String name) {
        Claim claim = registry.claim(Purpose.LOADING, name, "fingerprint", "smoke", "");
        server.make(name, "made as " + name);
        claim.made("made as " + name);
        return claim;
    }

    private void left(String name, Purpose purpose, String holder) {
        server.insert(entry(name, purpose, "made as " + name, holder));
        server.make(name, "made as " + name);
    }

    private Entry entry(String name, Purpose purpose, String identity, String holder) {
        long now = server.now().toEpochMilli();
        return new Entry(name, purpose, "fingerprint", "smoke", identity, "", 0, holder, 0, now);
    }

    /** Of this machine, as a process with this start, which no living one has. */
    private static String holder(String start) {
        return Registry.THIS_PROCESS.replaceFirst("\\d+$", start);
    }

    private static final Duration RENEWAL = Duration.ofMillis(2);
    private static final int SIEMLOADS = 4;

    static IntStream seeds() {
        return IntStream.range(0, 50);
    }

    /**
     * Runs and loads at once, step by step in any order, some of them killed: nobody loses what is their own, no half of a data set is
     * used, and what the killed ones left goes.
     */
    @ParameterizedTest
    @MethodSource("seeds")
    void nothingIsLostAndNothingHalfLoadedIsUsed(int seed) throws Exception {
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
