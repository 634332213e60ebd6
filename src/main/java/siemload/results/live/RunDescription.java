package siemload.results.live;

import java.util.Map;

/**
 * What is known of a run from its start. Immutable.
 *
 * @param runId the name of its directory
 * @param sentence what is run, for people
 * @param labels the same for Prometheus, by its names: {@code scenario}, {@code target}, ...
 */
public record RunDescription(String runId, String sentence, Map<String, String> labels) {
    public RunDescription {
        labels = Map.copyOf(labels);
    }
}
