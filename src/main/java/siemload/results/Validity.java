package siemload.results;

import java.util.List;
import java.util.stream.Stream;

/**
 * Whether the numbers of a run can be trusted, and whether the database kept up. Immutable.
 *
 * @param valid whether the verdict is {@code valid}; earlier versions knew no other verdict than this and its contrary
 * @param verdict what the numbers are worth
 * @param warnings why it is not {@code valid}: the faults first, then what gave out and how that showed; empty if it is
 * @param saturation how the database did not keep up
 * @param notes what must be known to read the numbers rightly, but speaks against none of them
 */
public record Validity(
        boolean valid, RunVerdict verdict, List<String> warnings, Saturation saturation, List<String> notes) {
    public Validity {
        warnings = List.copyOf(warnings);
        notes = List.copyOf(notes);
    }

    /**
     * The verdict that follows.
     *
     * @param faults of the load generator, its machine or the measurement: one is enough
     */
    public static Validity of(List<String> faults, Saturation saturation, List<String> notes) {
        RunVerdict verdict = RunVerdict.VALID;
        if (!faults.isEmpty()) {
            verdict = RunVerdict.NOT_VALID;
        } else if (saturation.seen()) {
            verdict = RunVerdict.SATURATED;
        }
        List<String> warnings =
                Stream.concat(faults.stream(), saturation.sentences().stream()).toList();
        return new Validity(verdict == RunVerdict.VALID, verdict, warnings, saturation, notes);
    }

    /** The same with these notes. */
    public Validity with(List<String> others) {
        return new Validity(valid, verdict, warnings, saturation, others);
    }

    /** What makes the numbers say something else than they seem to; empty unless the run is not valid. */
    public List<String> faults() {
        return warnings.subList(
                0, Math.max(0, warnings.size() - saturation.sentences().size()));
    }
}
