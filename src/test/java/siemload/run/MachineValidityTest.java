package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.database.Counters.SessionCounts.SessionState;
import siemload.results.DatabaseActivity;
import siemload.results.HostActivity;
import siemload.results.HostActivity.HeavyProcess;
import siemload.results.HostActivity.Pauses;
import siemload.results.MicrosSummary;
import siemload.run.RunValidity.MachineValidity;

/** Each limit from both sides; the numbers are worked out in the names or beside them. */
class MachineValidityTest {
    private static final double SECONDS = 10;

    private double generator = 0.1;
    private double database;
    private double others;
    private double steal;
    private boolean starved;
    private long swapIn;
    private long swapOut;
    private List<HeavyProcess> heavy = List.of();
    private Pauses pauses = new Pauses(0, 0, 0);
    private long latenessP50Micros;
    private long latenessP95Micros;
    private long latenessP99Micros;
    private double waited;
    private double lost;
    private double lostMost;
    private List<HostActivity.Disk> disks = List.of();
    private DatabaseActivity activity = DatabaseActivity.NONE;
    private long responseP95Micros = 50_000;

    @Test
    void aQuietMachineIsNotMentioned() {
        assertThat(judged().warnings()).isEmpty();
        assertThat(judged().notes()).isEmpty();
    }

    @Test
    void aGeneratorAboveFourFifthsOfItsCpusIsNotValid() {
        generator = 0.8;
        assertThat(judged().warnings()).isEmpty();

        generator = 0.81;
        assertThat(judged().warnings())
                .containsExactly("the load generator used 81 % of its CPUs: the numbers describe it, not the database");
    }

    @Test
    void eventLoopsUpToTenMillisecondsLateAreInTime() {
        latenessP99Micros = 10_000;
        responseP95Micros = 1_000;

        assertThat(judged().warnings()).isEmpty();
        assertThat(judged().notes()).isEmpty();
    }

    @Test
    void eventLoopsLaterThanATenthOfTheResponseTimesAreNotValid() {
        latenessP99Micros = 12_000;
        responseP95Micros = 119_000;

        assertThat(judged().warnings())
                .containsExactly("the load generator's event loops were 12.0 ms late at p99, which is much of the"
                        + " response times: this machine has too little CPU for load generator and database together"
                        + " (load generator 10 %, database 0 %, others 0 %); use fewer users, or run the load generator on"
                        + " another machine");
        assertThat(judged().signs()).isEmpty();
    }

    @Test
    void eventLoopsThatTheDatabaseMadeLateAreASignOfItsBeingSaturated() {
        starved = true;
        latenessP50Micros = 25_000;
        latenessP99Micros = 60_000;
        responseP95Micros = 120_000;

        assertThat(judged().warnings()).isEmpty();
        assertThat(judged().signs())
                .containsExactly("the load generator's event loops were 60.0 ms late at p99, which is much of the"
                        + " response times: the database took the CPUs that the load generator needs, too");
    }

    @Test
    void waitingThatIsMoreThanHalfOfWhatWasMeasuredIsNotValidWhoeverIsToBlame() {
        starved = true;
        database = 0.9;
        latenessP50Micros = 25_001;
        latenessP99Micros = 61_000;
        responseP95Micros = 120_000;

        assertThat(judged().signs()).isEmpty();
        assertThat(judged().warnings())
                .containsExactly("the load generator's event loops were 61.0 ms late at p99, which is much of the"
                        + " response times: the database took the CPUs (load generator 10 %, database 90 %, others 0 %), so"
                        + " that the load generator measured its own waiting for one; run it on another machine, or use"
                        + " fewer users");
    }

