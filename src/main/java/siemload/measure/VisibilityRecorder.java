package siemload.measure;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import siemload.results.FeederResult.VisibilityResult;
import siemload.results.LoggedInterval;
import siemload.results.MicrosSummary.MicrosInterval;
import siemload.results.statistics.PercentileIntervals;

/** Takes how long sampled fed events took to be found, and keeps those acknowledged in the measured phase. Thread-safe. */
public final class VisibilityRecorder {
    private static final long NEVER = -1;

    private final RunClock clock;
    /** There is about one a second. */
    private final Queue<Seen> sampled = new ConcurrentLinkedQueue<>();

    public VisibilityRecorder(RunClock clock) {
        this.clock = clock;
    }

    /**
     * A sampled event.
     *
     * @param endSecond when the answer came that had it, in seconds of the measured phase
     * @param nanos how long after its acknowledgement; below 0 where no probe found it before the run ended
     */
    public record Seen(double endSecond, long nanos) {
        private LoggedInterval interval() {
            MicrosHistogram one = new MicrosHistogram();
            one.recordNanos(nanos);
            return new LoggedInterval("", endSecond, one.takeInterval());
        }
    }

    /** Notes that an event acknowledged at the first instant was in the answer that came at the second. */
    public void seen(long acknowledgedNanos, long answeredNanos) {
        if (clock.measures(acknowledgedNanos)) {
            sampled.add(new Seen(clock.second(answeredNanos), Math.max(0, answeredNanos - acknowledgedNanos)));
        }
    }

    /** Notes that no probe found an event acknowledged at this instant before the run ended. */
    public void neverSeen(long acknowledgedNanos) {
        if (clock.measures(acknowledgedNanos)) {
            sampled.add(new Seen(0, NEVER));
        }
    }

    /** What was taken, for another recorder to {@link #add}. */
    public List<Seen> taken() {
        return List.copyOf(sampled);
    }

    /** Adds what another recorder has taken. */
    public void add(List<Seen> more) {
        sampled.addAll(more);
    }

    /** What run.json holds. */
    public VisibilityResult result() {
        List<Seen> found = sampled.stream()
                .filter(one -> one.nanos() != NEVER)
                .sorted(Comparator.comparingDouble(Seen::endSecond))
                .toList();
        MicrosHistogram visible = new MicrosHistogram();
        found.forEach(one -> visible.recordNanos(one.nanos()));
        Map<String, MicrosInterval> intervals;
        try {
            intervals = PercentileIntervals.of(
                            reader -> found.forEach(one -> reader.accept(one.interval())), one -> List.of(""))
                    .getOrDefault("", Map.of());
        } catch (IOException impossible) {
            throw new IllegalStateException("nothing is read from a file", impossible);
        }
        int all = sampled.size();
        return new VisibilityResult(
                all, found.size(), all - found.size(), visible.summary().with(intervals));
    }
}
