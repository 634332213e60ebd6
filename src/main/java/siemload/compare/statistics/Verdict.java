package siemload.compare.statistics;

/** What pairs of runs decide about a candidate, seen from its baseline. */
public enum Verdict {
    /** Better by at least what matters. */
    BETTER,
    /** Worse by at least what matters. */
    WORSE,
    /** Any difference is smaller than what matters. */
    SAME,
    /** None of these can be said with these pairs. */
    UNCLEAR;

    /** Whether a difference that matters was decided, of whichever kind. */
    public boolean isDifference() {
        return this == BETTER || this == WORSE;
    }
}
