package siemload.results.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

/**
 * The seconds that all charts over time share, in at most {@value #MAX_POINTS} steps, so that a report's size does not
 * grow with the length of the run. Immutable.
 *
 * @param first the first second, counted from the start of the measured phase: negative with a warm-up
 * @param step the seconds in one point, 1 or more
 * @param points how many there are, 1 or more
 */
record TimeAxis(long first, long step, int points) {
    static final int MAX_POINTS = 600;

    /** From one second to another, both among them. */
    static TimeAxis of(long first, long last) {
        long seconds = Math.max(1, last - first + 1);
        long step = (seconds + MAX_POINTS - 1) / MAX_POINTS;
        return new TimeAxis(first, step, Math.toIntExact((seconds + step - 1) / step));
    }

    /** Where a second belongs: the end of an interval that clocks may have ended some milliseconds early or late. */
    static long wholeSecond(double second) {
        return Math.round(second);
    }

    /** The point that a second falls into; outside of 0 to {@link #points} where the axis does not hold it. */
    int indexOf(double second) {
        return Math.toIntExact(Math.floorDiv(wholeSecond(second) - first, step));
    }

    boolean holds(int index) {
        return index >= 0 && index < points;
    }

    /** One value for each point of an axis, or none. Used by one thread. */
    static final class Series {
        private final TimeAxis axis;
        private final Kind kind;
        private final double[] values;
        private final int[] counts;

        /** What becomes of several values of one point. */
        enum Kind {
            MEAN,
            HIGHEST
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
                case HIGHEST -> values[index] = counts[index] == 1 ? value : Math.max(values[index], value);
            }
        }

        /** The values, null where there is none; as floats, which are more than a chart shows, and half the size. */
        ArrayNode toJson() {
            ArrayNode array = JsonNodeFactory.instance.arrayNode(values.length);
            for (int i = 0; i < values.length; i++) {
                if (counts[i] == 0) {
                    array.addNull();
                } else {
                    array.add((float) Math.min(values[i], Float.MAX_VALUE));
                }
            }
            return array;
        }
    }
}
