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

    /** Equally frequent choices, each once. */
    static <T> Weights<T> alike(List<T> choices) {
        Map<T, Double> alike = new LinkedHashMap<>();
        choices.forEach(choice -> alike.put(choice, 1.0));
        return new Weights<>(alike);
    }

    /**
     * The choice at this point if the choices lie side by side on [0, 1), each as wide as its share.
     *
     * @param point 0 (included) to 1 (excluded), for instance a random number
     */
    public T at(double point) {
        double total = 0;
        for (double weight : weights.values()) {
            total += weight;
        }
        double remaining = point * total;
        T choice = weights.keySet().iterator().next();
        for (Map.Entry<T, Double> one : weights.entrySet()) {
            if (remaining >= 0 && one.getValue() > 0) {
                choice = one.getKey();
                remaining -= one.getValue();
            }
        }
        return choice;
    }

    /** The choices with a weight above 0, in order. */
    public List<T> possible() {
        return weights.entrySet().stream()
                .filter(choice -> choice.getValue() > 0)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The choice with the largest weight; the first of equal ones. */
    public T heaviest() {
        return Collections.max(weights.entrySet(), Map.Entry.comparingByValue()).getKey();
    }
}
