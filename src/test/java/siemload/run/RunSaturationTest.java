package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.database.Counters.SessionCounts.SessionState;
import siemload.measure.monitor.RunMonitor;
import siemload.results.HostActivity;
import siemload.results.Outcome;
import siemload.results.Saturation;
import siemload.results.Validity;
import siemload.results.Validity.RunVerdict;
import siemload.run.LoadRun.LoadLimits;

/** What shows that a database does not keep up, and what is the load generator's own fault. */
class RunSaturationTest extends ValidityFixture {
    @Test
    void aFeederThatWaitsForAcknowledgementsIsASignOfSaturation() {
        answered(1);
        fed(980);
        feeder.delayed(0, 40, 60);

        Saturation saturation = saturation();
        assertThat(saturation.gaveOut())
                .containsExactly(
                        "acknowledgements of fed events, of which 60 % of the delay came (neither CPUs, disks nor"
                                + " locks were seen to give out)");
        assertThat(saturation.signs())
                .singleElement()
                .asString()
                .startsWith("the feeder stored 980 of the 1000 events that were due");
        assertThat(saturation.advice()).startsWith("fewer events a second (-Deps)");
    }

    @Test
    void moreThanOneSearchInAHundredThatWaitedInVainIsASignOfSaturation() {
        answered(98);
        search(0, 0, 10, Outcome.TIMEOUT);
        search(0, 0, 10, Outcome.CANCELLED);
        allFed();

        Saturation saturation = saturation();
        assertThat(saturation.signs())
                .containsExactly(
                        "2 of 100 searches were not answered in time (1 timeout, 1 cancelled); they count with the"
                                + " time until then");
        assertThat(saturation.gaveOut())
                .containsExactly("the time for an answer (neither CPUs, disks nor locks were seen to give out)");
    }

    @Test
    void oneInAHundredIsNot() {
        answered(99);
        search(0, 0, 10, Outcome.TIMEOUT);
        allFed();

        assertThat(verdict().verdict()).isEqualTo(RunVerdict.VALID);
    }

    @Test
    void aDatabaseThatAnswersNothingInTimeIsSaturated() {
        theSearchTimedOut();

        assertThat(saturation().signs())
                .containsExactly(
                        "all of 1 searches were not answered in time (1 timeout); they count with the time until"
                                + " then");
    }

    @Test
    void aDatabaseThatRefusesSearchesIsSaturated() {
        answered(98);
        search(0, 0, 10, Outcome.REFUSED);
        search(0, 0, 10, Outcome.REFUSED);
        allFed();

        assertThat(saturation().signs()).containsExactly("the database refused 2 of 100 searches");
    }

    @Test
    void searchesThatFailInAnotherWayAreAFaultAlsoBesideTimeouts() {
        answered(60);
        for (int i = 0; i < 38; i++) {
            search(0, 0, 10, Outcome.TIMEOUT);
        }
        search(0, 0, 10, Outcome.CONNECTION);
        search(0, 0, 10, Outcome.OTHER);
        allFed();

        Validity verdict = verdict();
        assertThat(verdict.verdict()).isEqualTo(RunVerdict.NOT_VALID);
        assertThat(verdict.faults()).containsExactly("40 of 100 searches failed");
        assertThat(verdict.saturation().seen()).isTrue();
        assertThat(verdict.warnings()).isEqualTo(verdict.faults());
    }

    @Test
    void oneConnectionForEachUserThatIsBusyMostOfTheTimeIsEnough() {
        limits = new LoadLimits(1, true, 0, false);
        search(0, 0, 5_001, Outcome.OK);
        searches.foundAllBusy(0);
        allFed();

        Saturation saturation = saturation();
        assertThat(saturation.gaveOut())
                .containsExactly("connections (neither CPUs, disks nor locks were seen to give out)");
        assertThat(saturation.signs()).containsExactly("1 of 1 searches found all 1 connections busy");
    }

    @Test
    void fewerConnectionsThanUsersAreTooFewHoweverBusy() {
        search(0, 0, 9_000, Outcome.OK);
        searches.foundAllBusy(0);
        allFed();

        assertThat(warnings()).containsExactly("1 of 1 searches found all workers busy: raise -Dworkers");
    }