    @Test
    void waitingForAFreeWorkerIsJudgedAlike() {
        MicrosSummary responses = new MicrosSummary(0, 0, 50_000, 0, 100_000, 0, 0, 0);
        MachineValidity shortOnes = judged();
        shortOnes.checkWait(waits(0, 10_000), responses);
        assertThat(shortOnes.warnings()).isEmpty();
        MachineValidity lasting = judged();
        lasting.checkWait(waits(0, 10_001), responses);
        assertThat(lasting.warnings())
                .singleElement()
                .asString()
                .startsWith(
                        "searches waited 10.0 ms at p95 for a worker that was free: this machine has too little CPU");
        starved = true;
        MachineValidity hungry = judged();
        hungry.checkWait(waits(25_000, 50_000), responses);
        assertThat(hungry.warnings()).isEmpty();
        assertThat(hungry.signs()).hasSize(1);
        MachineValidity onlyHungry = judged();
        onlyHungry.checkWait(waits(25_001, 50_000), responses);
        assertThat(onlyHungry.warnings()).hasSize(1);
    }

    private static MicrosSummary waits(long p50, long p95) {
        return new MicrosSummary(0, 0, p50, 0, p95, 0, 0, 0);
    }

    @Test
    void longPausesOfAStarvedLoadGeneratorAreASignUpToATenthOfTheTime() {
        starved = true;
        pauses = new Pauses(3, 1_000_000, 600_000);
        assertThat(judged().warnings()).isEmpty();
        assertThat(judged().signs())
                .containsExactly("the load generator paused for its garbage collector: 3 times, 1000 ms in all, at most"
                        + " 600 ms: the database took the CPUs that they need");

        pauses = new Pauses(3, 1_000_001, 600_000);
        assertThat(judged().signs()).isEmpty();
        assertThat(judged().warnings()).hasSize(1);
    }

    @Test
    void eventLoopsLateByLessThanATenthOfTheResponseTimesAreNoted() {
        latenessP99Micros = 12_000;
        responseP95Micros = 120_000;

        assertThat(judged().warnings()).isEmpty();
        assertThat(judged().notes())
                .containsExactly("the load generator's event loops were 12.0 ms late at p99, which is part of the"
                        + " response times");
    }

    @Test
    void pausesUpToFiftyMillisecondsAreNotMentioned() {
        pauses = new Pauses(10, 500_000, 50_000);

        assertThat(judged().warnings()).isEmpty();
        assertThat(judged().notes()).isEmpty();
    }

    /** A hundredth of 10 s are 100 ms. */
    @Test
    void longPausesOfNoMoreThanAHundredthOfTheTimeAreNoted() {
        pauses = new Pauses(3, 100_000, 60_000);

        assertThat(judged().warnings()).isEmpty();
        assertThat(judged().notes())
                .containsExactly("the load generator paused for its garbage collector: 3 times, 100 ms in all, at most"
                        + " 60 ms: the longest response times may be those of pauses");
    }

    @Test
    void longPausesOfMoreThanAHundredthOfTheTimeAreNotValid() {
        pauses = new Pauses(3, 101_000, 60_000);

        assertThat(judged().warnings())
                .containsExactly("the load generator paused for its garbage collector: 3 times, 101 ms in all, at most"
                        + " 60 ms: response times from p99 on may be those of pauses (give it more memory)");
    }

    @Test
    void whatOthersCostIsToldFromATwentiethOfTheCpuTimeOn() {
        waited = 4;
        others = 0.4;
        heavy = List.of(new HeavyProcess("javac", 0.38));
        lost = 0.048;
        assertThat(judged().disturbance().seen()).isFalse();
        assertThat(judged().disturbance().percentilesOffPercent()).isEqualTo(4.8);
        assertThat(judged().notes())
                .containsExactly("other programs were busy on this machine (javac 38 % of all CPUs)");

        lost = 0.12;
        assertThat(judged().disturbance().sentence())
                .isEqualTo("other programs (javac 38 %) took CPU time; the percentiles may be off by about 12 %");
        assertThat(judged().warnings()).isEmpty();
        assertThat(judged().notes()).isEmpty();
    }

    @Test
    void aBurstCountsByHalfOfWhatItCostInTheWorstSeconds() {
        waited = 4;
        others = 0.1;
        lost = 0.02;
        lostMost = 0.14;

        assertThat(judged().disturbance().sentence())
                .isEqualTo("other programs (10 % together) took CPU time; the percentiles may be off by about 7 %");
    }

