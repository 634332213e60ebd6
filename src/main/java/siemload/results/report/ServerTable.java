package siemload.results.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;
import siemload.results.StepRecord;
import siemload.results.report.Table.Side;

/**
 * The servers that took a data set each, in the form of SplunkIT: a row for each, then their sum and their average. What is missing is
 * called so: it makes a sum that is missing, and an average that says of how many it is. Stateless and thread-safe.
 */
final class ServerTable {
    static final String MISSING = "missing";
    /** What SplunkIT has no sum of. */
    private static final String NONE = "-";

    private static final String INGEST = "ingest";
    private static final String CLASS = "class";
    private static final double MICROS = 1e6;
    /** What the titles say, in two lines. */
    static final List<String> LEGEND = List.of(
            "KB/s: 1,000 bytes of raw events (IDEA JSON, as fed) a second; EPS: events a second; both until all were durable",
            "TFE, TTS: seconds from sending a search to its first and its last event, means over its passes; by classes of matches");

    private ServerTable() {}

    /**
     * A column.
     *
     * @param unit what a figure is divided by
     * @param digits behind the point
     * @param summed whether the servers have a sum of it
     */
    private record Column(String title, String step, String figure, double unit, int digits, boolean summed) {
        OptionalDouble mean(List<StepRecord> steps, int server) {
            List<StepRecord> own = steps.stream()
                    .filter(one -> one.name().equals(step) && server(one, "server") == server)
                    .toList();
            boolean whole = own.stream().allMatch(one -> one.figures().containsKey(figure));
            return whole
                    ? own.stream()
                            .mapToDouble(one -> one.figures().getOrDefault(figure, 0.0) / unit)
                            .average()
                    : OptionalDouble.empty();
        }

        String shown(double value) {
            return String.format(Locale.ROOT, "%,." + digits + "f", value);
        }
    }

    /** The titles, a row for each server, the sum and the average; empty where no server took a data set. */
    static List<List<String>> rows(List<StepRecord> steps) {
        int servers = steps.stream()
                .filter(ServerTable::isIngest)
                .mapToInt(step -> server(step, "servers"))
                .max()
                .orElse(0);
        if (servers == 0) {
            return List.of();
        }
        List<Column> columns = columns(steps);
        List<List<String>> rows = new ArrayList<>();
        rows.add(row("server", columns.stream().map(Column::title)));
        for (int server = 1; server <= servers; server++) {
            int own = server;
            rows.add(row(
                    String.valueOf(server), columns.stream().map(column -> shown(column, column.mean(steps, own)))));
        }
        rows.add(row("Sum", columns.stream().map(column -> sum(column, values(column, steps, servers)))));
        rows.add(row("Average", columns.stream().map(column -> average(column, values(column, steps, servers)))));
        return rows;
    }

    private static boolean isIngest(StepRecord step) {
        return step.name().equals(INGEST) && step.facts().containsKey("servers");
    }

    private static int server(StepRecord step, String fact) {
        return Integer.parseInt(step.facts().getOrDefault(fact, "0"));
    }

    private static List<Column> columns(List<StepRecord> steps) {
        List<Column> columns = new ArrayList<>();
        columns.add(new Column("KB/s", INGEST, "kilobytesPerSecond", 1, 1, true));
        columns.add(new Column("EPS", INGEST, "eventsPerSecond", 1, 0, true));
        Set<String> classes = new LinkedHashSet<>();
        steps.forEach(step ->
                classes.addAll(Stream.ofNullable(step.facts().get(CLASS)).toList()));
        for (String one : classes) {
            columns.add(new Column(one + " TFE", one, "firstEventMicros", MICROS, 4, false));
            columns.add(new Column("TTS", one, "lastEventMicros", MICROS, 4, false));
        }
        return columns;
    }

    private static List<OptionalDouble> values(Column column, List<StepRecord> steps, int servers) {
        List<OptionalDouble> values = new ArrayList<>();
        for (int server = 1; server <= servers; server++) {
            values.add(column.mean(steps, server));
        }
        return values;
    }

    private static String sum(Column column, List<OptionalDouble> values) {
        if (!column.summed()) {
            return NONE;
        }
        return values.stream().allMatch(OptionalDouble::isPresent)
                ? column.shown(
                        values.stream().mapToDouble(OptionalDouble::getAsDouble).sum())
                : MISSING;
    }

    private static String average(Column column, List<OptionalDouble> values) {
        double[] known = values.stream()
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .toArray();
        if (known.length == 0) {
            return MISSING;
        }
        String average = column.shown(Arrays.stream(known).sum() / known.length);
        return known.length == values.size() ? average : average + " (" + known.length + " of " + values.size() + ")";
    }

    private static String shown(Column column, OptionalDouble value) {
        return value.isPresent() ? column.shown(value.getAsDouble()) : MISSING;
    }

    private static List<String> row(String first, Stream<String> others) {
        return Stream.concat(Stream.of(first), others).toList();
    }

    /** The table for a terminal; empty without servers that took a data set. */
    static String text(List<StepRecord> steps) {
        return Table.text(rows(steps), Side.RIGHT, LEGEND);
    }
}
