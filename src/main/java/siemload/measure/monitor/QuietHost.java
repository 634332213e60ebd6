package siemload.measure.monitor;

import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;
import siemload.database.Pause;
import siemload.measure.monitor.HostCounts.OwnHost;

/** Waits until only this process keeps the machine busy: no other program, and no database catching up. Kernel threads do not count. */
public final class QuietHost {
    /** A second is quiet if all other programs together took less than this share of all CPUs. */
    private static final double QUIET_RATIO = 0.10;

    /** This many quiet seconds in a row end the wait. */
    private static final int QUIET_SECONDS = 2;

    /** After this many seconds the wait ends in any case. */
    private static final int PATIENCE_SECONDS = 60;

    /** The start of the status text during the wait. */
    public static final String WAITING = "waiting for a quiet machine";

    private QuietHost() {}

    /**
     * The result of the wait.
     *
     * @param time how long it took
     * @param quiet whether the machine was quiet at the end
     * @param busyRatio the share of all CPUs that the database and other programs used in the last second, 0 to 1
     */
    public record Waited(Duration time, boolean quiet, double busyRatio) {}

    /**
     * Waits for two quiet seconds in a row, a minute at most.
     *
     * @param status shows the progress of the wait
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
