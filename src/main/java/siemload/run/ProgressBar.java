package siemload.run;

import java.util.Locale;

/** How far a long step is, with rate and time left. Used by one thread. */
public final class ProgressBar implements AutoCloseable {
    private static final int WIDTH = 24;
    private static final long EVERY_NANOS = 200_000_000;

    private final RunHost host;
    private final String label;
    private final long total;
    private final String unit;
    private final long startNanos = System.nanoTime();
    private long shownNanos = startNanos;
    private long done;

    /** Starts at once; {@code total} is what {@link #advance} will add up to. */
    public ProgressBar(RunHost host, String label, long total) {
        this(host, label, total, "events");
    }

    /** The same for something else than events: {@code unit} is what is counted. */
    ProgressBar(RunHost host, String label, long total, String unit) {
        this.host = host;
        this.label = label;
        this.total = total;
        this.unit = unit;
    }

    /** Notes that this much more is done. */
    public void advance(long amount) {
        done += amount;
        long now = System.nanoTime();
        if (now - shownNanos >= EVERY_NANOS) {
            shownNanos = now;
            host.status(text(label, unit, done, total, (now - startNanos) / 1e9));
        }
    }

    /** Shows the name of a step of unknown length. */
    void step(String name) {
        host.status(name);
    }

    @Override
    public void close() {
        host.status("");
    }

    static String text(String label, String unit, long done, long total, double seconds) {
        double share = total == 0 ? 1 : Math.min(1, (double) done / total);
        int filled = (int) (share * WIDTH);
        double rate = done / seconds;
        return String.format(
                Locale.ROOT,
                "%s [%s%s] %3.0f %% %,.0f %s/s, %.0f s left",
                label,
                "#".repeat(filled),
                "-".repeat(WIDTH - filled),
                share * 100,
                rate,
                unit,
                rate > 0 ? (total - done) / rate : 0);
    }
}
