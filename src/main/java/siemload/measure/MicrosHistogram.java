package siemload.measure;

import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import siemload.results.MicrosSummary;

/**
 * Times in whole microseconds with three significant digits, so that every reported percentile is within 0.1 % of a
 * recorded value. Percentiles are nearest rank: the smallest value with at least that share of values at or below it.
 * Recording is wait-free and thread-safe; reading while others record gives a slightly older picture.
 */
public final class MicrosHistogram {
    private static final int SIGNIFICANT_DIGITS = 3;

    /**
     * Neither it nor the others are packed ones: HdrHistogram 2.2.2 may spin for ever when two threads let one grow at
     * once, and adding to one costs more CPU than the searches that are measured.
     */
    private final Recorder recorder = new Recorder(SIGNIFICANT_DIGITS);

    private final Histogram total = new Histogram(SIGNIFICANT_DIGITS);
    private Optional<Histogram> untaken = Optional.empty();

    /** Records a time; a negative one, which a clock of one machine cannot give, counts as 0. */
    public void recordNanos(long nanos) {
        recorder.recordValue(Math.max(0, (nanos + 500) / 1000));
    }

    /** Records the same time for several things. */
    void recordNanos(long nanos, long times) {
        recorder.recordValueWithCount(Math.max(0, (nanos + 500) / 1000), times);
    }

    /** The number of recorded times. */
    public long count() {
        return collected().getTotalCount();
    }

    /** The recorded times summed up. */
    public MicrosSummary summary() {
        return MicrosSummary.of(collected());
    }

    /** Adds another histogram's times to this one. */
    public synchronized void add(MicrosHistogram other) {
        collect(other.collected());
    }

    /** Adds times in microseconds with the same precision; the histogram is this one's from now on. */
    synchronized void add(Histogram micros) {
        collect(micros);
    }

    /** The times recorded since the last call, in microseconds; the caller owns the histogram. */
    synchronized Histogram takeInterval() {
        collect();
        Histogram taken = untaken.orElseGet(() -> new Histogram(SIGNIFICANT_DIGITS));
        untaken = Optional.empty();
        return taken;
    }

    /** All times; a copy, since others may go on recording. */
    private synchronized Histogram collected() {
        collect();
        return total.copy();
    }

    private void collect() {
        Histogram fresh = new Histogram(SIGNIFICANT_DIGITS);
        recorder.getIntervalHistogramInto(fresh);
        collect(fresh);
    }

    private void collect(Histogram more) {
        if (more.getTotalCount() > 0) {
            total.add(more);
            untaken.ifPresent(more::add);
            untaken = Optional.of(more);
        }
    }
}
