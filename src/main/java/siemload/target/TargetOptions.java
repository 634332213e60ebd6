package siemload.target;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * How a target is used by one run. Immutable.
 *
 * @param variant layout, indexes, hint and paging, all offered by the target
 * @param searchTimeout how long one search may take before it is given up, 1 ms or more
 * @param sessions how many search sessions and sinks are open at once at most
 * @param parameters the server's own parameters by name, for this run alone; the target has not refused them
 */
public record TargetOptions(Variant variant, Duration searchTimeout, int sessions, Map<String, String> parameters) {

    public TargetOptions {
        parameters = Collections.unmodifiableMap(new TreeMap<>(parameters));
    }

    /** Without parameters. */
    public TargetOptions(Variant variant, Duration searchTimeout, int sessions) {
        this(variant, searchTimeout, sessions, Map.of());
    }
}
