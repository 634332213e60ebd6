package siemload.measure.monitor;

import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;
import siemload.database.Pause;
import siemload.measure.monitor.HostCounts.OwnHost;

/**
 * Waits until nothing but this process keeps the machine busy: no other program, and no database catching up. Threads of the kernel may
 * do what they like.
 */
public final class QuietHost {
    /** A second in which everybody else took less of all CPUs is quiet. */
    private static final double QUIET_RATIO = 0.10;

    /** So many in a row end the waiting. */
    private static final int QUIET_SECONDS = 2;

    /** After so many the waiting ends in any case. */
    private static final int PATIENCE_SECONDS = 60;

    /** What the status begins with meanwhile. */
    public static final String WAITING = "waiting for a quiet machine";

    private QuietHost() {}

    /**
     * How the waiting ended.
     *
     * @param time how long it took
     * @param quiet whether the machine was quiet at last
     * @param busyRatio what the others took of all CPUs in the last second, 0 to 1
     */
    public record Waited(Duration time, boolean quiet, double busyRatio) {}

    /**
     * Waits for two quiet seconds in a row, a minute at most.
     *
     * @param status is told what is being waited for
     */
    public static Waited await(DatabaseProcesses database, Consumer<String> status) {
        OwnHost machine = new OwnHost(database);
        long start = System.nanoTime();
        HostCounts last = machine.read();
        double busy = 0;
        int quiet = 0;
        for (int second = 1; second <= PATIENCE_SECONDS && quiet < QUIET_SECONDS; second++) {
            Pause.millis(1_000, WAITING);
            HostCounts now = machine.read();
            HostCounts span = now.since(last);
            busy = span.otherCpuRatio() + span.ofCpus("database");
            quiet = busy < QUIET_RATIO ? quiet + 1 : 0;
            String text = WAITING + ": %d s of at most %d, %.0f %% of all CPUs busy";
            status.accept(String.format(Locale.ROOT, text, second, PATIENCE_SECONDS, busy * 100));
            last = now;
        }
        return new Waited(Duration.ofNanos(System.nanoTime() - start), quiet >= QUIET_SECONDS, busy);
    }
}
