package siemload.measure.monitor;

/**
 * A look at the machine. Immutable.
 *
 * @param counts of which only differences mean anything
 * @param load the load average of one minute
 * @param memoryUsedBytes what programs could not have at once
 */
record HostReading(HostCounts counts, double load, long memoryUsedBytes) {}
