package siemload.scenario;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Choices with relative weights, in a fixed order. Weights need not add up to 1. Immutable. */
public final class Weights<T> {
    private final Map<T, Double> weights;
    private final List<T> possible;
    /** Of the possible choices, in their order. */
    private final double[] widths;

    private final double total;

    /** @param weights the weight of each choice, 0 or more, at least one above 0 */
    public Weights(Map<T, Double> weights) {
        this.weights = Collections.unmodifiableMap(new LinkedHashMap<>(weights));
        List<Map.Entry<T, Double>> above = this.weights.entrySet().stream()
                .filter(choice -> choice.getValue() > 0)
                .toList();
        if (above.isEmpty()) {
            throw new IllegalArgumentException("at least one weight must be above 0");
        }
        this.possible = above.stream().map(Map.Entry::getKey).toList();
        this.widths = above.stream().mapToDouble(Map.Entry::getValue).toArray();
        this.total = sum(widths);
    }

    /** One after another, so that seeds go on to draw what they drew: {@link java.util.stream.DoubleStream#sum} rounds otherwise. */
    private static double sum(double[] widths) {
        double sum = 0;
        for (double width : widths) {
            sum += width;
        }
        return sum;
    }

    /** The weight of each choice, in their order. */
    public Map<T, Double> weights() {
        return weights;
    }

    /**
     * The choice at this point when the choices lie side by side on [0, 1), each as wide as its share.
     *
     * @param point 0 (included) to 1 (excluded), for instance a random number
     */
    public T at(double point) {
        double remaining = point * total;
        for (int i = 0; i < widths.length; i++) {
            remaining -= widths[i];
            if (remaining < 0) {
                return possible.get(i);
            }
        }
        return possible.get(widths.length - 1);
    }

    /** The choices that can come, in their order. */
    public List<T> possible() {
        return possible;
    }

    /** The choice with the largest weight; the first of equal ones. */
    public T heaviest() {
        return weights.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Weights<?> that && weights.equals(that.weights);
    }

    @Override
    public int hashCode() {
        return weights.hashCode();
    }

    @Override
    public String toString() {
        return weights.toString();
    }
}
