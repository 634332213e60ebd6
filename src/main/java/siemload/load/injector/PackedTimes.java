package siemload.load.injector;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import siemload.results.LoggedInterval;

/**
 * The times of a second as pairs of a value and its count, the largest value first, each value as how much it is smaller than the
 * one before. A second has few times of each kind: so this is a tenth of what the library's compressed form of all its counters takes, in bytes and
 * in CPU. Exact: all values between two that the histogram tells apart are one. Stateless.
 */
final class PackedTimes {
    private static final int SIGNIFICANT_DIGITS = 3;

    private PackedTimes() {}

    static String text(Histogram times) {
        List<long[]> pairs = new ArrayList<>();
        for (HistogramIterationValue value : times.recordedValues()) {
            pairs.add(new long[] {value.getValueIteratedTo(), value.getCountAddedInThisIterationStep()});
        }
        PackedNumbers.Writer packed = new PackedNumbers.Writer();
        long before = 0;
        for (int i = pairs.size() - 1; i >= 0; i--) {
            long value = pairs.get(i)[0];
            packed.add(before == 0 ? value : before - value).add(pairs.get(i)[1]);
            before = value;
        }
        return packed.text();
    }

    /** @throws IllegalArgumentException if they are none, or more than a run measures */
    static Histogram times(String text) {
        PackedNumbers.Reader packed = new PackedNumbers.Reader(text);
        Histogram times = new Histogram(SIGNIFICANT_DIGITS);
        long value = -1;
        while (packed.hasMore()) {
            value = value < 0 ? packed.next() : value - packed.next();
            long count = packed.next();
            LoggedInterval.requirePossible(value, count);
            times.recordValueWithCount(value, count);
        }
        return times;
    }
}
