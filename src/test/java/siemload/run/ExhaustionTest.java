package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.database.Counters.SessionCounts.SessionState;
import siemload.results.DatabaseActivity;
import siemload.results.HostActivity;
import siemload.results.HostActivity.CpuShares;
import siemload.results.HostActivity.Disk;
import siemload.results.HostActivity.Pauses;
import siemload.results.MicrosSummary;
import siemload.run.LoadRun.LoadLimits;

/** Each limit from both sides. */
class ExhaustionTest {
    private static final LoadLimits TEN_WORKERS = new LoadLimits(10, true, 0, false);
    private static final CpuShares IDLE = new CpuShares(0.1, 0.1, 0, 0, 0);
    private static final CpuShares ELSEWHERE = new CpuShares(0, 0.1, 0, 0, 0);

    @Test
    void nineTenthsOfAllCpusMostlyForTheDatabaseAreAllOfThem() {
        assertThat(words(new CpuShares(0.8, 0.05, 0.05, 0, 0)))
                .containsExactly("the CPUs (the database took 80 % of all 2, the load generator 5 %, others 5 %)");
        assertThat(words(new CpuShares(0.79, 0.05, 0.05, 0, 0))).isEmpty();
    }

    @Test
    void aDatabaseWithLessThanHalfOfTheCpusHasNotTakenThem() {
        assertThat(words(new CpuShares(0.5, 0.1, 0.31, 0, 0))).hasSize(1);
        assertThat(words(new CpuShares(0.49, 0.1, 0.32, 0, 0))).isEmpty();
    }

    @Test
    void aLoadGeneratorThatUsesMoreThanHalfAsMuchIsNotStarved() {
        assertThat(exhaustion(new CpuShares(0.62, 0.31, 0, 0, 0)).starvesGenerator())
                .isTrue();
        assertThat(exhaustion(new CpuShares(0.6, 0.31, 0, 0, 0)).starvesGenerator())
                .isFalse();
    }

    @Test
    void aDatabaseInAContainerHasNoMoreThanItsOwnCpus() {
        CpuShares oneOfTwo = new CpuShares(0.45, 0.02, 0, 0, 0);
        assertThat(Exhaustion.of(host(oneOfTwo, List.of()), DatabaseActivity.NONE, new LoadLimits(10, true, 1, false))
                        .resources())
                .extracting(Exhaustion.Resource::words)
                .containsExactly("the CPUs of the database (it took 90 % of the 1 that it may use)");
        CpuShares less = new CpuShares(0.44, 0.02, 0, 0, 0);
        assertThat(Exhaustion.of(host(less, List.of()), DatabaseActivity.NONE, new LoadLimits(10, true, 1, false))
                        .resources())
                .isEmpty();
    }

    @Test
    void sessionsThatMostlyWaitForLocksAreNamed() {
        assertThat(words(IDLE, Map.of(SessionState.LOCK, 50L, SessionState.RUNNING, 50L)))
                .containsExactly(
                        "locks (of 10.0 sessions at work at once on average, 5.0 waited for others that hold locks)");
        assertThat(words(IDLE, Map.of(SessionState.LOCK, 49L, SessionState.RUNNING, 51L)))
                .isEmpty();
    }

    @Test
    void disksAreNamedWithAllThatIsKnownOfThem() {
        HostActivity host = host(
                new CpuShares(0.1, 0.1, 0, 0.3, 0),
                List.of(new Disk("vda", 1, 1, 1, 1, 0.9), new Disk("vdb", 1, 1, 1, 1, 0.89)));
        DatabaseActivity database = sessions(10, Map.of(SessionState.IO, 50L, SessionState.OTHER, 50L));
        assertThat(Exhaustion.of(host, database, TEN_WORKERS).resources())
                .extracting(Exhaustion.Resource::words)
                .containsExactly(
                        "the disks (vda was busy for 90 % of the time; the CPUs waited for disks for 30 % of the time;"
                                + " of 10.0 sessions at work at once on average, 5.0 waited for disks)");
        assertThat(words(new CpuShares(0.1, 0.1, 0, 0.29, 0))).isEmpty();
        assertThat(words(IDLE, Map.of(SessionState.IO, 49L, SessionState.OTHER, 51L)))
                .isEmpty();
    }

