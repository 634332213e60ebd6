package siemload.scenario;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Choices with relative weights, in a fixed order. Weights need not add up to 1. Immutable.
 *
 * @param weights the weight of each choice, 0 or more, at least one above 0
 */
public record Weights<T>(Map<T, Double> weights) {

    public Weights {
        weights = Collections.unmodifiableMap(new LinkedHashMap<>(weights));
        if (weights.values().stream().noneMatch(weight -> weight > 0)) {
            throw new IllegalArgumentException("at least one weight must be above 0");
        }
    }

    /**
     * The choice at this point when the choices lie side by side on [0, 1), each as wide as its share.
     *
     * @param point 0 (included) to 1 (excluded), for instance a random number
     */
    public T at(double point) {
        double remaining = point * total();
        T chosen = weights.keySet().iterator().next();
        for (Map.Entry<T, Double> choice : weights.entrySet()) {
            if (choice.getValue() > 0) {
                chosen = choice.getKey();
                remaining -= choice.getValue();
                if (remaining < 0) {
                    return chosen;
                }
            }
        }
        return chosen;
    }

    /** The choices that can come, in their order. */
    public List<T> possible() {
        return weights.entrySet().stream()
                .filter(choice -> choice.getValue() > 0)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The choice with the largest weight; the first of equal ones. */
    public T heaviest() {
        T heaviest = weights.keySet().iterator().next();
        for (Map.Entry<T, Double> choice : weights.entrySet()) {
            if (choice.getValue() > weights.getOrDefault(heaviest, 0.0)) {
                heaviest = choice.getKey();
            }
        }
        return heaviest;
    }

    private double total() {
        double total = 0;
        for (double weight : weights.values()) {
            total += weight;
        }
        return total;
    }
}
