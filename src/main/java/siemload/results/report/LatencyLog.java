package siemload.results.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import siemload.results.BrokenFileException;
import siemload.results.LatencyLogReader;
import siemload.results.LoggedInterval;
import siemload.results.TimeMetric;

/**
 * One {@code .hlog} of a run, its intervals merged by search, whatever page class and order, and all together under
 * {@value #ALL}, without exact counts, which are no pages: over the whole phase, and over each point of a {@link TimeAxis}. Times are microseconds. Only one point
 * is held in memory at a time. Used by one thread.
 */
final class LatencyLog {
    static final String ALL = "all";
    private static final int SIGNIFICANT_DIGITS = 3;
    private static final List<Double> PERCENTILES = List.of(50.0, 95.0, 100.0);

    private final TimeAxis axis;
    private final SortedMap<String, Times> searches = new TreeMap<>();
    private int point = -1;

    private LatencyLog(TimeAxis axis) {
        this.axis = axis;
    }

    /** What one search took. */
    private static final class Times {
        final Histogram whole = new Histogram(SIGNIFICANT_DIGITS);
        final Histogram point = new Histogram(SIGNIFICANT_DIGITS);
        final List<Series> percentiles;

        Times(TimeAxis axis) {
            percentiles = PERCENTILES.stream()
                    .map(percentile -> new Series(axis, Series.Kind.HIGHEST))
                    .toList();
        }

        void endPoint(int index) {
            if (point.getTotalCount() > 0) {
                for (int i = 0; i < PERCENTILES.size(); i++) {
                    percentiles.get(i).put(index, (double) point.getValueAtPercentile(PERCENTILES.get(i)));
                }
                point.reset();
            }
        }
    }

    /**
     * Reads the file.
     *
     * @throws BrokenFileException if a line is not an interval of a histogram log
     */
    static LatencyLog read(Path directory, TimeMetric metric, TimeAxis axis) throws IOException {
        LatencyLog log = new LatencyLog(axis);
        LatencyLogReader.read(directory, metric, log::add);
        log.endPoint();
        return log;
    }

    private void add(LoggedInterval interval) {
        String search = interval.search();
        Histogram times = interval.times();
        int index = axis.indexOf(interval.endSecond());
        if (index != point) {
            endPoint();
            point = index;
        }
        if (interval.isOfExactCounts()) {
            return;
        }
        if (!search.isEmpty()) {
            add(search, times);
        }
        add(ALL, times);
    }

    private void add(String name, Histogram times) {
        Times sum = searches.computeIfAbsent(name, unused -> new Times(axis));
        sum.whole.add(times);
        sum.point.add(times);
    }

    private void endPoint() {
        if (axis.holds(point)) {
            searches.values().forEach(times -> times.endPoint(point));
        } else {
            searches.values().forEach(times -> times.point.reset());
        }
    }

    /** For each search its p50, p95 and highest over time. */
    ObjectNode overTime() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        searches.forEach((name, times) -> {
            ObjectNode search = json.putObject(name);
            search.set("p50", times.percentiles.get(0).toJson());
            search.set("p95", times.percentiles.get(1).toJson());
            search.set("max", times.percentiles.get(2).toJson());
        });
        return json;
    }

    /** For each search its {@link Spectrum}. */
    ObjectNode spectrum() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        searches.forEach((name, times) -> json.set(name, Spectrum.of(times.whole)));
        return json;
    }
}
