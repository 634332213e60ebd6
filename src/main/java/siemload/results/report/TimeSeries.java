package siemload.results.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.HdrHistogram.PercentileIterator;
import siemload.results.LoggedInterval;
import siemload.results.ResultText.BrokenFileException;
import siemload.results.RunFile;
import siemload.results.RunFile.Row;
import siemload.results.RunFile.TimeMetric;
import siemload.results.RunWriter.RunListener;

/**
 * Time series for charts: one for each figure, over a common axis of at most {@value #MOST_POINTS} points, so that a page does not grow
 * with the length of a run. The figures come from the files of a run, or from a run in progress. Thread-safe.
 */
public final class TimeSeries implements RunListener {
    /** The name of all searches together, without exact counts, which are not pages. */
    static final String ALL = "all";

    /** The names that tables have in the data of charts. */
    static final Map<RunFile, String> TABLES = new EnumMap<>(Map.of(
            RunFile.TIMELINE, "load",
            RunFile.HOST, "hosts",
            RunFile.DISKS, "disks",
            RunFile.DATABASE_IO, "io",
            RunFile.DATABASE_COUNTERS, "checkpoints"));

    /** The names that times of searches have in the data of charts. */
    static final Map<TimeMetric, String> TIMES = new EnumMap<>(Map.of(
            TimeMetric.RESPONSE_TIME, "latency",
            TimeMetric.FIRST_EVENT, "firstEvent",
            TimeMetric.SERVICE_TIME, "lastEvent"));

    private static final int MOST_POINTS = 600;
    private static final int STEPS_PER_HALVING = 5;
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final Map<String, Double> PERCENTILES = Map.of("p50", 50.0, "p95", 95.0, "max", 100.0);
    /** Columns that identify the subject of a row; each subject has its own series. */
    private static final Set<String> NAMES = Set.of("host", "device", "category");
    /** Columns that no chart shows. */
    private static final Set<String> UNSHOWN =
            Set.of("second", "phase", "name", "responseP50Micros", "responseP99Micros", "responseMaxMicros");
    /** Columns for which a point is the maximum of its seconds instead of their mean. */
    private static final Set<String> LEVELS = Set.of("running", "eventsBehind", "responseP95Micros");

    private final Map<List<String>, Series> series = new LinkedHashMap<>();
    /** The times of the whole measured phase, by kind of time and by search. */
    private final Map<TimeMetric, SortedMap<String, Histogram>> times = new EnumMap<>(TimeMetric.class);
    /** The response times of the current point; the series have the percentiles of earlier points. */
    private final SortedMap<String, Histogram> ofPoint = new TreeMap<>();

    private int point = -1;
    private long first;
    private long step = 1;
    private int points;

    /**
     * Returns the index of the point for a second. The second of the first call has the first point; earlier seconds get a negative index.
     * If there would be too many points, each point is made twice as long.
     */
    private int indexOf(double second) {
        // A second may end some milliseconds early or late, so it is rounded.
        long whole = Math.round(second);
        first = points == 0 ? whole : first;
        while (Math.floorDiv(whole - first, step) >= MOST_POINTS) {
            endPoint();
            point = -1;
            step *= 2;
            points = (points + 1) / 2;
            series.values().forEach(Series::halve);
        }
        int index = (int) Math.max(-1, Math.floorDiv(whole - first, step));
        points = Math.max(points, index + 1);
        return index;
    }

    @Override
    public void row(RunFile table, Row row) {
        try {
            add(table, row);
        } catch (BrokenFileException noFigure) {
            // Charts leave out the rest of a row after a cell that is not a number.
        }
    }

    /** Adds a row of a table. @throws BrokenFileException if a cell of a chart is not a number */
    synchronized void add(RunFile table, Row row) throws BrokenFileException {
        String part = TABLES.get(table);
        if (part == null) {
            return;
        }
        List<String> named = new ArrayList<>(List.of(part));
        table.columns().stream().filter(NAMES::contains).map(row::text).forEach(named::add);
        for (String column : table.columns()) {
            if (!NAMES.contains(column) && !UNSHOWN.contains(column) && isShown(table, row, column)) {
                List<String> path = new ArrayList<>(named);
                path.add(column);
                Series one = series.computeIfAbsent(path, unused -> new Series(LEVELS.contains(column)));
                one.add(indexOf(row.second()), row.number(column));
            }
        }
    }

    private static boolean isShown(RunFile table, Row row, String column) throws BrokenFileException {
        if (table == RunFile.TIMELINE) {
            // The last row ends an incomplete second, so only its levels are shown, and not its rates.
            return LEVELS.contains(column) || !row.text("phase").equals("end");
        }
        return table != RunFile.DATABASE_COUNTERS || row.text("name").equals("checkpoints.completed");
    }

