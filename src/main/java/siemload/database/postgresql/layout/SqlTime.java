package siemload.database.postgresql.layout;

import java.time.Instant;

/** Times as PostgreSQL keeps them: microseconds since 2000, and infinity beyond the years that it knows. */
public final class SqlTime {
    public static final Instant FIRST = Instant.parse("-4711-01-01T00:00:00Z");
    public static final Instant END = Instant.parse("+294276-01-01T00:00:00Z");

    private static final long EPOCH_SECOND =
            Instant.parse("2000-01-01T00:00:00Z").getEpochSecond();
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final int NANOS_PER_MICRO = 1_000;

    private SqlTime() {}

    /** The binary form of a {@code timestamptz}, rounded down. */
    public static long micros(Instant instant) {
        if (instant.isBefore(FIRST)) {
            return Long.MIN_VALUE;
        }
        if (!instant.isBefore(END)) {
            return Long.MAX_VALUE;
        }
        return (instant.getEpochSecond() - EPOCH_SECOND) * MICROS_PER_SECOND + instant.getNano() / NANOS_PER_MICRO;
    }
}
