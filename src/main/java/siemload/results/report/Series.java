package siemload.results.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

/** One value for each point of a {@link TimeAxis}, or none. Used by one thread. */
final class Series {
    private static final int SIGNIFICANT_DIGITS = 5;

    private final TimeAxis axis;
    private final Kind kind;
    private final double[] values;
    private final int[] counts;

    /** What becomes of several values of one point. */
    enum Kind {
        MEAN,
        HIGHEST,
        SUM
    }

    Series(TimeAxis axis, Kind kind) {
        this.axis = axis;
        this.kind = kind;
        this.values = new double[axis.points()];
        this.counts = new int[axis.points()];
    }

    /** Adds the value of a second; one outside of the axis is not part of the picture. */
    void add(double second, double value) {
        int index = axis.indexOf(second);
        if (axis.holds(index)) {
            put(index, value);
        }
    }

    /** Adds a value to a point of the axis. */
    void put(int index, double value) {
        counts[index]++;
        switch (kind) {
            case MEAN -> values[index] += (value - values[index]) / counts[index];
            case SUM -> values[index] += value;
            case HIGHEST -> values[index] = counts[index] == 1 ? value : Math.max(values[index], value);
        }
    }

    /** The values, null where there is none. */
    ArrayNode toJson() {
        ArrayNode array = JsonNodeFactory.instance.arrayNode(values.length);
        for (int i = 0; i < values.length; i++) {
            if (counts[i] == 0) {
                array.addNull();
            } else {
                array.add(rounded(values[i]));
            }
        }
        return array;
    }

    /** Five significant digits: more than a chart shows, and a third of the size. */
    static double rounded(double value) {
        if (value == 0) {
            return 0;
        }
        double scale = Math.pow(10, SIGNIFICANT_DIGITS - Math.ceil(Math.log10(Math.abs(value))));
        return Double.isFinite(scale) && scale > 0 ? Math.round(value * scale) / scale : value;
    }
}
