package siemload.run;

/** How a process of ours ends; scripts and CI rely on the numbers. */
public enum ExitCode {
    OK(0),
    /** An objective was missed for certain, a run stopped itself ({@code abortIf}), or a regression is certain. */
    MISSED(1),
    /** Invalid input or usage. */
    INVALID_INPUT(2),
    /** The database could not be started, reached or loaded, broke down, or was restarted. */
    TARGET_FAILED(3),
    /** Nothing was answered or answers were wrong, events or an injector were lost, or what was measured does not do for what was asked ({@code failOn}). */
    INCONCLUSIVE(4),
    /** A bug of ours. */
    BUG(70),
    /** Stopped by a signal. */
    INTERRUPTED(130);

    private final int number;

    ExitCode(int number) {
        this.number = number;
    }

    /** What the process returns. */
    public int number() {
        return number;
    }
}
