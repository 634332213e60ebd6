package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import siemload.measure.FeederRecorder;
import siemload.measure.LatencyRecorder;
import siemload.measure.RunClock;
import siemload.measure.Sample;
import siemload.measure.VisibilityRecorder;
import siemload.measure.monitor.RunMonitor;
import siemload.query.Order;
import siemload.query.PageClass;
import siemload.query.SearchName;
import siemload.results.DatabaseActivity;
import siemload.results.FeederResult.StoredEvents;
import siemload.results.HostActivity;
import siemload.results.Outcome;
import siemload.results.RunResult.GeneratorCpu;
import siemload.results.RunResult.PlanRecord;
import siemload.results.Saturation;
import siemload.results.SearchKey;
import siemload.results.SearchKind;
import siemload.results.SearchResult.Asked;
import siemload.results.Validity;
import siemload.results.Validity.RunVerdict;
import siemload.run.LoadRun.LoadLimits;
import siemload.run.answers.AnswerSampler;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.TrendHours;
import siemload.scenario.rate.ConstantRate;

/** What a run measured, which tests put together, and the verdict on it. */
abstract class ValidityFixture {
    static final SearchKey KEY = new SearchKey(SearchName.HAWAT1, PageClass.FIRST, Order.NEWEST_FIRST);
    static final long MILLI = 1_000_000;

    final RunClock clock = RunClock.startingAt(0, Duration.ZERO, Duration.ofSeconds(10));
    final LatencyRecorder searches = new LatencyRecorder(clock);
    final FeederRecorder feeder = new FeederRecorder(clock, new ConstantRate(100));
    CheckedAnswers answers = new CheckedAnswers(0.01, 40, 0, List.of());
    String serverFailure = "";
    List<String> known = List.of();
    List<PlanRecord> plans = List.of();
    StoredEvents stored = StoredEvents.ALL;
    RunMonitor.Seen seen = RunMonitor.Seen.NOTHING;
    LoadLimits limits = new LoadLimits(1, false, 0, false);

    static PlanRecord plan(String page, String order, String shape, String shapeAtEnd) {
        return new PlanRecord(
                new SearchKind("HAWAT6", page, order), shape, shapeAtEnd, "plans/x.json", "", 0, 0, List.of());
    }

    static RunMonitor.Seen machine(HostActivity.CpuShares cpu) {
        HostActivity host = ExhaustionTest.host(cpu, List.of());
        return new RunMonitor.Seen(
                DatabaseActivity.NONE, RunMonitor.Seen.NOTHING.statements(), host, List.of(), List.of(), List.of());
    }

    /** One search was answered, and every event that was due was fed. */
    void allWentWell() {
        answered(1);
        allFed();
    }

    /** The only search was answered too late, and every event that was due was fed. */
    void theSearchTimedOut() {
        search(0, 0, 10, Outcome.TIMEOUT);
        allFed();
    }

    /** 100 a second for 10 s. */
    void allFed() {
        fed(1_000);
    }

    /** So many of those that were due. */
    void fed(int events) {
        feeder.sent(events, 0, 0);
        feeder.acknowledged(events, 0, 0, 0, 1);
        feeder.neverSent(1, 1_000 - events, 0, 1);
    }

    void answered(int count) {
        for (int i = 0; i < count; i++) {
            search(0, 0, 10, Outcome.OK);
        }
    }

    void search(long due, long taken, long end, Outcome outcome) {
        searches.started();
        searches.finished(
                KEY,
                Asked.FIRST,
                new Sample(due * MILLI, due * MILLI, taken * MILLI, end * MILLI, end * MILLI, 0, 0, outcome, ""));
    }

    /** Of a run that ended by itself. */
    List<String> warnings() {
        return verdict().warnings();
    }

    /** Of a run that ended by itself, must be saturated, and is valid all the same. */
    Saturation saturation() {
        Validity verdict = verdict();
        assertThat(verdict.verdict()).isEqualTo(RunVerdict.VALID);
        assertThat(verdict.saturation().seen()).isTrue();
        return verdict.saturation();
    }

    /** Of a run that ended by itself. */
    Validity verdict() {
        return verdict(LoadOutcome.Ending.COMPLETE);
    }

    Validity verdict(LoadOutcome.Ending ending) {
        LoadOutcome measured = new LoadOutcome(
                new LoadOutcome.End(clock, clock.endNanos(), ending),
                searches,
                feeder,
                new GeneratorCpu(),
                seen,
                new LoadOutcome.Kept(new AnswerSampler(0, Instant.EPOCH), new TrendHours()),
                new LoadOutcome.Probed(new VisibilityRecorder(clock), List.of()),
                LoadOutcome.Fed.NOTHING,
                Optional.empty(),
                Optional.empty());
        return RunValidity.of(
                measured, feeder.result(clock.endNanos(), stored), limits, answers, known, plans, serverFailure);
    }
}
