package siemload.run.answers;

import java.time.Instant;
import java.util.Locale;
import java.util.function.IntUnaryOperator;
import siemload.query.Order;
import siemload.query.PageKey;

/**
 * A checksum of many rows in 128 bits, in any order or in the given one: different sets have equal checksums with a probability of about
 * 2^-128. Not thread-safe.
 */
public final class RowSum {
    private long count;
    private long first;
    private long second;

    void add(PageKey row) {
        // Java's own difference of instants is in nanoseconds, which overflow before 1677.
        Instant time = row.detectTime();
        long micros = time.getEpochSecond() * 1_000_000 + time.getNano() / 1_000;
        add(micros, row.id().length(), row.id()::charAt);
    }

    /** Adds the id of the next row, or any other text of an answer; the position of a text counts only if the answer is sorted. */
    public void add(String text, Order order) {
        add(order == Order.UNSORTED ? 0 : count, text.length(), text::charAt);
    }

    /** Adds the contents of a row. */
    void add(byte[] row) {
        add(row.length, row.length, place -> row[place]);
    }

    private void add(long begin, int length, IntUnaryOperator parts) {
        long one = begin;
        long two = ~begin;
        for (int i = 0; i < length; i++) {
            int part = parts.applyAsInt(i);
            one = (one ^ part) * 0x9E37_79B9_7F4A_7C15L;
            one ^= one >>> 29;
            two = (two + part) * 0xC2B2_AE3D_27D4_EB4FL;
            two ^= two >>> 32;
        }
        count++;
        first += mixed(one);
        second += mixed(two);
    }

    long count() {
        return count;
    }

    boolean sameAs(RowSum other) {
        return count == other.count && first == other.first && second == other.second;
    }

    /** Returns the checksum in hexadecimal, without the number of rows. */
    public String hex() {
        return String.format(Locale.ROOT, "%016x%016x", first, second);
    }

    private static long mixed(long value) {
        long mixed = (value ^ value >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D0_49BB_1331_11EBL;
        return mixed ^ mixed >>> 31;
    }
}
