package siemload.compare.experiment;

import java.util.List;

/**
 * What an earlier study found, to be held against what is measured here. Immutable.
 *
 * @param says one sentence for people
 * @param expects what would confirm it; empty where the study said nothing that can be tested
 */
public record SourceClaim(String says, List<Expectation> expects) {

    /** Stands for an experiment that no study made before. */
    public static final SourceClaim NONE = new SourceClaim("", List.of());

    public SourceClaim {
        expects = List.copyOf(expects);
    }

    /** Whether there is any. */
    public boolean isMade() {
        return !says.isEmpty();
    }

    /**
     * One verdict that the study would have given.
     *
     * @param of the label of the cell that is compared with the baseline
     * @param is {@code better}, {@code worse} or {@code same}
     * @param atLeast how many times better or worse at least; 1 for any
     * @param subjects what it is said of; empty for everything
     */
    public record Expectation(String of, Direction is, double atLeast, List<String> subjects) {
        public Expectation {
            subjects = List.copyOf(subjects);
        }
    }

    /** How a variant compares with the baseline. */
    public enum Direction {
        BETTER,
        WORSE,
        SAME
    }
}
