package siemload.run;

import java.util.ArrayList;
import java.util.List;
import siemload.config.Property;
import siemload.measure.SearchStatistics;
import siemload.results.Outcome;
import siemload.results.RunResult;
import siemload.results.RunResult.FeederResult;
import siemload.results.RunResult.Validity;
import siemload.results.StoredEvents;
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
        RunResult result = result(measured, fed, plans, answers, server);
        return ResultFiles.write(setup, result) ? exitCode(result, measured, fed, server) : ExitCode.INVALID_INPUT;
    }

    private RunResult result(
            LoadOutcome measured,
            StoredEvents fed,
            List<RunResult.PlanRecord> plans,
            CheckedAnswers answers,
            ServerState server) {
        FeederResult feeder = measured.feeder().result(measured.endNanos(), fed);
        double seconds = measured.clock().measuredSeconds(measured.endNanos());
        return new RunResult(
                RunResult.FORMAT_VERSION,
                setup.directory().runId(),
                setup.plan().scenario().name(),
                setup.directory().startedAt(),
                Math.round(seconds * 1000) / 1000.0,
                measured.ending() != LoadOutcome.Ending.COMPLETE,
                setup.targetRecord(server),
                setup.datasetRecord(),
                setup.settingRecords(),
                measured.searches().results(),
                feeder,
                measured.generator()
                        .result(measured.searches().merged(key -> true).count(), seconds),
                measured.seen().database(),
                measured.seen().host(),
                measured.visibility(),
                measured.pagination(),
                setup.environment().fingerprints(),
                plans,
                List.of(),
                measured.searches().inFlightAtEnd(),
                answers.askedRatio(),
                answers.checked(),
                answers.wrong().size(),
                answers.leftOut(),
                new Objectives(measured.searches(), feeder)
                        .check(setup.plan().scenario().objectives()),
                validity(RunValidity.of(measured, feeder, answers, warnings, plans, server.failure())));
    }

    private Validity validity(Validity measured) {
        List<String> all = new ArrayList<>(notes);
        all.addAll(measured.notes());
        return new Validity(measured.valid(), measured.warnings(), all);
    }

    private ExitCode exitCode(RunResult result, LoadOutcome measured, StoredEvents fed, ServerState server) {
        SearchStatistics all = measured.searches().merged(key -> true);
        boolean serverGone =
                server.isGone() || fed.lost() < 0 || (all.count() > 0 && all.count(Outcome.CONNECTION) == all.count());
        if (measured.ending() == LoadOutcome.Ending.INTERRUPTED) {
            return ExitCode.INTERRUPTED;
        }
        if (serverGone) {
            return ExitCode.TARGET_FAILED;
        }
        if (measured.ending() == LoadOutcome.Ending.ABORTED) {
            return ExitCode.INCONCLUSIVE;
        }
        if (setup.plan().settings().value(Property.FAIL_ON).equals("breakdown")) {
            return ExitCode.OK;
        }
        if (!result.validity().valid()) {
            return ExitCode.INCONCLUSIVE;
        }
        return result.objectives().stream().allMatch(RunResult.ObjectiveResult::met) ? ExitCode.OK : ExitCode.MISSED;
    }
}
