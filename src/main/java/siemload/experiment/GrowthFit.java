package siemload.experiment;

import java.util.List;

/** Fits how the metric grows along an axis of numbers. Stateless. */
final class GrowthFit {

    private GrowthFit() {}

    static List<Growth> of(Experiment experiment, List<Comparison.Series> figures) {
        return List.of();
    }
}
