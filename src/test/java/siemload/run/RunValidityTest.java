package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import siemload.measure.monitor.RunMonitor;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Summary;
import siemload.query.TrendCatalog;
import siemload.query.Window;
import siemload.results.DatabaseActivity;
import siemload.results.FeederResult.StoredEvents;
import siemload.results.HostActivity;
import siemload.results.Outcome;
import siemload.results.Saturation;
import siemload.results.Validity;
import siemload.results.Validity.RunVerdict;
import siemload.run.LoadRun.LoadLimits;
import siemload.run.answers.AnswerCheck;
import siemload.run.answers.AnswerSampler;
import siemload.run.answers.EventList;
import siemload.run.answers.TrendHours;

class RunValidityTest extends ValidityFixture {
    @Test
    void aRunWithoutFaultIsValid() {
        allWentWell();

        assertThat(warnings()).isEmpty();
        assertThat(verdict().verdict()).isEqualTo(RunVerdict.VALID);
        assertThat(verdict().saturation()).isEqualTo(Saturation.NONE);
    }

    @Test
    void aRunInWhichAllSearchesWereRefusedIsNot() {
        search(0, 0, 10, Outcome.REFUSED);
        allFed();

        assertThat(verdict().verdict()).isEqualTo(RunVerdict.NOT_VALID);
        assertThat(warnings()).containsExactly("no search was answered in the measured phase (1 failed)");
    }

    @Test
    void aRunWithoutASearchIsNot() {
        allFed();

        assertThat(warnings()).containsExactly("no search was answered in the measured phase (0 failed)");
    }

    @Test
    void moreThanOneFailureInAHundredIsNamed() {
        answered(98);
        search(0, 0, 10, Outcome.REFUSED);
        search(0, 0, 10, Outcome.CONNECTION);
        allFed();

        assertThat(warnings()).containsExactly("2 of 100 searches failed");
    }

    @Test
    void tooFewWorkersAreNamed() {
        answered(1);
        searches.foundAllBusy(0);
        allFed();

        assertThat(warnings()).containsExactly("1 of 1 searches found all workers busy: raise -Dworkers");
    }

    @Test
    void waitingForAFreeWorkerIsNamed() {
        search(0, 50, 100, Outcome.OK);
        allFed();

        assertThat(warnings())
                .singleElement()
                .asString()
                .startsWith("searches waited 50.0 ms at p95 for a worker that was free");
    }

    @Test
    void aFeederThatLosesOrDoublesIsNamed() {
        answered(1);
        feeder.acknowledged(990, 0, 0, 0, 1);
        feeder.givenUp(20, new IllegalStateException("disk full"));
        stored = new StoredEvents(3, 4, 0, 20, 0);

        assertThat(warnings())
                .containsExactly(
                        "20 fed events could not be stored: disk full",
                        "3 acknowledged events are not in the store",
                        "4 acknowledged events are in the store more than once");
    }

    @Test
    void aFeederThatIsBehindByItsOwnFaultIsNotValid() {
        answered(1);
        fed(980);
        feeder.delayed(0, 60, 40);

        assertThat(verdict().verdict()).isEqualTo(RunVerdict.NOT_VALID);
        assertThat(warnings())
                .singleElement()
                .asString()
                .startsWith("the feeder stored 980 of the 1000 events that were due, 2.0 % too few")
                .endsWith(
                        "60 % of the delay is the load generator's own (use a lower -Deps, a larger -Dbatch, or a faster machine)");
    }

    @Test
    void whereThereIsNoServerAllDelaysAreTheLoadGeneratorsOwn() {
        limits = new LoadLimits(1, true, 0, true);
        answered(1);
        fed(980);
        feeder.delayed(0, 40, 60);

        assertThat(verdict().faults())
                .singleElement()
                .asString()
                .contains("100 % of the delay is the load generator's own");
    }

    @Test
    void delaysOutsideOfTheMeasuredPhaseDoNotCount() {
        answered(1);
        fed(980);
        feeder.delayed(-1, 0, 1_000);
        feeder.delayed(0, 1, 0);

        assertThat(verdict().verdict()).isEqualTo(RunVerdict.NOT_VALID);
    }

    @Test
    void allConnectionsBusyWithoutAReasonMeansTooFewOfThem() {
        limits = new LoadLimits(1, true, 0, false);
        search(0, 0, 5_000, Outcome.OK);
        searches.foundAllBusy(0);
        allFed();

        assertThat(warnings())
                .as("in use for half of 10 s")
                .containsExactly("1 of 1 searches found all workers busy: raise -Dworkers");
    }

    @Test
    void eventsWhoseAcknowledgementWasLostAreStoredUnknownOrFailedAndNamedAccordingly() {
        allWentWell();
        feeder.givenUp(70, new IllegalStateException("connection reset"));
        stored = new StoredEvents(0, 0, 70, 0, 0);
        assertThat(verdict().warnings()).isEmpty();
        assertThat(verdict().notes())
                .contains("70 fed events are stored although their acknowledgement was lost (connection reset)");

        stored = StoredEvents.unseen(70);
        assertThat(warnings())
                .containsExactly(
                        "whether 70 fed events are stored is unknown: they were never acknowledged, and nobody could look"
                                + " for them (connection reset)",
                        "nobody could look whether all fed events are stored");
    }

