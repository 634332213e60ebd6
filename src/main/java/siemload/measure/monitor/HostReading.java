package siemload.measure.monitor;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A look at a host. Immutable.
 *
 * @param counts of which only differences mean anything
 * @param cpus the times of each CPU, by its number
 * @param levels how it is at this moment
 */
record HostReading(HostCounts counts, Map<String, CpuTimes> cpus, Levels levels) {

    HostReading {
        cpus = Collections.unmodifiableMap(new LinkedHashMap<>(cpus));
    }

    /**
     * What goes up and down.
     *
     * @param load1 the load average of one minute
     * @param memoryUsedBytes what programs could not have at once
     * @param pageCacheBytes what pages of files take, shared memory among them
     * @param databaseMemoryBytes what the database's processes hold, where they are on that host and known
     */
    record Levels(
            double load1,
            double load5,
            double load15,
            long memoryUsedBytes,
            long pageCacheBytes,
            long databaseMemoryBytes) {
        static final Levels NONE = new Levels(0, 0, 0, 0, 0, 0);

        /** The higher one of each. */
        Levels max(Levels other) {
            return new Levels(
                    Math.max(load1, other.load1),
                    Math.max(load5, other.load5),
                    Math.max(load15, other.load15),
                    Math.max(memoryUsedBytes, other.memoryUsedBytes),
                    Math.max(pageCacheBytes, other.pageCacheBytes),
                    Math.max(databaseMemoryBytes, other.databaseMemoryBytes));
        }
    }

    /** What was counted since an earlier look. */
    HostSpan since(HostReading earlier) {
        Map<String, CpuTimes> each = new LinkedHashMap<>();
        cpus.forEach((number, now) -> {
            CpuTimes then = earlier.cpus.get(number);
            if (then != null) {
                each.put(number, now.with(then, (one, other) -> Math.max(0, one - other)));
            }
        });
        return new HostSpan(counts.since(earlier.counts), each);
    }
}
