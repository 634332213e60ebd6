package siemload.compare.capacity;

import java.util.List;
import siemload.compare.experiment.ResultFile;

/**
 * What the runs of a capacity say, as {@code capacity.json} holds it. Immutable.
 *
 * @param formatVersion 1
 * @param question what was asked
 * @param capacities one; of a frontier one for each value of the other load, from the least of it up, and, where those were not given, last the most of it beside the
 *     least of the first one
 */
public record CapacityResult(int formatVersion, CapacityQuestion question, List<Capacity> capacities) {
    public static final int FORMAT_VERSION = 1;

    /** The file of a result, in its directory. */
    public static final ResultFile<CapacityResult> FILE = new ResultFile<>("capacity.json", CapacityResult.class);

    public CapacityResult {
        capacities = List.copyOf(capacities);
    }

    /** What was decided, of all searches together. */
    public Outcome outcome() {
        if (capacities.stream().anyMatch(one -> !one.finding().hasAnswer())) {
            return Outcome.NOT_DECIDED;
        }
        return capacities.stream().anyMatch(one -> one.finding().hasLoad()) ? Outcome.ANSWERED : Outcome.NONE_MEETS;
    }

    /** What a search came to. */
    public enum Outcome {
        /** The largest load is known as exactly as was asked for, or is the largest that was allowed. */
        ANSWERED,
        /** Not even the smallest load meets the objectives. */
        NONE_MEETS,
        /** It is not known, or not so exactly. */
        NOT_DECIDED
    }
}
