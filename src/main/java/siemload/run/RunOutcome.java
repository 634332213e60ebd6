package siemload.run;

import java.util.ArrayList;
import java.util.List;
import siemload.config.Property;
import siemload.database.Provision;
import siemload.database.Replica;
import siemload.database.Transport;
import siemload.measure.SearchStatistics;
import siemload.results.FeederResult;
import siemload.results.InjectorResult;
import siemload.results.LoadResults;
import siemload.results.Outcome;
import siemload.results.PlaceResults;
import siemload.results.ReplicaResult;
import siemload.results.RunResult;
import siemload.results.ScheduleResult;
import siemload.results.SearchResult;
import siemload.results.SteadyState;
import siemload.results.StoredEvents;
import siemload.results.Validity;
import siemload.results.report.SteadyWords;
import siemload.results.statistics.RunIntervals;
import siemload.results.statistics.Steadiness;
import siemload.run.answers.CheckedAnswers;

/** Turns what a load measured into results, and says how the process should end. */
final class RunOutcome {
    private final RunSetup setup;
    private final List<String> warnings;
    private final List<String> notes;
    private final StatementNames statements;

    /**
     * With what has to be said of the run beside what was measured.
     *
     * @param statements what the server calls those of the searches
     * @param warnings make the run invalid
     */
    RunOutcome(RunSetup setup, StatementNames statements, List<String> warnings, List<String> notes) {
        this.setup = setup;
        this.statements = statements;
        this.warnings = List.copyOf(warnings);
        this.notes = List.copyOf(notes);
    }

    /** Writes run.json and the reports, and prints report.txt. */
    ResultFiles.End write(
            LoadOutcome measured, StoredEvents fed, List<RunResult.PlanRecord> plans, CheckedAnswers answers) {
        ServerState server = setup.database().state();
        double seconds = measured.end().seconds();
        SearchStatistics all = measured.searches().merged(key -> true);
        RunIntervals intervals = RunIntervals.read(setup.directory().path());
        SteadyState steadyState = Steadiness.read(setup.directory().path());
        FeederResult feeder =
                intervals.addedTo(measured.feeder().result(measured.end().nanos(), fed));
        RunResult.RunIdentity identity =
                setup.identity(server, seconds, measured.end().ending());
        List<ScheduleResult> schedules =
                measured.searches().ticks().results(measured.end().nanos());
        List<SearchResult> searches = intervals.addedTo(measured.searches().results());
        ReplayReview replays = ReplayReview.of(
                setup.plan().scenario(),
                measured.searches().replays().results(),
                measured.end().ending());
        List<String> known = new ArrayList<>(warnings);
        known.addAll(replays.faults());
        Validity verdict = RunValidity.of(measured, feeder, limits(), answers, known, plans, server.failure());
        RunResult result = new RunResult(
                RunResult.FORMAT_VERSION,
                identity,
                new RunResult.Measurement(
                        searches,
                        intervals.addedTo(measured.searches().totals()),
                        ServerShare.of(measured.seen().statements(), statements, searches),
                        feeder,
                        measured.generator().result(all.count(), seconds),
                        measured.seen().database(),
                        measured.seen().host(),
                        new RunResult.ProbeResults(
                                measured.probed().visibility().result(),
                                measured.probed().pagination()),
                        steadyState,
                        new LoadResults(
                                measured.searches().followUps(),
                                schedules,
                                RetentionCost.of(measured, setup.directory().path()),
                                replays.results(),
                                LearntReview.of(setup.plan().scenario().statements(), searches)),
                        new PlaceResults(
                                measured.seen().hosts(),
                                measured.injected()
                                        .map(LoadOutcome.Injected::started)
                                        .orElse(0),
                                injectors(measured, verdict),
                                replicas(measured))),
                setup.environment().fingerprints(),
                plans,
                List.of(),
                measured.searches().inFlightAtEnd(),
                answers.counts(),
                new Objectives(measured.searches(), feeder, intervals, verdict.disturbance(), seconds)
                        .check(setup.plan().scenario().objectives()),
                validity(verdict, steadyState, schedules, replays.notes()));
        boolean serverGone =
                server.isGone() || fed.lost() < 0 || (all.count() > 0 && all.count(Outcome.CONNECTION) == all.count());
        return ResultFiles.write(
                setup, result, measured.end().ending(), ResultFiles.Server.of(serverGone, measured.seen()));
    }

    /** With what they told of themselves before the run. */
    private List<ReplicaResult> replicas(LoadOutcome measured) {
        List<ReadStore> reading = setup.database().reading();
        return measured.searches().replicas().results().stream()
                .map(one -> one.with(reading.get(one.replica() - 1)
                        .replica()
                        .map(Replica::about)
                        .orElse("")))
                .toList();
    }

    /** With the faults of the run that are theirs. */
    private static List<InjectorResult> injectors(LoadOutcome measured, Validity verdict) {
        return measured.injected().stream()
                .flatMap(injected -> injected.injectors().stream())
                .map(one -> one.with(verdict.faults().stream()
                        .filter(fault -> fault.startsWith(one.title() + " ") || fault.startsWith(one.title() + ":"))
                        .toList()))
                .toList();
    }

    /** A server in a container of ours may use so many CPUs and no more. */
    private LoadLimits limits() {
        RunPlan plan = setup.plan();
        boolean inContainer = plan.choice().provision() == Provision.CONTAINER;
        return new LoadLimits(
                plan.workers(),
                plan.workers() >= plan.users(),
                inContainer ? plan.settings().value(Property.CONTAINER_CPUS) : 0,
                setup.database().target().transport().equals(Transport.IN_PROCESS));
    }

    /** That a run was not steady is noted, and does not make it invalid: its reader must know of which part it speaks. */
    private Validity validity(
            Validity measured, SteadyState steadyState, List<ScheduleResult> schedules, List<String> ofReplays) {
        List<String> all = new ArrayList<>(notes);
        all.addAll(ofReplays);
        all.addAll(measured.notes());
        all.addAll(TickIoOffer.gaps(schedules, setup.plan().scenario()));
        if (steadyState.changed()) {
            all.add(SteadyWords.of(steadyState));
        }
        return measured.with(all);
    }
}
