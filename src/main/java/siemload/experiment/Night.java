package siemload.experiment;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * One line of a history: what a gate, an experiment or a run measured at some time. Immutable.
 *
 * @param at when, as in RFC 3339
 * @param name of the gate's scenario, the experiment or the run's scenario: only equal names are compared
 * @param label what was measured, for people: a version or a revision; may be empty
 * @param outcome of a gate; empty for others
 * @param figures by subject and metric, {@code HAWAT1 p95}; that of an experiment's variant with its label behind, in
 *     brackets
 */
public record Night(String at, String name, String label, String outcome, Map<String, Double> figures) {

    public Night {
        figures = Collections.unmodifiableMap(new TreeMap<>(figures));
    }
}
