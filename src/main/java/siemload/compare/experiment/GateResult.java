package siemload.compare.experiment;

import java.util.List;

/**
 * What a gate decided, as {@code gate.json} holds it. Immutable.
 *
 * @param formatVersion 1
 * @param name of the scenario
 * @param startedAt when, as in RFC 3339
 * @param outcome what follows
 * @param reasons why, for people: one sentence each, the weightiest first; empty where nothing was found
 * @param exact facts free of noise that must not change at all, and did
 * @param tolerated those of them that were declared beforehand to be meant
 * @param unsteady facts that also differed between two runs of the baseline, so that nothing follows from them
 * @param verdicts the candidate against the baseline, of all metrics that block
 * @param control the baseline against itself, in the same blocks
 * @param leftOut what could not be compared, and why
 * @param blocksWanted how many blocks of valid runs were to be made
 * @param blocksValid how many there are
 * @param blocksMost how many were to be made at most
 * @param paired all runs of the second tier
 */
public record GateResult(
        int formatVersion,
        String name,
        String startedAt,
        Outcome outcome,
        List<String> reasons,
        List<ExactChange> exact,
        List<ExactChange> tolerated,
        List<String> unsteady,
        List<Comparison.PairVerdict> verdicts,
        List<Comparison.PairVerdict> control,
        List<String> leftOut,
        int blocksWanted,
        int blocksValid,
        int blocksMost,
        Comparison paired) {
    public static final int FORMAT_VERSION = 1;

    public GateResult {
        reasons = List.copyOf(reasons);
        exact = List.copyOf(exact);
        tolerated = List.copyOf(tolerated);
        unsteady = List.copyOf(unsteady);
        verdicts = List.copyOf(verdicts);
        control = List.copyOf(control);
        leftOut = List.copyOf(leftOut);
    }

    /** The reason that a verdict on the baseline against itself gives for doubt. */
    public static String differsFromItself(String sentence) {
        return "the baseline differs from itself: " + sentence;
    }

    /** How a gate ends. */
    public enum Outcome {
        /** No regression was decided. */
        PASSED,
        /** A fact changed, or a metric got worse for certain by more than what matters. */
        REGRESSION,
        /** The baseline differed from itself: this night says neither good nor bad. */
        HOST_TOO_NOISY,
        /** Too few runs can be trusted. */
        INVALID
    }

    /**
     * A fact that is free of noise, and is another one with the candidate.
     *
     * @param fact its kind: answers, rows, plan, blocks, wal
     * @param step what it is a fact of: {@code HAWAT1 first}
     */
    public record ExactChange(String fact, String step, String baseline, String candidate) {
        /** In place of a fact that one side has not. */
        static final String NONE = "(none)";

        /** Whether only one side has the fact. */
        boolean isOneSided() {
            return baseline.equals(NONE) || candidate.equals(NONE);
        }

        boolean isOfSameFact(ExactChange other) {
            return fact.equals(other.fact) && step.equals(other.step);
        }

        /** For people. */
        public String sentence() {
            return step + ": " + fact + " changed from " + baseline + " to " + candidate;
        }
    }
}
