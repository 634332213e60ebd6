package siemload.compare.experiment;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * One line of a history: what a gate, an experiment or a run measured at some time. Immutable.
 *
 * @param at when, as in RFC 3339
 * @param name of the gate's scenario, the experiment or the run's scenario: only equal names are compared
 * @param label what was measured, for people: a version or a revision; may be empty
 * @param outcome of a gate, as {@code passed} or {@code host too noisy}; {@code invalid} or {@code
 *     saturated} for a run that was; else empty
 * @param figures by subject and metric, {@code HAWAT1 p95}; that of an experiment's variant with its label behind, in
 *     brackets
 */
public record HistoryEntry(String at, String name, String label, String outcome, Map<String, Double> figures) {

    private static final Set<String> NOT_TRUSTED = Set.of("invalid", "host too noisy");

    public HistoryEntry {
        label = Objects.requireNonNullElse(label, "");
        outcome = Objects.requireNonNullElse(outcome, "");
        figures = Collections.unmodifiableMap(new TreeMap<>(figures));
    }

    /** Whether its figures say something about what was measured. */
    public boolean isTrusted() {
        return !NOT_TRUSTED.contains(outcome);
    }
}