    @Test
    void aRestartOfTheDatabaseMakesARunInvalidHoweverFewSearchesFailed() {
        answered(1_000);
        search(0, 0, 10, Outcome.CONNECTION);
        allFed();
        assertThat(verdict().warnings()).isEmpty();
        assertThat(verdict().notes()).contains("1 searches lost their connection to the database");

        seen = new RunMonitor.Seen(
                DatabaseActivity.NONE,
                RunMonitor.Seen.NOTHING.statements(),
                HostActivity.NONE,
                List.of(),
                List.of("the database was restarted"),
                List.of());
        assertThat(warnings()).containsExactly("the database was restarted");
    }

    @Test
    void searchesThatNeverEndedAreNamed() {
        answered(100);
        search(0, 0, 10, Outcome.UNFINISHED);
        allFed();

        assertThat(saturation().signs())
                .containsExactly(
                        "1 of 101 searches were not answered in time (1 unfinished); they count with the time until then");
    }

    @Test
    void oneWrongAnswerIsEnough() {
        allWentWell();
        AnswerSampler sampler = new AnswerSampler(1, Instant.EPOCH);
        Search search =
                new Search(SearchName.HAWAT1, Window.ALWAYS, List.of(), Order.NEWEST_FIRST, new Page.Numbered(1, 1));
        sampler.watch(search, PageClass.COUNT, 0).answered(0, 10, 0);
        sampler.watch(search, PageClass.COUNT, 0).answered(0, 10, 7);
        answers = AnswerCheck.of(
                sampler,
                List.of(),
                new EventList(List.of()),
                new AnswerCheck.Changes(taker -> {}, Optional.empty()),
                more -> {},
                () -> false);

        assertThat(warnings())
                .containsExactly("1 of 2 checked answers were wrong, first HAWAT1 count (wrong-answers.txt)");
    }

    @Test
    void aWrongTrendIsNamedWithItsHour() {
        allWentWell();
        TrendHours hours = new TrendHours();
        Instant noon = Instant.parse("2016-06-06T12:00:00Z");
        Search hour = TrendCatalog.search(SearchName.SOURCETREND, new Window(noon, noon.plusSeconds(3_600)));
        hours.stored("hourly-0", hour, 0, 10);
        answers = AnswerCheck.of(
                new AnswerSampler(1, Instant.EPOCH),
                hours.answers((trend, field) -> List.of(new Summary.Line(noon, "192.0.2.1", 3))),
                new EventList(List.of()),
                new AnswerCheck.Changes(taker -> {}, Optional.empty()),
                more -> {},
                () -> false);

        assertThat(warnings())
                .containsExactly("hours of trends that are wrong: 1, first SOURCETREND of 2016-06-06T12:00:00Z:"
                        + " line 2016-06-06T12:00:00Z 192.0.2.1: 3 instead of 0 (wrong-answers.txt)");
    }

    @Test
    void aServerThatIsGoneIsNamed() {
        allWentWell();
        serverFailure = "connection refused";

        assertThat(warnings()).containsExactly("the database was gone at the end of the run: connection refused");
    }

    @Test
    void anInterruptedRunSaysHowLongItMeasured() {
        allWentWell();

        assertThat(verdict(LoadOutcome.Ending.INTERRUPTED).warnings())
                .containsExactly("interrupted after 10.0 s of the measured phase");
    }

    @Test
    void whatWasWrongBeforeTheLoadIsSaidFirst() {
        allWentWell();
        known = List.of("hint 'index' took no effect");

        assertThat(warnings()).containsExactly("hint 'index' took no effect");
    }

    /** GIN's list of pending entries flips plans in nearly every run that feeds. */
    @Test
    void aChangedPlanIsNotedWithAllSearchesThatItConcerns() {
        allWentWell();
        plans = List.of(
                plan("first", "newestFirst", "index a", "index b"),
                plan("deeper", "newestFirst", "index a", "index a"),
                plan("first", "oldestFirst", "index a", "index b"));

        Validity verdict = verdict();
        assertThat(verdict.valid()).isTrue();
        assertThat(verdict.notes())
                .containsExactly(
                        "the plan of HAWAT6 first; HAWAT6 first, oldest first changed during the run: index a ->"
                                + " index b");
    }

    @Test
    void whatCouldNotBeSeenIsNoted() {
        allWentWell();
        DatabaseActivity database = new DatabaseActivity(List.of(), List.of(), Map.of(), Map.of(), 10, 0.012);
        seen = new RunMonitor.Seen(
                database,
                RunMonitor.Seen.NOTHING.statements(),
                HostActivity.NONE,
                List.of(),
                List.of(),
                List.of("no disks"));

        Validity verdict = verdict();
        assertThat(verdict.valid()).isTrue();
        assertThat(verdict.notes())
                .containsExactly(
                        "no disks",
                        "reading the database's counters took 1.2 % of the time, with the waiting for its answers");
    }

    @Test
    void whatOthersOnTheMachineCostMakesARunDisturbed() {
        allWentWell();
        seen = machine(new HostActivity.CpuShares(0, 0, 0.5, 0, 0));

        assertThat(verdict().verdict()).isEqualTo(RunVerdict.DISTURBED);
        assertThat(warnings())
                .containsExactly(
                        "other programs (50 % together) took CPU time; the percentiles may be off by about 100 %");
    }
}
