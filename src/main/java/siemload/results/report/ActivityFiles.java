package siemload.results.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import siemload.results.BrokenFileException;
import siemload.results.DatabaseActivity;
import siemload.results.RunFile;
import siemload.results.TableReader;

/**
 * What was noted second by second of load, host and database, on the axis that all charts share. Used by one thread.
 *
 * @param axis the seconds of the charts
 */
record ActivityFiles(RunFiles files, TimeAxis axis) {
    private static final List<String> DISK_COLUMNS =
            List.of("reads", "readBytes", "writes", "writtenBytes", "utilisationRatio");
    private static final List<String> IO_COLUMNS = List.of("reads", "readBytes", "writes", "writtenBytes", "hits");
    private static final List<String> IO_CATEGORIES = List.of("data", "index", "redo", "undo", "temp", "rest");

    /** From the first to the last second of the timeline. */
    static TimeAxis axis(Path directory) throws IOException {
        long[] range = {Long.MAX_VALUE, Long.MIN_VALUE};
        new TableReader(directory, RunFile.TIMELINE).read(row -> {
            range[0] = Math.min(range[0], TimeAxis.wholeSecond(row.second()));
            range[1] = Math.max(range[1], TimeAxis.wholeSecond(row.second()));
        });
        if (range[0] > range[1]) {
            throw new BrokenFileException(RunFile.TIMELINE.fileName() + ":2: no seconds");
        }
        return TimeAxis.of(range[0], range[1]);
    }

    /** Searches and fed events. The last row ends a part of a second only, so that it has levels but no rates. */
    ObjectNode load() throws IOException {
        Columns columns = new Columns();
        new TableReader(files.directory(), RunFile.TIMELINE).read(row -> {
            boolean whole = !row.text("phase").equals("end");
            if (whole) {
                columns.addAll(row, List.of("finished", "failed", "eventsAcknowledged", "eventsDue"), Series.Kind.MEAN);
            }
            columns.addAll(row, List.of("running", "eventsBehind"), Series.Kind.HIGHEST);
        });
        return columns.toJson();
    }

    /** Transactions on accounts: how many ended in each second, and how long they took. */
    ObjectNode transactions() throws IOException {
        Columns columns = new Columns();
        new TableReader(files.directory(), RunFile.TRANSACTIONS).read(row -> {
            columns.addAll(row, List.of("transactions", "conflicts"), Series.Kind.MEAN);
            if (row.number("transactions") > 0) {
                columns.addAll(row, List.of("p50Micros", "p99Micros", "maxMicros"), Series.Kind.HIGHEST);
            }
        });
        return columns.toJson();
    }

    ObjectNode host() throws IOException {
        Columns columns = new Columns();
        List<String> behindTheSecond =
                RunFile.HOST.columns().subList(1, RunFile.HOST.columns().size());
        new TableReader(files.directory(), RunFile.HOST).read(row -> {
            columns.addAll(row, behindTheSecond, Series.Kind.MEAN);
        });
        return columns.toJson();
    }

    /**
     * By group of tasks: the slowest and the latest of the ticks that were due in a second, whether one was missed, and of those that
     * were counted the most blocks.
     */
    ObjectNode ticks() throws IOException {
        Map<String, Columns> groups = new TreeMap<>();
        new TableReader(files.directory(), RunFile.TICKS).read(row -> {
            Columns group = groups.computeIfAbsent(row.text("group"), unused -> new Columns());
            if (row.text("outcome").equals("missed")) {
                group.add("missed", Series.Kind.SUM, row.second(), 1);
            } else {
                group.addAll(row, List.of("responseMicros", "latenessMicros"), Series.Kind.HIGHEST);
                addBlocks(group, row, "data");
                addBlocks(group, row, "index");
                addBlocks(group, row, "rest");
            }
        });
        return toJson(groups);
    }

    /** Where they were counted: those that were read, and together with those that were found in the cache. */
    private static void addBlocks(Columns group, TableReader.Row row, String kind) throws BrokenFileException {
        String read = kind + "BlocksRead";
        if (!row.text(read).isEmpty()) {
            double all = row.number(read) + row.number(kind + "BlocksHit");
            group.add(row, read, Series.Kind.HIGHEST);
            group.add(kind + "Blocks", Series.Kind.HIGHEST, row.second(), all);
        }
    }

    /** By device. */
    ObjectNode disks() throws IOException {
        return means(RunFile.DISKS, "device", new TreeMap<>(), DISK_COLUMNS);
    }

