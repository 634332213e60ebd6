package siemload.target;

import java.time.Duration;

/**
 * How a target is used by one run. Immutable.
 *
 * @param variant layout, indexes, hint and paging, all offered by the target
 * @param searchTimeout how long one search may take before it is given up, 1 ms or more
 * @param sessions how many search sessions and sinks are open at once at most
 */
public record TargetOptions(Variant variant, Duration searchTimeout, int sessions) {}