    @Test
    void theCpusOfTheDatabaseAreNamedBeforeWhatShowedIt() {
        answered(1);
        searches.foundAllBusy(0);
        fed(100);
        feeder.delayed(0, 90, 10);
        seen = machine(new HostActivity.CpuShares(0.95, 0.02, 0.02, 0, 0));

        Validity verdict = verdict();
        assertThat(verdict.saturation().gaveOut())
                .containsExactly("the CPUs (the database took 95 % of all 2, the load generator 2 %, others 2 %)");
        assertThat(verdict.saturation().signs())
                .hasSize(2)
                .anyMatch(sign -> sign.startsWith("the feeder stored 100 of the 1000 events that were due"))
                .contains("1 of 1 searches found all 1 connections busy");
        assertThat(verdict.verdict()).isEqualTo(RunVerdict.VALID);
        assertThat(verdict.warnings()).isEmpty();
    }

    @Test
    void aBusyDatabaseThatKeepsUpIsNotSaturated() {
        allWentWell();
        seen = machine(new HostActivity.CpuShares(0.95, 0.02, 0.02, 0, 0));

        assertThat(verdict().verdict()).isEqualTo(RunVerdict.VALID);
    }

    @Test
    void aFaultWeighsMoreThanSaturation() {
        theSearchTimedOut();
        seen = machine(new HostActivity.CpuShares(0.3, 0.02, 0.68, 0, 0));

        Validity verdict = verdict();
        assertThat(verdict.verdict()).isEqualTo(RunVerdict.NOT_VALID);
        assertThat(verdict.valid()).isFalse();
        assertThat(verdict.faults())
                .containsExactly(
                        "other programs (68 % together) took CPU time; the percentiles may be off by about 213 %");
        assertThat(verdict.saturation().seen()).isTrue();
    }

    @Test
    void aServerThatWaitsForTheLoadGeneratorIsNotTheOneThatIsTooSlow() {
        theSearchTimedOut();
        seen = waitingForClients(HostActivity.NONE);

        assertThat(verdict().faults())
                .containsExactly("the server mostly waited for the load generator: it is too slow for this load");
    }

    @Test
    void unlessTheDatabaseTookItsCpus() {
        theSearchTimedOut();
        seen = waitingForClients(ExhaustionTest.host(new HostActivity.CpuShares(0.95, 0.02, 0.02, 0, 0), List.of()));

        assertThat(verdict().faults()).isEmpty();
    }

    @Test
    void aLoadGeneratorThatTheDatabaseKeepsFromItsCpusIsASignByItself() {
        search(0, 50, 200, Outcome.OK);
        allFed();
        seen = machine(new HostActivity.CpuShares(0.95, 0.02, 0.02, 0, 0));

        assertThat(saturation().signs())
                .singleElement()
                .asString()
                .startsWith("searches waited 50.0 ms at p95 for a worker that was free: the database took the CPUs");
    }

    @Test
    void whereNothingWasAnsweredTimeoutsDoNotHideOtherFailures() {
        search(0, 0, 10, Outcome.TIMEOUT);
        search(0, 0, 10, Outcome.CONNECTION);
        allFed();

        assertThat(verdict().faults()).containsExactly("no search was answered in the measured phase (2 failed)");
    }

    @Test
    void aWaitForConnectionsThatAreAllBusyIsNoWaitForAFreeOne() {
        search(0, 5_000, 9_000, Outcome.OK);
        searches.foundAllBusy(0);
        allFed();

        assertThat(warnings()).containsExactly("1 of 1 searches found all workers busy: raise -Dworkers");
    }

    @Test
    void unfinishedSearchesOfAnInterruptedRunAreNoSignOfAnything() {
        answered(100);
        search(0, 0, 10, Outcome.UNFINISHED);
        allFed();

        assertThat(verdict(LoadOutcome.Ending.INTERRUPTED).saturation().seen()).isFalse();
    }

    /** A server whose sessions wait for the load generator half of the time. */
    private static RunMonitor.Seen waitingForClients(HostActivity host) {
        return new RunMonitor.Seen(
                ExhaustionTest.sessions(10, Map.of(SessionState.CLIENT, 50L, SessionState.RUNNING, 50L)),
                RunMonitor.Seen.NOTHING.statements(),
                host,
                List.of(),
                List.of(),
                List.of());
    }
}