    /** What memory the database said it held, by its own names. */
    ObjectNode databaseMemory() throws IOException {
        return means(RunFile.DATABASE_MEMORY, "name", new TreeMap<>(), List.of("bytes"));
    }

    /** By host, as sysstat shows it. */
    ObjectNode hosts() throws IOException {
        List<String> columns = RunFile.HOSTS.columns();
        return means(RunFile.HOSTS, "host", new LinkedHashMap<>(), columns.subList(2, columns.size()));
    }

    /** @param parts none yet; its order is that of the parts */
    private ObjectNode means(RunFile file, String part, Map<String, Columns> parts, List<String> columns)
            throws IOException {
        new TableReader(files.directory(), file).read(row -> {
            parts.computeIfAbsent(row.text(part), unused -> new Columns()).addAll(row, columns, Series.Kind.MEAN);
        });
        return toJson(parts);
    }

    /** By host and CPU: the share of the time in which it did something. */
    ObjectNode cpus() throws IOException {
        Map<String, Map<String, Columns>> hosts = new LinkedHashMap<>();
        new TableReader(files.directory(), RunFile.CPUS)
                .read(row -> ofHost(hosts, row, "cpu")
                        .add(
                                "busyRatio",
                                Series.Kind.MEAN,
                                row.second(),
                                row.number("userRatio") + row.number("systemRatio")));
        return toJsonByHost(hosts);
    }

    /** By host and device. */
    ObjectNode hostDisks() throws IOException {
        Map<String, Map<String, Columns>> hosts = new LinkedHashMap<>();
        new TableReader(files.directory(), RunFile.HOST_DISKS).read(row -> {
            ofHost(hosts, row, "device").addAll(row, DISK_COLUMNS, Series.Kind.MEAN);
        });
        return toJsonByHost(hosts);
    }

    private Columns ofHost(Map<String, Map<String, Columns>> hosts, TableReader.Row row, String column) {
        return hosts.computeIfAbsent(row.text("host"), unused -> new LinkedHashMap<>())
                .computeIfAbsent(row.text(column), unused -> new Columns());
    }

    private static ObjectNode toJsonByHost(Map<String, Map<String, Columns>> hosts) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        hosts.forEach((name, parts) -> json.set(name, toJson(parts)));
        return json;
    }

    /** By category. */
    ObjectNode databaseIo() throws IOException {
        Map<String, Columns> categories = new TreeMap<>();
        new TableReader(files.directory(), RunFile.DATABASE_IO).read(row -> {
            String category = row.text("category");
            if (!IO_CATEGORIES.contains(category)) {
                throw row.wrong("category", "none of " + String.join(", ", IO_CATEGORIES));
            }
            categories.computeIfAbsent(category, unused -> new Columns()).addAll(row, IO_COLUMNS, Series.Kind.MEAN);
        });
        return toJson(categories);
    }

    /** What was counted of checkpoints, by name; of each second only what changed. */
    ObjectNode checkpoints() throws IOException {
        Columns columns = new Columns();
        new TableReader(files.directory(), RunFile.DATABASE_COUNTERS).read(row -> {
            String name = row.text("name");
            if (name.startsWith(DatabaseActivity.CHECKPOINTS)) {
                columns.add(
                        name.substring(DatabaseActivity.CHECKPOINTS.length()),
                        Series.Kind.SUM,
                        row.second(),
                        row.number("value"));
            }
        });
        return columns.toJson();
    }

    /** Series by the names of their columns, and the highest second of each in the measured phase. */
    private final class Columns {
        private final Map<String, Series> series = new LinkedHashMap<>();
        private final Map<String, Double> peaks = new LinkedHashMap<>();

        void addAll(TableReader.Row row, List<String> columns, Series.Kind kind) throws BrokenFileException {
            for (String column : columns) {
                add(row, column, kind);
            }
        }

        void add(TableReader.Row row, String column, Series.Kind kind) throws BrokenFileException {
            add(column, kind, row.second(), row.number(column));
        }

        void add(String column, Series.Kind kind, double second, double value) {
            series.computeIfAbsent(column, unused -> new Series(axis, kind)).add(second, value);
            if (second > 0) {
                peaks.merge(column, value, Math::max);
            }
        }

        ObjectNode toJson() {
            ObjectNode json = JsonNodeFactory.instance.objectNode();
            series.forEach((column, values) -> json.set(column, values.toJson()));
            ObjectNode highest = json.putObject("peaks");
            peaks.forEach(highest::put);
            return json;
        }
    }

    private static ObjectNode toJson(Map<String, Columns> parts) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        parts.forEach((name, columns) -> json.set(name, columns.toJson()));
        return json;
    }
}
