package siemload.database;

import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Looks at a server for about a second, five times: a single look meets an application between two statements. Used by one
 * thread.
 *
 * @param working how many sessions of others are at work now; looked at each time
 * @param ended how many transactions or operations have ended up to now; looked at first and last
 */
public record ServerUseSampler(DoubleSupplier working, LongSupplier ended) {
    private static final int LOOKS = 5;
    private static final int MILLIS_BETWEEN = 200;

    /**
     * What was seen.
     *
     * @param working on average
     * @param perSecond how many ended in each second
     */
    public record Seen(double working, double perSecond) {}

    /**
     * Looks for about a second.
     *
     * @throws TargetException if the server cannot be asked
     */
    public Seen look() {
        long start = System.nanoTime();
        long before = ended.getAsLong();
        double sum = 0;
        for (int look = 0; look < LOOKS; look++) {
            pause();
            sum += working.getAsDouble();
        }
        long after = ended.getAsLong();
        return new Seen(sum / LOOKS, Math.max(0, after - before) * 1e9 / (System.nanoTime() - start));
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(MILLIS_BETWEEN);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TargetException("looking at who uses the server was interrupted", e);
        }
    }
}
