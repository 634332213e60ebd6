package siemload.results.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.HdrHistogram.Histogram;
import org.hipparchus.distribution.continuous.NormalDistribution;
import siemload.results.LoggedInterval;

/**
 * Response times whose distribution is known: searches arrive by chance, {@code rate} of them a second, and take about a
 * millisecond. Immutable.
 *
 * @param load how much the seconds differ: the deviation of the logarithm of a second's mean
 * @param memory how much of that a second leaves to the next, 0 to 1
 * @param stalls the share of the seconds in which every search takes 3 to 9 ms
 */
record SimulatedSeconds(double rate, double load, double memory, double stalls) {
    private static final double MEDIAN_MICROS = 1_000;
    private static final double SPREAD = 0.7;
    private static final double STALL_FROM = 3_000;
    private static final double STALL_TO = 9_000;

    /** The seconds of one run. */
    List<LoggedInterval> run(long seed, int seconds) {
        Random random = new Random(seed);
        List<LoggedInterval> run = new ArrayList<>();
        double level = load * random.nextGaussian();
        for (int second = 1; second <= seconds; second++) {
            level = memory * level + Math.sqrt(1 - memory * memory) * load * random.nextGaussian();
            boolean stalled = random.nextDouble() < stalls;
            double stall = STALL_FROM + random.nextDouble() * (STALL_TO - STALL_FROM);
            Histogram times = new Histogram(3);
            for (int left = poisson(rate, random); left > 0; left--) {
                double time = MEDIAN_MICROS * Math.exp(level + SPREAD * random.nextGaussian());
                times.recordValue(Math.round(stalled ? stall : time));
            }
            run.add(new LoggedInterval("", second, times));
        }
        return run;
    }

    /** How many there are where so many are to be expected. */
    static int poisson(double rate, Random random) {
        int count = 0;
        for (double at = -Math.log(1 - random.nextDouble()); at < rate; at -= Math.log(1 - random.nextDouble())) {
            count++;
        }
        return count;
    }

    /** The percentile of all searches that there could be. */
    double percentile(double share) {
        NormalDistribution logarithms = new NormalDistribution(0, Math.hypot(load, SPREAD));
        DoubleUnaryOperator below =
                micros -> (1 - stalls) * logarithms.cumulativeProbability(Math.log(micros / MEDIAN_MICROS))
                        + stalls * Math.min(1, Math.max(0, (micros - STALL_FROM) / (STALL_TO - STALL_FROM)));
        double from = 1;
        double to = 1e9;
        for (int i = 0; i < 100; i++) {
            double middle = (from + to) / 2;
            if (below.applyAsDouble(middle) < share) {
                from = middle;
            } else {
                to = middle;
            }
        }
        return from;
    }
}
