package siemload.dataset.statistics;

import java.util.function.DoublePredicate;

/** Finds the number at which something begins or ceases to hold, by halving the interval that it lies in. Stateless. */
final class Bisection {
    private Bisection() {}

    /**
     * The number below which it holds, and above which it does not.
     *
     * @param least the end of the interval where it holds
     * @param most the other end
     * @param steps how often the interval is halved
     */
    static double find(double least, double most, int steps, DoublePredicate holdsBelow) {
        double low = least;
        double high = most;
        for (int i = 0; i < steps; i++) {
            double middle = (low + high) / 2;
            if (holdsBelow.test(middle)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return (low + high) / 2;
    }
}