    @Test
    void aServersOwnQueueIsNamedFromAQuarterOfItsSessionsOn() {
        assertThat(words(IDLE, Map.of(SessionState.QUEUE, 25L, SessionState.RUNNING, 75L)))
                .containsExactly(
                        "the server's own queue (of 10.0 sessions at work at once on average, 2.5 waited for a place"
                                + " among those that it works on)");
        assertThat(words(IDLE, Map.of(SessionState.QUEUE, 24L, SessionState.RUNNING, 76L)))
                .isEmpty();
    }

    @Test
    void whereTheServerRunsElsewhereItsOwnWordCounts() {
        assertThat(words(ELSEWHERE, Map.of(SessionState.RUNNING, 90L)))
                .containsExactly(
                        "the server, as far as it tells (it worked on 9.0 sessions at once on average, of which 100 %"
                                + " ran or waited for a CPU)");
        assertThat(words(ELSEWHERE, Map.of(SessionState.RUNNING, 89L))).isEmpty();
        assertThat(words(ELSEWHERE, Map.of(SessionState.RUNNING, 49L, SessionState.OTHER, 51L)))
                .isEmpty();
        assertThat(words(IDLE, Map.of(SessionState.RUNNING, 90L)))
                .as("here its CPUs are seen")
                .isEmpty();
    }

    @Test
    void thatFewConnectionsAreBusySaysNothingOfAServerElsewhere() {
        DatabaseActivity database = sessions(10, Map.of(SessionState.RUNNING, 100L));
        assertThat(Exhaustion.of(host(ELSEWHERE, List.of()), database, new LoadLimits(10, false, 0, false))
                        .resources())
                .isEmpty();
    }

    @Test
    void cpusComeBeforeLocksAndLocksBeforeDisks() {
        HostActivity host = host(new CpuShares(0.95, 0.01, 0, 0, 0), List.of(new Disk("vda", 1, 1, 1, 1, 0.95)));
        DatabaseActivity database = sessions(10, Map.of(SessionState.LOCK, 50L, SessionState.RUNNING, 50L));
        assertThat(Exhaustion.of(host, database, TEN_WORKERS).resources())
                .extracting(resource -> resource.words().replaceAll(" \\(.*", ""))
                .containsExactly("the CPUs", "locks", "the disks");
    }

    @Test
    void sessionsThatMostlyWaitForTheirClientWaitForTheLoadGenerator() {
        DatabaseActivity half = sessions(10, Map.of(SessionState.CLIENT, 50L, SessionState.RUNNING, 50L));
        DatabaseActivity less = sessions(10, Map.of(SessionState.CLIENT, 49L, SessionState.RUNNING, 51L));
        assertThat(Exhaustion.of(HostActivity.NONE, half, TEN_WORKERS).waitsForGenerator())
                .isTrue();
        assertThat(Exhaustion.of(HostActivity.NONE, less, TEN_WORKERS).waitsForGenerator())
                .isFalse();
        assertThat(Exhaustion.of(HostActivity.NONE, DatabaseActivity.NONE, TEN_WORKERS)
                        .waitsForGenerator())
                .isFalse();
    }

    private static List<String> words(CpuShares cpu) {
        return exhaustion(cpu).resources().stream()
                .map(Exhaustion.Resource::words)
                .toList();
    }

    private static List<String> words(CpuShares cpu, Map<SessionState, Long> found) {
        return Exhaustion.of(host(cpu, List.of()), sessions(10, found), TEN_WORKERS).resources().stream()
                .map(Exhaustion.Resource::words)
                .toList();
    }

    private static Exhaustion exhaustion(CpuShares cpu) {
        return Exhaustion.of(host(cpu, List.of()), DatabaseActivity.NONE, TEN_WORKERS);
    }

    /** What a server tells of its sessions in so many readings together. */
    static DatabaseActivity sessions(long readings, Map<SessionState, Long> found) {
        Map<String, Long> counters = new HashMap<>();
        counters.put(SessionState.READINGS, readings);
        found.forEach((state, sessions) -> counters.put(state.counter(), sessions));
        return new DatabaseActivity(List.of(), List.of(), counters, Map.of(), readings, 0);
    }

    /** A machine with two CPUs. */
    static HostActivity host(CpuShares cpu, List<Disk> disks) {
        return new HostActivity(
                2,
                cpu,
                HostActivity.Contention.NONE,
                0,
                0,
                0,
                HostActivity.Transfers.NONE,
                disks,
                List.of(),
                new Pauses(0, 0, 0),
                MicrosSummary.NONE);
    }
}
