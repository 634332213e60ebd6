package siemload.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import siemload.config.Property;
import siemload.config.directory.Reason;
import siemload.measure.monitor.RunMonitor;
import siemload.results.FeederResult;
import siemload.results.RunFile;
import siemload.results.RunResult;
import siemload.results.RunResult.ObjectiveResult;
import siemload.results.RunResultFile;
import siemload.results.StepRecord;
import siemload.results.Validity;
import siemload.results.Validity.RunVerdict;
import siemload.results.report.RunReports;

/** Writes what a run found out. Stateless. */
final class ResultFiles {
    private ResultFiles() {}

    /** What became of the server while the run measured. */
    enum Server {
        UP,
        RESTARTED,
        GONE;

        static Server of(boolean gone, RunMonitor.Seen seen) {
            return gone ? GONE : seen.faults().isEmpty() ? UP : RESTARTED;
        }
    }

    /**
     * How the process should end.
     *
     * @param why in one sentence that follows "since"; empty where the code is 0, or the user was told already
     */
    record End(ExitCode code, String why) {}

    /**
     * Writes run.json, environment.json and the reports, and prints what they say.
     *
     * @param ending how what was measured ended
     * @return how the process should end; where run.json could not be written, the user was told why not
     */
    static End write(RunSetup setup, RunResult result, LoadOutcome.Ending ending, Server server) {
        return write(setup, result)
                ? end(result, ending, server, setup.plan().settings().value(Property.FAIL_ON))
                : new End(ExitCode.INVALID_INPUT, "");
    }

    /** How a process ends that left this result, by what {@code failOn} says. */
    static End end(RunResult result, LoadOutcome.Ending ending, Server server, String failOn) {
        if (ending == LoadOutcome.Ending.INTERRUPTED) {
            return new End(ExitCode.INTERRUPTED, "it was interrupted");
        }
        if (server == Server.GONE) {
            return new End(ExitCode.TARGET_FAILED, fault(result, "database", "the database was lost"));
        }
        if (ending == LoadOutcome.Ending.ABORTED) {
            return new End(ExitCode.MISSED, "the run " + fault(result, "stopped by itself", "stopped by itself"));
        }
        if (ending == LoadOutcome.Ending.LOST) {
            return new End(ExitCode.INCONCLUSIVE, fault(result, "injector", "an injector failed"));
        }
        return failOn.equals("breakdown") ? new End(ExitCode.OK, "") : ofWork(result, server, failOn);
    }

    /** Whether it did its work, and what of the objectives is certain. */
    private static End ofWork(RunResult result, Server server, String failOn) {
        if (server == Server.RESTARTED) {
            return new End(ExitCode.TARGET_FAILED, fault(result, "restarted", "the database was restarted"));
        }
        if (result.answers().answersWrong() > 0) {
            return new End(ExitCode.INCONCLUSIVE, fault(result, "wrong", "answers were wrong"));
        }
        FeederResult.FedEventCounts fed = result.measured().feeder().events();
        if (fed.lost() > 0 || fed.duplicated() > 0) {
            return new End(ExitCode.INCONCLUSIVE, fault(result, "acknowledged events", "fed events were lost"));
        }
        List<ObjectiveResult> missed = having(result, ObjectiveResult.Outcome.MISSED);
        if (!missed.isEmpty()) {
            String more = missed.size() == 1 ? "" : ", and " + (missed.size() - 1) + " more";
            return new End(
                    ExitCode.MISSED,
                    missed.get(0).text() + " was missed (measured "
                            + missed.get(0).measured() + ")" + more);
        }
        if (result.steps().stream().anyMatch(StepRecord::failed)) {
            return new End(ExitCode.INCONCLUSIVE, fault(result, "failed", "a step failed"));
        }
        if (result.steps().isEmpty() && result.measured().searches().stream().noneMatch(search -> search.ok() > 0)) {
            return new End(ExitCode.INCONCLUSIVE, fault(result, "no search was answered", "nothing was answered"));
        }
        return failOn.equals("verdict") ? ofVerdict(result) : new End(ExitCode.OK, "");
    }

    private static End ofVerdict(RunResult result) {
        Validity validity = result.validity();
        if (validity.verdict() != RunVerdict.VALID) {
            String word = validity.verdict() == RunVerdict.DISTURBED ? "disturbed: " : "not valid: ";
            return new End(
                    ExitCode.INCONCLUSIVE,
                    "the run is " + word + validity.warnings().get(0));
        }
        if (validity.saturation().seen()) {
            return new End(ExitCode.MISSED, validity.saturation().sentences().get(0));
        }
        return having(result, ObjectiveResult.Outcome.UNDECIDED).stream()
                .findFirst()
                .map(one -> new End(ExitCode.INCONCLUSIVE, one.text() + " is undecided: " + one.reason()))
                .orElse(new End(ExitCode.OK, ""));
    }

    private static List<ObjectiveResult> having(RunResult result, ObjectiveResult.Outcome outcome) {
        return result.objectives().stream().filter(one -> one.is(outcome)).toList();
    }

    /** The first fault that has this in it. */
    private static String fault(RunResult result, String part, String otherwise) {
        return result.validity().faults().stream()
                .filter(fault -> fault.contains(part))
                .findFirst()
                .orElse(otherwise);
    }

    private static boolean write(RunSetup setup, RunResult result) {
        RunHost host = setup.host();
        Path directory = setup.path();
        try {
            RunResultFile.write(RunFile.RUN.in(directory), result);
            setup.environment().write(RunFile.ENVIRONMENT.in(directory));
            setup.directory().markLatest();
        } catch (IOException unwritten) {
            host.line(RunReports.text(result));
            host.failure("the results could not be written to " + directory + ": " + Reason.of(unwritten), unwritten);
            return false;
        }
        // What was measured is safe by now: a report can be made again, and must not change how the run ends.
        try {
            host.results(RunReports.write(directory));
        } catch (IOException | RuntimeException unwritten) {
            host.line(RunReports.text(result) + "results: " + RunFile.RUN.in(directory));
            host.line("warning: the reports could not be written: " + unwritten.getMessage() + " (./siemload report "
                    + directory + " tries again)");
        }
        return true;
    }
}
