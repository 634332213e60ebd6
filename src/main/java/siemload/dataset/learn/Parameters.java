package siemload.dataset.learn;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import siemload.dataset.statistics.Estimate;

/** The parameters of a profile that were estimated, by their path in its file, with their intervals. Not thread-safe. */
final class Parameters {
    private final Map<String, Estimate> estimates = new LinkedHashMap<>();

    /** Notes an estimate and gives its value. */
    double note(String path, Estimate estimate) {
        estimates.put(path, estimate);
        return estimate.value();
    }

    /** Notes an estimate and gives its value, rounded. */
    long noteWhole(String path, Estimate estimate) {
        return Math.round(note(path, estimate));
    }

    Map<String, Estimate> all() {
        return Collections.unmodifiableMap(estimates);
    }
}
