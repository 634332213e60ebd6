package siemload.database;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * How a target is used by one run. Immutable.
 *
 * @param variant layout, indexes, hint and paging, all offered by the target
 * @param searchTimeout how long one search may take before it is given up, 1 ms or more
 * @param maintenanceTimeout how long one statement of loading, copying, indexing, counting or deleting may take
 * @param database in which of the server's databases everything lies; empty for the one that the url or the target names
 * @param sessions how many search sessions and sinks are open at once at most
 * @param parameters the server's own parameters by name, for this run alone; the target has not refused them
 */
public record TargetOptions(
        Variant variant,
        Duration searchTimeout,
        Duration maintenanceTimeout,
        String database,
        int sessions,
        Map<String, String> parameters) {
    private static final Duration USUAL_MAINTENANCE = Duration.ofHours(6);

    public TargetOptions {
        parameters = Collections.unmodifiableMap(new TreeMap<>(parameters));
    }

    /** Without parameters, and with the usual time for maintenance. */
    public TargetOptions(Variant variant, Duration searchTimeout, int sessions) {
        this(variant, searchTimeout, USUAL_MAINTENANCE, "", sessions, Map.of());
    }
}
