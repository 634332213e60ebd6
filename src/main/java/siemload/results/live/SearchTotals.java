package siemload.results.live;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import siemload.results.TimeMetric;
import siemload.results.report.Spectrum;

/**
 * What the measured searches have come to so far: their distribution, and where their time went. Its size does not grow
 * with the length of the run. Used by one thread at a time.
 */
final class SearchTotals {
    private final Map<String, Histogram> responses = new TreeMap<>();
    private final Map<String, Parts> parts = new TreeMap<>();

    /** A mean that goes on. */
    private static final class Mean {
        private double sum;
        private long count;

        void add(Histogram times) {
            sum += times.getMean() * times.getTotalCount();
            count += times.getTotalCount();
        }

        double value() {
            return count == 0 ? 0 : Math.round(10 * sum / count) / 10.0;
        }
    }

    /** The parts of the response times of one search, 0 as long as nothing is known of them. */
    private static final class Parts {
        private final Mean lateness = new Mean();
        private final Mean workerWait = new Mean();
        private final Mean firstEvent = new Mean();
        private final Mean lastEvent = new Mean();
    }

    /** Adds response times of one search by page and order. */
    void response(Histogram times) {
        String tag = times.getTag();
        for (String name : new String[] {tag.substring(0, tag.indexOf('-')), "all"}) {
            responses.computeIfAbsent(name, unused -> new Histogram(3)).add(times);
        }
    }

    /** Adds times of a part of such searches; other times are none of their parts. */
    void part(TimeMetric metric, Histogram times) {
        switch (metric) {
            case SEARCH_LATENESS -> partsOf(times).lateness.add(times);
            case WORKER_WAIT -> partsOf(times).workerWait.add(times);
            case FIRST_EVENT -> partsOf(times).firstEvent.add(times);
            case SERVICE_TIME -> partsOf(times).lastEvent.add(times);
            default -> {
                // The page shows nothing of it.
            }
        }
    }

    private Parts partsOf(Histogram times) {
        return parts.computeIfAbsent(times.getTag(), unused -> new Parts());
    }

    /** As the charts take it: each search with all parts, 0 for one of which nothing is known yet. */
    ObjectNode toJson() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ObjectNode spectra = json.putObject("spectra").putObject("response");
        responses.forEach((name, times) -> spectra.set(name, Spectrum.of(times)));
        var searches = json.putArray("searches");
        parts.forEach((tag, means) -> {
            String[] names = tag.split("-", 3);
            ObjectNode search = searches.addObject()
                    .put("name", names[0])
                    .put("page", names[1])
                    .put("order", names[2]);
            search.putObject("firstEventMicros").put("mean", means.firstEvent.value());
            search.putObject("lastEventMicros").put("mean", means.lastEvent.value());
            search.putObject("workerWaitMicros").put("mean", means.workerWait.value());
            search.putObject("latenessMicros").put("mean", means.lateness.value());
        });
        return json;
    }
}