    @Test
    void aNeighbourThatTakesMuchAndCostsLittleIsNoted() {
        waited = 0.02;
        others = 0.5;
        lost = 0.01;
        heavy = List.of(new HeavyProcess("backup", 0.5));

        assertThat(judged().disturbance().seen()).isFalse();
        assertThat(judged().notes())
                .containsExactly("other programs were busy on this machine (backup 50 % of all CPUs)");
    }

    @Test
    void theHypervisorIsNamedToo() {
        waited = 1;
        steal = 0.06;
        lost = 0.5;

        assertThat(judged().disturbance().causes())
                .containsExactly("the hypervisor gave 6 % of the CPU time to others");
    }

    /** A fifth of the CPUs is a quarter of what is left. */
    @Test
    void whereNobodyTellsHowLongThreadsWaitWhatOthersTookIsTheGuess() {
        others = 0.2;

        assertThat(judged().disturbance().percentilesOffPercent()).isEqualTo(25);
        assertThat(judged().notes()).singleElement().asString().contains("does not tell how long threads wait");
    }

    @Test
    void lateEventLoopsBesideOtherProgramsBelongToWhatTheseCost() {
        waited = 4;
        others = 0.4;
        lost = 0.2;
        latenessP95Micros = 20_000;
        latenessP99Micros = 30_000;

        assertThat(judged().warnings()).isEmpty();
        assertThat(judged().disturbance().percentilesOffPercent())
                .as("20 of 50 ms")
                .isEqualTo(40);
    }

    /** Three of four bytes that the disk moved were others'; 0.4 of the sessions waited for it, and 0.5 searches ran. */
    @Test
    void whoUsesTheDisksForWhichSessionsWaitDisturbs() {
        database = 0.2;
        waited = 1;
        disks = List.of(new HostActivity.Disk("vda", 10, 1_000, 10, 3_000, 0.9));
        activity = new DatabaseActivity(
                List.of(new DatabaseActivity.Io("data", 10, 1_000, 0, 0, 0)),
                List.of(),
                Map.of(SessionState.READINGS, 10L, SessionState.IO.counter(), 4L),
                Map.of(),
                10,
                0);

        assertThat(judged().disturbance().sentence())
                .isEqualTo("other programs moved 75 % of what the disks read and wrote; the percentiles may be off by"
                        + " about 60 %");
    }

    /** 1 MB in each of 10 s. */
    @Test
    void swappingIsNotedUpToAMegabyteASecondAndNotValidAbove() {
        swapIn = 10 << 20;
        assertThat(judged().warnings()).isEmpty();
        assertThat(judged().notes()).containsExactly("this machine swapped 10.0 MB");

        swapOut = 1 << 20;
        assertThat(judged().warnings()).containsExactly("this machine swapped 11.0 MB: it has too little memory");
    }

    @Test
    void sharedCpusAreNotedOnce() {
        database = 0.45;

        assertThat(judged().warnings()).isEmpty();
        assertThat(judged().notes())
                .containsExactly("database and load generator share the 2 CPUs of this machine; they took 45 % and 10 %"
                        + " of them");
    }

    @Test
    void ofAMachineThatNobodyWatchedTheGeneratorIsJudged() {
        MachineValidity validity = MachineValidity.of(
                HostActivity.NONE, DatabaseActivity.NONE, false, 0.9, MicrosSummary.NONE, 0, SECONDS);

        assertThat(validity.warnings()).hasSize(1);
        assertThat(validity.notes()).isEmpty();
    }

    private MachineValidity judged() {
        HostActivity host = new HostActivity(
                2,
                new HostActivity.CpuShares(database, generator, others, 0.3, steal),
                new HostActivity.Contention(0, waited, lost, lostMost, 0, 0),
                9.5,
                1L << 30,
                0,
                new HostActivity.Transfers(swapIn, swapOut, 0, 0),
                disks,
                heavy,
                pauses,
                new MicrosSummary(0, 0, latenessP50Micros, 0, latenessP95Micros, latenessP99Micros, 0, 0));
        MicrosSummary responseTimes = new MicrosSummary(0, 0, 50_000, 0, responseP95Micros, 0, 0, 0);
        return MachineValidity.of(host, activity, starved, generator, responseTimes, 0.5, SECONDS);
    }
}
