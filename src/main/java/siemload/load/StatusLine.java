package siemload.load;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import siemload.config.DaemonThread;
import siemload.measure.FeederRecorder;
import siemload.measure.LatencyRecorder;
import siemload.measure.RunClock;
import siemload.results.MicrosSummary;
import siemload.run.Breakdown;

/** Says once a second how the run is going, and does what is due at an instant of it. Thread-safe. */
public final class StatusLine implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Consumer<String> status;
    private final String asked;
    private final RunClock clock;
    private final LatencyRecorder recorder;
    private final Optional<FeederRecorder> feeder;
    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(1, DaemonThread.named("siemload-status"));
    private long lastNanos;
    private long lastFinished;
    private long lastFed;

    /**
     * A line about one run.
     *
     * @param status takes the text; empty where there is nothing to say any more
     * @param asked what users ask: {@code searches}
     * @param feeder empty where nothing is fed
     */
    public StatusLine(
            Consumer<String> status,
            String asked,
            RunClock clock,
            LatencyRecorder recorder,
            Optional<FeederRecorder> feeder) {
        this.status = status;
        this.asked = asked;
        this.clock = clock;
        this.recorder = recorder;
        this.feeder = feeder;
        this.lastNanos = clock.startNanos();
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Starts to say it. */
    public void start() {
        ScheduledFuture<?> unused = timer.scheduleAtFixedRate(
                Breakdown.guarded(() -> status.accept(text(System.nanoTime()))), 1, 1, TimeUnit.SECONDS);
    }

    /** Does something once, at this instant of the monotonic clock. */
    void at(long nanos, Runnable action) {
        ScheduledFuture<?> unused =
                timer.schedule(Breakdown.guarded(action), nanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    /** Does something again and again through the run, so that one of the times is this instant. */
    void every(Duration interval, long nanos, Runnable action) {
        long first = Math.floorMod(nanos - System.nanoTime(), interval.toNanos());
        ScheduledFuture<?> unused =
                timer.scheduleAtFixedRate(Breakdown.guarded(action), first, interval.toNanos(), TimeUnit.NANOSECONDS);
    }

    /**
     * Stops, and waits for what is being done, for 5 s at most: what ends a second must not do so while somebody else ends the
     * last one. It is not interrupted, since that would close the file that it writes.
     */
    @Override
    public void close() {
        timer.shutdown();
        try {
            timer.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        status.accept("");
    }

    /** How it is going at this instant, since the last time that was asked. Injectors agree to a start that is still to come. */
    String text(long now) {
        if (now - clock.startNanos() <= 0) {
            return String.format(Locale.ROOT, "beginning in %.1f s", (clock.startNanos() - now) / 1e9);
        }
        double seconds = (now - lastNanos) / 1e9;
        long finished = recorder.finishedSoFar();
        MicrosSummary recent = recorder.recentResponseTimes();
        String text = String.format(
                Locale.ROOT,
                "%s | %.0f %s/s, p95 %.1f ms, %d running, %d failed%s",
                phase(now),
                (finished - lastFinished) / seconds,
                asked,
                recent.p95() / 1000.0,
                recorder.running(),
                recorder.failedSoFar(),
                feeder.map(fed -> feeding(fed, seconds)).orElse(""));
        lastNanos = now;
        lastFinished = finished;
        return text;
    }

    private String feeding(FeederRecorder feeding, double seconds) {
        long fed = feeding.acknowledgedSoFar();
        String text = String.format(Locale.ROOT, " | feeder %.0f events/s", (fed - lastFed) / seconds);
        lastFed = fed;
        return text;
    }

    private String phase(long now) {
        if (now - clock.measureNanos() < 0) {
            return "warm-up " + progress(now - clock.startNanos(), clock.measureNanos() - clock.startNanos());
        }
        if (clock.isOver(now)) {
            return "waiting for the last " + asked;
        }
        return "measuring " + progress(now - clock.measureNanos(), clock.endNanos() - clock.measureNanos());
    }

    private static String progress(long done, long all) {
        return minutes(Duration.ofNanos(done)) + "/" + minutes(Duration.ofNanos(all));
    }

    private static String minutes(Duration duration) {
        return String.format(Locale.ROOT, "%d:%02d", duration.toMinutes(), duration.toSecondsPart());
    }
}
