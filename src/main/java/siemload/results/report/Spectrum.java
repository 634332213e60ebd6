package siemload.results.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.HdrHistogram.PercentileIterator;

/** A distribution as the charts take it: the tail gets as many points as the middle. Stateless and thread-safe. */
public final class Spectrum {
    private static final int STEPS_PER_HALVING = 5;

    private Spectrum() {}

    /**
     * The {@code count}, and as {@code points} pairs of 1/(1-p), for p the share of times at or below, and the time. The
     * highest time has no such number, and stands at the count.
     *
     * @param times in microseconds
     */
    public static ObjectNode of(Histogram times) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("count", times.getTotalCount());
        ArrayNode points = json.putArray("points");
        double count = times.getTotalCount();
        PercentileIterator steps = new PercentileIterator(times, STEPS_PER_HALVING);
        while (steps.hasNext()) {
            HistogramIterationValue step = steps.next();
            double below = step.getTotalCountToThisValue() / count;
            double rarity = below >= 1 ? count : Math.min(count, 1 / (1 - below));
            points.addArray().add(TimeAxis.Series.rounded(rarity)).add(step.getValueIteratedTo());
        }
        return json;
    }
}
