package siemload.run;

import java.util.List;
import siemload.results.FeederResult;
import siemload.results.RunResult;
import siemload.results.RunResult.ObjectiveResult;
import siemload.results.RunResult.StepRecord;
import siemload.results.Validity;
import siemload.results.Validity.RunVerdict;

/** The exit codes of siemload's processes; scripts and CI rely on them. */
public enum ExitCode {
    OK(0),
    /** An objective was certainly missed, a run stopped itself ({@code abortIf}), or a regression is certain. */
    MISSED(1),
    /** Invalid input or usage. */
    INVALID_INPUT(2),
    /** The database could not be started, reached or loaded, broke down, or was restarted. */
    TARGET_FAILED(3),
    /**
     * No search was answered, answers were wrong, events or an injector were lost, or the measurement does not meet what {@code failOn}
     * asks for.
     */
    INCONCLUSIVE(4),
    /** A bug in siemload. */
    BUG(70),
    /** Stopped by a signal. */
    INTERRUPTED(130);

    private final int number;

    ExitCode(int number) {
        this.number = number;
    }

    /** Returns the exit code as a number. */
    public int number() {
        return number;
    }

    /**
     * The exit code of a process, and the reason for it.
     *
     * @param why the reason, as a clause that follows "because"; empty if the code is 0, or if the user already knows the reason
     */
    record End(ExitCode code, String why) {
        private static final End DONE = new End(OK, "");
    }

    /** Returns how a process with this result should end, according to {@code failOn}. */
    static End of(RunResult result, LoadOutcome.Ending ending, String failOn) {
        boolean breakdownAlone = failOn.equals("breakdown");
        return switch (ending) {
            case INTERRUPTED -> new End(INTERRUPTED, "it was interrupted");
            case GONE -> new End(TARGET_FAILED, fault(result, "database", "the database was lost"));
            case ABORTED -> new End(MISSED, "the run " + fault(result, "stopped by itself", "stopped by itself"));
            case LOST -> new End(INCONCLUSIVE, fault(result, "injector", "an injector failed"));
            case RESTARTED ->
                breakdownAlone
                        ? End.DONE
                        : new End(TARGET_FAILED, fault(result, "restarted", "the database was restarted"));
            case COMPLETE -> breakdownAlone ? End.DONE : ofWork(result, failOn);
        };
    }

    /** Judges whether the run did its work, and whether objectives were certainly missed. */
    private static End ofWork(RunResult result, String failOn) {
        if (result.answers().answersWrong() > 0) {
            return new End(INCONCLUSIVE, fault(result, "wrong", "answers were wrong"));
        }
        FeederResult fed = result.measured().feeder();
        if (fed.lost() > 0 || fed.duplicated() > 0) {
            return new End(INCONCLUSIVE, fault(result, "acknowledged events", "fed events were lost"));
        }
        List<ObjectiveResult> missed = having(result, ObjectiveResult.Outcome.MISSED);
        if (!missed.isEmpty()) {
            ObjectiveResult first = missed.get(0);
            String more = missed.size() == 1 ? "" : ", and " + (missed.size() - 1) + " more";
            return new End(MISSED, first.text() + " was missed (measured " + first.measured() + ")" + more);
        }
        if (result.steps().stream().anyMatch(StepRecord::failed)) {
            return new End(INCONCLUSIVE, fault(result, "failed", "a step failed"));
        }
        if (result.steps().isEmpty() && result.measured().searches().stream().noneMatch(search -> search.ok() > 0)) {
            return new End(INCONCLUSIVE, fault(result, "no search was answered", "nothing was answered"));
        }
        return failOn.equals("verdict") ? ofVerdict(result) : End.DONE;
    }

    private static End ofVerdict(RunResult result) {
        Validity validity = result.validity();
        if (validity.verdict() != RunVerdict.VALID) {
            String word = validity.verdict() == RunVerdict.DISTURBED ? "disturbed" : "not valid";
            String why = validity.warnings().get(0);
            return new End(INCONCLUSIVE, "the run is " + word + ": " + why);
        }
        if (validity.saturation().seen()) {
            return new End(MISSED, validity.saturation().sentences().get(0));
        }
        return having(result, ObjectiveResult.Outcome.UNDECIDED).stream()
                .findFirst()
                .map(one -> new End(INCONCLUSIVE, one.text() + " is undecided: " + one.reason()))
                .orElse(End.DONE);
    }

    private static List<ObjectiveResult> having(RunResult result, ObjectiveResult.Outcome outcome) {
        return result.objectives().stream().filter(one -> one.is(outcome)).toList();
    }

    /** Returns the first fault that contains {@code part}, or {@code otherwise} if there is none. */
    private static String fault(RunResult result, String part, String otherwise) {
        return result.validity().faults().stream()
                .filter(fault -> fault.contains(part))
                .findFirst()
                .orElse(otherwise);
    }
}
