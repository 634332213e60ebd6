package siemload.run;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** How long a run takes for what lies outside of its load or its procedure, step by step. Used by one thread at a time. */
final class OutsideTimes {
    private static final double NANOS_PER_MILLI = 1e6;

    private final Map<String, Double> seconds = new LinkedHashMap<>();

    /** Does a step, and adds its time to that of the steps with the same name; also where it fails. */
    <T> T of(String step, Supplier<T> work) {
        long start = System.nanoTime();
        try {
            return work.get();
        } finally {
            double millis = Math.round((System.nanoTime() - start) / NANOS_PER_MILLI);
            seconds.merge(step, millis / 1e3, Double::sum);
        }
    }

    /** Measures work without a result. */
    void of(String step, Runnable work) {
        boolean unused = of(step, () -> {
            work.run();
            return true;
        });
    }

    /** The seconds of each step so far, in the order of the steps. */
    Map<String, Double> seconds() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(seconds));
    }
}
