package siemload.results;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.results.RunResult.Disturbance;

/**
 * The verdict on a run: whether its numbers can be trusted, and whether the database kept up with the load. Immutable.
 *
 * @param valid whether the numbers can be used: true for the verdicts {@code valid} and {@code disturbed}
 * @param verdict the verdict on the numbers
 * @param warnings the reasons why the verdict is not {@code valid}, the most important first; empty if the verdict is {@code valid}
 * @param disturbance the influence of other programs
 * @param saturation how the database fell behind, which does not affect the verdict
 * @param notes facts that are needed to understand the numbers, but do not speak against the numbers
 */
public record Validity(
        boolean valid,
        RunVerdict verdict,
        List<String> warnings,
        Disturbance disturbance,
        Saturation saturation,
        List<String> notes) {
    public Validity {
        warnings = List.copyOf(warnings);
        notes = List.copyOf(notes);
    }

    /**
     * Returns the validity that follows from these findings.
     *
     * @param faults the faults of the load generator, its machine or the measurement: a single fault makes the run invalid
     */
    public static Validity of(List<String> faults, Disturbance disturbance, Saturation saturation, List<String> notes) {
        List<String> warnings = new ArrayList<>(faults);
        if (disturbance.seen()) {
            warnings.add(disturbance.sentence());
        }
        RunVerdict verdict = !faults.isEmpty() || disturbance.tooMuch()
                ? RunVerdict.NOT_VALID
                : disturbance.seen() ? RunVerdict.DISTURBED : RunVerdict.VALID;
        return new Validity(verdict != RunVerdict.NOT_VALID, verdict, warnings, disturbance, saturation, notes);
    }

    /** Returns the reasons why the numbers cannot be used; empty if the numbers can be used. */
    public List<String> faults() {
        return verdict == RunVerdict.NOT_VALID ? warnings : List.of();
    }

    /** The verdict on the numbers of a run. {@link Saturation} says whether the database kept up. */
    public enum RunVerdict {
        /** The numbers describe what the scenario asks for. */
        VALID,
        /** Roughly right numbers: other programs took CPU time. {@link RunResult.Disturbance} says how far percentiles may be off. */
        DISTURBED,
        /** The load generator, its machine or the measurement failed, so the numbers do not describe what the scenario asks for. */
        NOT_VALID;

        /** Returns the verdict's name in results: {@code notValid}. */
        @JsonValue
        public String label() {
            return Choices.camelCase(this);
        }
    }

    /**
     * The saturation of a database that fell behind in a run. The run may also have faults, which make it invalid. Immutable.
     *
     * @param gaveOut the bottlenecks, the most important first, with figures; empty if the database kept up
     * @param signs the signs of saturation: searches given up, a feeder that waited, connections that were all busy
     * @param advice what to change first; empty if the database kept up
     */
    public record Saturation(List<String> gaveOut, List<String> signs, String advice) {
        /** The database kept up. */
        public static final Saturation NONE = new Saturation(List.of(), List.of(), "");

        public Saturation {
            gaveOut = List.copyOf(gaveOut);
            signs = List.copyOf(signs);
        }

        /** Returns whether the database fell behind. */
        public boolean seen() {
            return !gaveOut.isEmpty();
        }

        /** Returns the bottlenecks, and the signs of saturation. */
        public List<String> sentences() {
            return Stream.concat(gaveOut.stream().map(what -> "bottleneck: " + what), signs.stream())
                    .toList();
        }
    }
}
