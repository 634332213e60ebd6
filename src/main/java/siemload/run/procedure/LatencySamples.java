package siemload.run.procedure;

import java.util.ArrayList;
import java.util.List;

/** Times of equal things. Thread-safe. */
final class LatencySamples {
    private final List<Double> micros = new ArrayList<>();

    synchronized void add(double one) {
        micros.add(one);
    }

    /**
     * Nearest rank: the smallest time with at least so many percent of the times at or below it.
     *
     * @param percent above 0, up to 100
     * @return in microseconds; 0 where there is none
     */
    synchronized double percentile(double percent) {
        if (micros.isEmpty()) {
            return 0;
        }
        List<Double> sorted = micros.stream().sorted().toList();
        return sorted.get((int) Math.ceil(percent / 100 * sorted.size()) - 1);
    }
}
