package siemload.measure;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import siemload.results.FeederResult.VisibilityResult;
import siemload.results.LoggedInterval;
import siemload.results.MicrosSummary.MicrosInterval;
import siemload.results.statistics.PercentileIntervals;

/** Takes how long sampled fed events took to be found, and keeps those acknowledged in the measured phase. Thread-safe. */
public final class VisibilityRecorder {
    private final RunClock clock;
    /** There is about one a second. */
    private final Queue<Seen> seen = new ConcurrentLinkedQueue<>();

    private final LongAdder unseen = new LongAdder();

    public VisibilityRecorder(RunClock clock) {
        this.clock = clock;
    }

    /**
     * An event that was found.
     *
     * @param endSecond when the answer came, in seconds of the measured phase
     * @param nanos how long after its acknowledgement
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
            seen.add(new Seen(clock.second(answeredNanos), answeredNanos - acknowledgedNanos));
        }
    }

    /** Notes that no probe found an event acknowledged at this instant before the run ended. */
    public void neverSeen(long acknowledgedNanos) {
        if (clock.measures(acknowledgedNanos)) {
            unseen.increment();
        }
    }

    /** What was taken, for another recorder to {@link #add}. */
    public Taken taken() {
        return new Taken(List.copyOf(seen), unseen.sum());
    }

    /**
     * What a recorder has taken.
     *
     * @param unseen how many events no probe found
     */
    public record Taken(List<Seen> seen, long unseen) {
        public Taken {
            seen = List.copyOf(seen);
        }
    }

    /** Adds what another recorder has taken. */
    public void add(Taken more) {
        seen.addAll(more.seen());
        unseen.add(more.unseen());
    }

    /** What run.json holds. */
    public VisibilityResult result() {
        List<Seen> found = List.copyOf(seen);
        MicrosHistogram visible = new MicrosHistogram();
        found.forEach(one -> visible.recordNanos(one.nanos()));
        return new VisibilityResult(
                found.size() + unseen.sum(),
                found.size(),
                unseen.sum(),
                visible.summary().with(intervals()));
    }

    private Map<String, MicrosInterval> intervals() {
        try {
            return PercentileIntervals.of(this::read, one -> List.of("")).getOrDefault("", Map.of());
        } catch (IOException impossible) {
            throw new IllegalStateException("nothing is read from a file", impossible);
        }
    }

    private void read(Consumer<LoggedInterval> reader) {
        seen.stream().sorted(Comparator.comparingDouble(Seen::endSecond)).forEach(one -> reader.accept(one.interval()));
    }
}
