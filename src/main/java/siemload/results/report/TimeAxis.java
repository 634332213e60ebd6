package siemload.results.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

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

    ObjectNode toJson() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("first", first)
                .put("step", step)
                .put("points", points);
    }
}
