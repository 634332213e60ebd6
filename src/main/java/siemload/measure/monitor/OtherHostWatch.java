package siemload.measure.monitor;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import siemload.measure.RunClock;
import siemload.results.HostFigures;

/**
 * Writes what another host did in each second, and sums it up over the measured phase. Seconds in which it does not answer are
 * gaps, and nothing worse: they say nothing of the run. Thread-safe.
 */
final class OtherHostWatch {
    /** A difference over more than that says nothing of its last second. */
    private static final double LONGEST_SPAN_SECONDS = 3;

    private final OtherHost host;
    private final RunClock clock;
    private final HostTables tables;
    private final HostSummary summary;
    private Optional<HostReading> last = Optional.empty();
    private boolean measuring;
    private long looks;
    private long failures;
    private String failure = "";

    OtherHostWatch(OtherHost host, RunClock clock, HostTables tables) {
        this.host = host;
        this.clock = clock;
        this.tables = tables;
        this.summary = new HostSummary(host.name());
    }

    /** Looks at the host; what was due at this instant belongs to the second before it. */
    void tick(long dueNanos) {
        try {
            HostReading look = host.read();
            take(dueNanos, look);
        } catch (IOException unanswered) {
            failed(dueNanos, unanswered);
        }
    }

    private synchronized void take(long dueNanos, HostReading look) {
        looks++;
        if (last.isPresent()) {
            HostSpan span = look.since(last.orElseThrow());
            if (span.seconds() <= LONGEST_SPAN_SECONDS) {
                tables.write(clock.second(dueNanos), host.name(), look.levels(), span);
            }
            if (measuring) {
                summary.add(span, look.levels());
            }
        }
        last = Optional.of(look);
        measuring |= isMeasured(dueNanos);
    }

    private synchronized void failed(long dueNanos, IOException unanswered) {
        looks++;
        failures++;
        failure = String.valueOf(unanswered.getMessage());
        if (isMeasured(dueNanos)) {
            summary.addFailed();
        }
    }

    private boolean isMeasured(long dueNanos) {
        return dueNanos - clock.measureNanos() >= 0;
    }

    /** What it did in the measured phase. */
    synchronized HostFigures figures() {
        return summary.figures();
    }

    /** What could not be seen, and why. */
    synchronized List<String> notes() {
        if (failures == 0) {
            return List.of();
        }
        return List.of(
                failures == looks
                        ? "the host " + host.name() + " was never seen, so that its figures are missing: " + failure
                        : String.format(
                                Locale.ROOT,
                                "the host %s did not answer %d of %d times, which are gaps in its figures: %s",
                                host.name(),
                                failures,
                                looks,
                                failure));
    }
}
