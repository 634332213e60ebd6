package siemload.database.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import siemload.database.TargetException;
import siemload.database.server.Registry.Claim;
import siemload.database.server.Registry.Entry;
import siemload.database.server.Registry.Entry.Purpose;

/** What is dropped is what siemload made and nobody uses any more; nothing else. */
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
    void anObjectOfTheSameNameThatSomebodyElseMadeIsLeftAloneAndItsEntryForgotten() {
        left("run_killed", Purpose.RUN, holder("0"));
        server.make("run_killed", "of somebody else");
        registry.sweep();
        assertThat(server.objects()).containsEntry("run_killed", "of somebody else");
        assertThat(server.entries()).isEmpty();
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
}
