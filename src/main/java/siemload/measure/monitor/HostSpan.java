package siemload.measure.monitor;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a host counted in a span of time. Immutable.
 *
 * @param cpus the times of each CPU, by its number
 */
record HostSpan(HostCounts counts, Map<String, CpuTimes> cpus) {
    /** A span in which nothing was counted. */
    static final HostSpan NONE = new HostSpan(HostCounts.NONE, Map.of());

    HostSpan {
        cpus = Collections.unmodifiableMap(new LinkedHashMap<>(cpus));
    }

    /** Both spans together. */
    HostSpan plus(HostSpan other) {
        Map<String, CpuTimes> each = new LinkedHashMap<>(cpus);
        other.cpus.forEach((number, times) -> each.merge(number, times, (one, more) -> one.with(more, Long::sum)));
        return new HostSpan(counts.plus(other.counts), each);
    }

    /** All CPUs together. */
    CpuTimes cpu() {
        CpuTimes sum = CpuTimes.NONE;
        for (CpuTimes one : cpus.values()) {
            sum = sum.with(one, Long::sum);
        }
        return sum;
    }

    double seconds() {
        return counts.nanos() / 1e9;
    }
}