    /** Adds times by search, over all page classes and orders, since a chart has no space for more lines. */
    @Override
    public synchronized void interval(TimeMetric metric, LoggedInterval interval) {
        if (!TIMES.containsKey(metric) || interval.isOfExactCounts()) {
            return;
        }
        if (metric == TimeMetric.RESPONSE_TIME) {
            int index = indexOf(interval.endSecond());
            if (index != point) {
                endPoint();
                ofPoint.values().forEach(Histogram::reset);
                point = index;
            }
        }
        SortedMap<String, Histogram> whole = times.computeIfAbsent(metric, unused -> new TreeMap<>());
        for (String name : interval.search().isEmpty() ? List.of(ALL) : List.of(interval.search(), ALL)) {
            whole.computeIfAbsent(name, unused -> new Histogram(3)).add(interval.times());
            if (metric == TimeMetric.RESPONSE_TIME) {
                ofPoint.computeIfAbsent(name, unused -> new Histogram(3)).add(interval.times());
            }
        }
    }

    /** Computes the percentiles of the current point from all its times. */
    private void endPoint() {
        ofPoint.forEach((name, all) -> {
            if (all.getTotalCount() > 0 && point >= 0) {
                PERCENTILES.forEach((percentile, percent) -> series.computeIfAbsent(
                                List.of("latency", name, percentile), unused -> new Series(true))
                        .set(point, (double) all.getValueAtPercentile(percent)));
            }
        });
    }

    /** Removes a part of the data that could not be read to its end, given the part's name in charts. */
    synchronized void drop(String part) {
        series.keySet().removeIf(path -> path.get(0).equals(part));
        point = part.equals(TIMES.get(TimeMetric.RESPONSE_TIME)) ? -1 : point;
        times.keySet().removeIf(metric -> part.equals(TIMES.get(metric)));
    }

    /** Returns the axis, and all series by the parts of their names. */
    public synchronized ObjectNode json() {
        endPoint();
        ObjectNode json = JSON.objectNode();
        json.putObject("axis").put("first", first).put("step", step).put("points", points);
        series.forEach((path, values) -> {
            ObjectNode place = json;
            for (String name : path.subList(0, path.size() - 1)) {
                place = place.withObjectProperty(name);
            }
            place.set(path.get(path.size() - 1), values.json(points));
        });
        return json;
    }

    /**
     * Returns the distribution of each kind of time and search, with as many points for the tail as for the middle. A point has 1/(1-p) and
     * a time in microseconds, where p is the share of times at or below it; for the highest time, the number of times replaces 1/(1-p).
     */
    synchronized ObjectNode spectra() {
        ObjectNode json = JSON.objectNode();
        times.forEach((metric, searches) -> searches.forEach((name, all) -> {
            ArrayNode spectrum = json.withObjectProperty(TIMES.get(metric)).putArray(name);
            double count = all.getTotalCount();
            PercentileIterator steps = new PercentileIterator(all, STEPS_PER_HALVING);
            while (steps.hasNext()) {
                HistogramIterationValue one = steps.next();
                double below = one.getTotalCountToThisValue() / count;
                double rarity = below >= 1 ? count : Math.min(count, 1 / (1 - below));
                spectrum.addArray().add((float) rarity).add(one.getValueIteratedTo());
            }
        }));
        return json;
    }

    /** A series of at most one value for each point: the mean or the maximum of the point's seconds. */
    private static final class Series {
        private final boolean isLevel;
        private final double[] values = new double[MOST_POINTS];
        private final int[] counts = new int[MOST_POINTS];

        Series(boolean isLevel) {
            this.isLevel = isLevel;
        }

        void add(int index, double value) {
            if (index >= 0) {
                merge(index, value, 1);
            }
        }

        private void merge(int index, double value, int count) {
            int before = counts[index];
            double mean = (values[index] * before + value * count) / (before + count);
            set(index, !isLevel ? mean : before == 0 ? value : Math.max(values[index], value));
            counts[index] = before + count;
        }

        void set(int index, double value) {
            values[index] = value;
            counts[index] = 1;
        }

        /** Merges each pair of points into one. */
        void halve() {
            double[] before = values.clone();
            int[] counted = counts.clone();
            Arrays.fill(values, 0);
            Arrays.fill(counts, 0);
            for (int i = 0; i < MOST_POINTS; i++) {
                if (counted[i] > 0) {
                    merge(i / 2, before[i], counted[i]);
                }
            }
        }

        /** Returns the values as floats, which are precise enough for charts and half the size; null for points without a value. */
        ArrayNode json(int points) {
            ArrayNode array = JSON.arrayNode(points);
            for (int i = 0; i < points; i++) {
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
