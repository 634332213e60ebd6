package siemload.measure.monitor;

import siemload.measure.monitor.HostReading.Levels;
import siemload.results.HostActivity.HostFigures;

/** Sums up what a host did in the measured phase. Used by one thread at a time. */
final class HostSummary {
    private final String name;
    private HostSpan all = HostSpan.NONE;
    private Levels highest = Levels.NONE;
    private long looks;
    private long failedLooks;

    HostSummary(String name) {
        this.name = name;
    }

    /** Adds a look at the host, and what it counted since the one before. */
    void add(HostSpan span, Levels now) {
        looks++;
        all = all.plus(span);
        highest = highest.max(now);
    }

    /** Adds a look that failed. */
    void addFailed() {
        looks++;
        failedLooks++;
    }

    Levels highest() {
        return highest;
    }

    HostFigures figures() {
        return new HostFigures(
                name,
                all.cpus().size(),
                all.cpu().use(),
                highest.load1(),
                highest.memoryUsedBytes(),
                highest.pageCacheBytes(),
                all.counts().transfers(),
                all.counts().diskActivity(),
                looks,
                failedLooks);
    }
}
