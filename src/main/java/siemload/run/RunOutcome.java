package siemload.run;

import java.util.ArrayList;
import java.util.List;
import siemload.measure.SearchStatistics;
import siemload.results.Outcome;
import siemload.results.RunResult;
import siemload.results.RunResult.FeederResult;
import siemload.results.RunResult.Validity;
import siemload.results.SteadyState;
import siemload.results.StoredEvents;
import siemload.results.report.SteadyWords;
import siemload.results.statistics.RunIntervals;
import siemload.results.statistics.Steadiness;
import siemload.run.answers.CheckedAnswers;

/** Turns what a load measured into results, and says how the process should end. */
final class RunOutcome {
    private final RunSetup setup;
    private final List<String> warnings;
    private final List<String> notes;

    /**
     * With what has to be said of the run beside what was measured.
     *
     * @param warnings make the run invalid
     */
    RunOutcome(RunSetup setup, List<String> warnings, List<String> notes) {
        this.setup = setup;
        this.warnings = List.copyOf(warnings);
        this.notes = List.copyOf(notes);
    }

    /** Writes run.json and the reports, and prints report.txt. */
    ExitCode write(LoadOutcome measured, StoredEvents fed, List<RunResult.PlanRecord> plans, CheckedAnswers answers) {
        ServerState server = ServerState.of(setup.target(), setup.server());
        double seconds = measured.end().seconds();
        SearchStatistics all = measured.searches().merged(key -> true);
        RunIntervals intervals = RunIntervals.read(setup.directory().path());
        SteadyState steadyState = Steadiness.read(setup.directory().path());
        FeederResult feeder =
                intervals.addedTo(measured.feeder().result(measured.end().nanos(), fed));
        RunResult result = new RunResult(
                RunResult.FORMAT_VERSION,
                setup.identity(server, seconds, measured.end().ending()),
                new RunResult.Measurement(
                        intervals.addedTo(measured.searches().results()),
                        feeder,
                        measured.generator().result(all.count(), seconds),
                        measured.seen().database(),
                        measured.seen().host(),
                        measured.visibility(),
                        measured.pagination(),
                        steadyState),
                setup.environment().fingerprints(),
                plans,
                List.of(),
                measured.searches().inFlightAtEnd(),
                answers.counts(),
                new Objectives(measured.searches(), feeder, intervals)
                        .check(setup.plan().scenario().objectives()),
                validity(RunValidity.of(measured, feeder, answers, warnings, plans, server.failure()), steadyState));
        boolean serverGone =
                server.isGone() || fed.lost() < 0 || (all.count() > 0 && all.count(Outcome.CONNECTION) == all.count());
        return ResultFiles.write(setup, result, measured.end().ending(), serverGone);
    }

    /** A run that was not steady is none that is wrong: its reader must know of which part it speaks. */
    private Validity validity(Validity measured, SteadyState steadyState) {
        List<String> all = new ArrayList<>(notes);
        all.addAll(measured.notes());
        if (steadyState.changed()) {
            all.add(SteadyWords.of(steadyState));
        }
        return new Validity(measured.valid(), measured.warnings(), all);
    }
}
