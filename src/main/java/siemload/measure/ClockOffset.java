package siemload.measure;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The offset of a server's clock from the monotonic clock of this process, at one moment. Instants of the server's clock are in nanoseconds
 * since 1970. Immutable.
 *
 * @param offsetNanos the nanoseconds to add to the monotonic clock for the server's time
 * @param uncertaintyNanos the largest error of the offset, in either direction: half of the fastest answer's time plus half of the clock's
 *     resolution
 */
public record ClockOffset(long offsetNanos, long uncertaintyNanos) {
    private static final int READINGS = 25;

    /**
     * Reads the server's clock several times, and assumes a reading halfway between the fastest request and its answer (Cristian, 1989).
     *
     * @param server reads its clock
     * @param resolution the smallest step of the clock
     * @param nanoTime the monotonic clock
     */
    public static ClockOffset measure(Supplier<Instant> server, Duration resolution, LongSupplier nanoTime) {
        long unknown = resolution.toNanos() / 2;
        ClockOffset best = new ClockOffset(0, Long.MAX_VALUE);
        for (int i = 0; i < READINGS; i++) {
            long asked = nanoTime.getAsLong();
            long shown = ChronoUnit.NANOS.between(Instant.EPOCH, server.get());
            long took = nanoTime.getAsLong() - asked;
            if (took / 2 + unknown < best.uncertaintyNanos) {
                best = new ClockOffset(shown + unknown - asked - took / 2, took / 2 + unknown);
            }
        }
        return best;
    }

    /** Converts an instant of the monotonic clock to an instant of the server's clock. */
    public long serverNanos(long nanos) {
        return nanos + offsetNanos;
    }

    /** Converts an instant of the server's clock to an instant of the monotonic clock. */
    public long nanos(long serverNanos) {
        return serverNanos - offsetNanos;
    }

    /**
     * Returns the offset between two measurements: clocks drift, and the true offset was between the measured offsets.
     *
     * @param later an offset measured after this offset
     */
    public ClockOffset until(ClockOffset later) {
        long drift = Math.abs(later.offsetNanos - offsetNanos);
        return new ClockOffset(offsetNanos, Math.max(uncertaintyNanos, later.uncertaintyNanos) + drift);
    }
}
