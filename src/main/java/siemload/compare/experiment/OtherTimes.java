package siemload.compare.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import siemload.results.LatencyLogReader;
import siemload.results.MicrosSummary;
import siemload.results.RunResult.Measurement;
import siemload.results.TimeMetric;
import siemload.results.VisibilityResult;

/**
 * What runs are compared by beside response times: times to the first and to the last event of each search, how late batches
 * of the feeder were, and how long fed events took to be found. All in microseconds; a percentile only where enough values stand
 * behind it. Stateless.
 */
final class OtherTimes {
    private static final Map<TimeMetric, String> OF_SEARCHES =
            Map.of(TimeMetric.FIRST_EVENT, Metric.FIRST_EVENT, TimeMetric.SERVICE_TIME, Metric.LAST_EVENT);

    private OtherTimes() {}

    /**
     * Those of a run, by subject and metric.
     *
     * @param invalid hears which log cannot be read
     */
    static Map<String, Map<String, Double>> read(Path directory, Measurement measured, List<String> invalid) {
        Map<String, Map<String, Double>> figures = new TreeMap<>();
        OF_SEARCHES.forEach((time, name) -> read(
                directory,
                time,
                invalid,
                () -> RunFiguresReader.times(directory, time)
                        .forEach((subject, times) -> add(figures, subject, name, times))));
        read(directory, TimeMetric.FEEDER_LATENESS, invalid, () -> {
            Histogram all = new Histogram(RunFiguresReader.SIGNIFICANT_DIGITS);
            LatencyLogReader.read(directory, TimeMetric.FEEDER_LATENESS, interval -> all.add(interval.times()));
            add(figures, RunFigures.FEEDER, Metric.LATENESS, all);
        });
        VisibilityResult visibility = measured.probes().visibility();
        percentiles(figures, RunFigures.FEEDER, Metric.VISIBLE, visibility.seen(), visibility.visibleMicros());
        return figures;
    }

    private interface Reading {
        void read() throws IOException;
    }

    /** A run whose log is missing has no such times. */
    private static void read(Path directory, TimeMetric time, List<String> invalid, Reading reading) {
        if (Files.exists(time.file().in(directory))) {
            try {
                reading.read();
            } catch (IOException unreadable) {
                invalid.add(time.file().fileName() + " cannot be read: " + unreadable.getMessage());
            }
        }
    }

    private static void add(Map<String, Map<String, Double>> figures, String subject, String name, Histogram times) {
        percentiles(figures, subject, name, times.getTotalCount(), MicrosSummary.of(times));
    }

    private static void percentiles(
            Map<String, Map<String, Double>> figures, String subject, String name, long count, MicrosSummary times) {
        Map<String, Long> percentiles = Map.of("P50", times.p50(), "P95", times.p95(), "P99", times.p99());
        percentiles.forEach((percentile, micros) -> {
            Metric metric = new Metric(name + percentile);
            if (count >= metric.searchesNeeded()) {
                figures.computeIfAbsent(subject, unused -> new TreeMap<>()).put(metric.name(), (double) micros);
            }
        });
    }
}
