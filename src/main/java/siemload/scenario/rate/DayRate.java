package siemload.scenario.rate;

import java.time.Duration;

/**
 * A wave between a trough and a peak, as days and nights make it: {@code day from 50/s to 400/s in 24h}. The trough is at
 * the start of each day, the peak in its middle; between them the rate follows a cosine. Immutable.
 *
 * @param trough things a second at the trough, 0 or more
 * @param peak things a second at the peak, at least those at the trough and above 0
 * @param day how long a day takes, above 0
 * @param startingAt the time of that day at the start
 */
record DayRate(double trough, double peak, Duration day, Duration startingAt) implements Rate {
    private static final int BISECTIONS = 60;

    @Override
    public double dueUntil(double seconds) {
        return sinceMidnight(seconds + startSeconds()) - sinceMidnight(startSeconds());
    }

    @Override
    public double secondsOf(double count) {
        if (count == 0) {
            return 0;
        }
        double all = count + sinceMidnight(startSeconds());
        double days = Math.floor(all / (mean() * daySeconds()));
        double from = days * daySeconds();
        double until = from + daySeconds();
        for (int i = 0; i < BISECTIONS && until - from > Math.ulp(until); i++) {
            double middle = (from + until) / 2;
            if (sinceMidnight(middle) < all) {
                from = middle;
            } else {
                until = middle;
            }
        }
        return until - startSeconds();
    }

    /** The integral of {@code mean - amplitude cos(2 pi t / day)}. */
    private double sinceMidnight(double seconds) {
        double turn = 2 * Math.PI / daySeconds();
        return mean() * seconds - (peak - trough) / 2 * Math.sin(turn * seconds) / turn;
    }

    private double mean() {
        return (trough + peak) / 2;
    }

    private double daySeconds() {
        return day.toNanos() / 1e9;
    }

    private double startSeconds() {
        return startingAt.toNanos() / 1e9;
    }

    @Override
    public String toString() {
        return RateText.day(this);
    }
}
