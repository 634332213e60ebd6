package siemload.run.answers;

import java.util.Locale;
import siemload.run.answers.SampledAnswer.Row;

/**
 * Many rows summed up in 128 bits, whatever their order: two sets of them have equal sums with a probability of about 2^-128 unless
 * they are equal. Not thread-safe.
 */
final class RowSum {
    private static final long FIRST_FACTOR = 0x9E37_79B9_7F4A_7C15L;
    private static final long SECOND_FACTOR = 0xC2B2_AE3D_27D4_EB4FL;

    private long count;
    private long first;
    private long second;

    void add(Row row) {
        long one = row.micros();
        long two = ~one;
        for (int i = 0; i < row.id().length(); i++) {
            one = first(one, row.id().charAt(i));
            two = second(two, row.id().charAt(i));
        }
        add(one, two);
    }

    /** Adds the contents of a row. */
    void add(byte[] row) {
        long one = row.length;
        long two = ~row.length;
        for (byte part : row) {
            one = first(one, part);
            two = second(two, part);
        }
        add(one, two);
    }

    private static long first(long sum, int part) {
        long next = (sum ^ part) * FIRST_FACTOR;
        return next ^ next >>> 29;
    }

    private static long second(long sum, int part) {
        long next = (sum + part) * SECOND_FACTOR;
        return next ^ next >>> 32;
    }

    private void add(long one, long two) {
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

    /** The sums, without the number of rows. */
    String hex() {
        return String.format(Locale.ROOT, "%016x%016x", first, second);
    }

    private static long mixed(long value) {
        long mixed = (value ^ value >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D0_49BB_1331_11EBL;
        return mixed ^ mixed >>> 31;
    }
}
