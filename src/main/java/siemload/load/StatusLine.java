package siemload.load;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import siemload.config.DaemonThread;
import siemload.measure.LatencyRecorder;
import siemload.measure.LatencyRecorder.RecordedSearches;
import siemload.measure.RunClock;
import siemload.run.Breakdown;

/** Prints the status of the run once a second, and does what is due at its instants. Thread-safe. */
final class StatusLine implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 5;

    private final Consumer<String> status;
    private final String asked;
    private final RunClock clock;
    private final LatencyRecorder recorder;
    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(1, DaemonThread.named("siemload-status"));

    /**
     * The line of one run.
     *
     * @param status shows the text; empty at the end
     * @param asked what users ask: {@code searches}
     */
    StatusLine(Consumer<String> status, String asked, RunClock clock, LatencyRecorder recorder) {
        this.status = status;
        this.asked = asked;
        this.clock = clock;
        this.recorder = recorder;
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        every(Duration.ofSeconds(1), System.nanoTime() - 1, () -> status.accept(text(System.nanoTime())));
    }

    /** Does something once, at this instant of the monotonic clock. */
    void at(long nanos, Runnable action) {
        ScheduledFuture<?> unused =
                timer.schedule(Breakdown.guarded(action), nanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    /** Does something repeatedly during the run, so that one of the times is this instant. */
    void every(Duration interval, long nanos, Runnable action) {
        long first = Math.floorMod(nanos - System.nanoTime(), interval.toNanos());
        ScheduledFuture<?> unused =
                timer.scheduleAtFixedRate(Breakdown.guarded(action), first, interval.toNanos(), TimeUnit.NANOSECONDS);
    }

    /**
     * Stops, and waits for work in progress, for 5 s at most: ending a second must not overlap with ending the last one. It is not
     * interrupted, since that would close the file that it writes.
     */
    @Override
    public void close() {
        timer.shutdown();
        try {
            timer.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        status.accept("");
    }

    /** How it is going at this instant, by the last second that has ended. Injectors agree to a start that is still to come. */
    String text(long now) {
        if (now - clock.startNanos() <= 0) {
            return String.format(Locale.ROOT, "beginning in %.1f s", (clock.startNanos() - now) / 1e9);
        }
        RecordedSearches second = recorder.recent();
        double p95 = recorder.recentResponseTimes().p95() / 1e3;
        double rate = second.finished() / recorder.recentSeconds();
        double fed = second.acknowledged() / recorder.recentSeconds();
        return String.format(Locale.ROOT, "%s | %.0f %s/s, p95 %.1f ms, ", phase(now), rate, asked, p95)
                + recorder.running() + " running, " + recorder.failedSoFar() + " failed"
                + (recorder.feeder().isOn() ? String.format(Locale.ROOT, " | feeder %.0f events/s", fed) : "");
    }

    private String phase(long now) {
        if (clock.isOver(now)) {
            return "waiting for the last " + asked;
        }
        boolean warms = now - clock.measureNanos() < 0;
        long from = warms ? clock.startNanos() : clock.measureNanos();
        long done = TimeUnit.NANOSECONDS.toSeconds(now - from);
        long all = TimeUnit.NANOSECONDS.toSeconds((warms ? clock.measureNanos() : clock.endNanos()) - from);
        return (warms ? "warm-up " : "measuring ") + done + " of " + all + " s";
    }
}
