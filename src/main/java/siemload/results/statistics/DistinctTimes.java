package siemload.results.statistics;

import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * The times that occur in a histogram: to find them it is gone through from end to end, thousands of cells for a handful of
 * searches, so that they are taken out first where they would be counted more than once. The arrays are not to be changed.
 *
 * @param micros rising, each the highest that the histogram does not tell apart from it
 * @param counts how often each occurs, from 1 on
 */
@SuppressWarnings("ArrayRecordComponent") // read where they are, in the innermost loop
record DistinctTimes(long[] micros, long[] counts) {
    static DistinctTimes of(Histogram times) {
        LongStream.Builder micros = LongStream.builder();
        LongStream.Builder counts = LongStream.builder();
        for (HistogramIterationValue value : times.recordedValues()) {
            micros.add(value.getValueIteratedTo());
            counts.add(value.getCountAtValueIteratedTo());
        }
        return new DistinctTimes(micros.build().toArray(), counts.build().toArray());
    }
}
