package siemload.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What was noted second by second of load, host and database, on the axis that all charts share. Used by one thread.
 *
 * @param axis the seconds of the charts
 */
record ActivityFiles(RunFiles files, TimeAxis axis) {
    static final String TIMELINE = "timeline.csv";
    private static final String TIMELINE_COLUMNS = "second,phase,finished,failed,running,responseP50Micros,"
            + "responseP95Micros,responseP99Micros,responseMaxMicros,eventsAcknowledged,eventsBehind";
    private static final String HOST_COLUMNS = "second,databaseCpuRatio,generatorCpuRatio,otherCpuRatio,iowaitRatio,"
            + "stealRatio,load1,memoryUsedBytes,swapInBytes,swapOutBytes,networkReceivedBytes,networkSentBytes";
    private static final String DISK_COLUMNS = "second,device,reads,readBytes,writes,writtenBytes,utilisationRatio";
    private static final String IO_COLUMNS = "second,category,reads,readBytes,writes,writtenBytes,hits";
    private static final List<String> IO_CATEGORIES = List.of("data", "index", "redo", "undo", "temp", "rest");

    /** From the first to the last second of the timeline. */
    static TimeAxis axis(Path timeline) throws IOException {
        long[] range = {Long.MAX_VALUE, Long.MIN_VALUE};
        new CsvFile(timeline, TIMELINE_COLUMNS).read(row -> {
            range[0] = Math.min(range[0], TimeAxis.wholeSecond(row.second()));
            range[1] = Math.max(range[1], TimeAxis.wholeSecond(row.second()));
        });
        if (range[0] > range[1]) {
            throw new BrokenFileException(timeline.getFileName() + ":2: no seconds");
        }
        return TimeAxis.of(range[0], range[1]);
    }

    /** Searches and fed events. The last row ends a part of a second only, so that it has levels but no rates. */
    ObjectNode load() throws IOException {
        Columns columns = new Columns();
        new CsvFile(files.path(TIMELINE), TIMELINE_COLUMNS).read(row -> {
            boolean whole = !row.text("phase").equals("end");
            if (whole) {
                columns.add(row, "finished", Series.Kind.MEAN);
                columns.add(row, "failed", Series.Kind.MEAN);
                columns.add(row, "eventsAcknowledged", Series.Kind.MEAN);
            }
            columns.add(row, "running", Series.Kind.HIGHEST);
            columns.add(row, "eventsBehind", Series.Kind.HIGHEST);
        });
        return columns.toJson();
    }

    ObjectNode host() throws IOException {
        Columns columns = new Columns();
        new CsvFile(files.path("host.csv"), HOST_COLUMNS).read(row -> {
            for (String column : HOST_COLUMNS.split(",", -1)) {
                if (!column.equals("second")) {
                    columns.add(row, column, Series.Kind.MEAN);
                }
            }
        });
        return columns.toJson();
    }

    /** By device. */
    ObjectNode disks() throws IOException {
        Map<String, Columns> devices = new TreeMap<>();
        new CsvFile(files.path("disks.csv"), DISK_COLUMNS).read(row -> {
            Columns device = devices.computeIfAbsent(row.text("device"), unused -> new Columns());
            for (String column : List.of("reads", "readBytes", "writes", "writtenBytes", "utilisationRatio")) {
                device.add(row, column, Series.Kind.MEAN);
            }
        });
        return toJson(devices);
    }

    /** By category. */
    ObjectNode databaseIo() throws IOException {
        Map<String, Columns> categories = new TreeMap<>();
        new CsvFile(files.path("database-io.csv"), IO_COLUMNS).read(row -> {
            String category = row.text("category");
            if (!IO_CATEGORIES.contains(category)) {
                throw row.wrong("category", "none of " + String.join(", ", IO_CATEGORIES));
            }
            Columns columns = categories.computeIfAbsent(category, unused -> new Columns());
            for (String column : List.of("reads", "readBytes", "writes", "writtenBytes", "hits")) {
                columns.add(row, column, Series.Kind.MEAN);
            }
        });
        return toJson(categories);
    }

    /** Series by the names of their columns. */
    private final class Columns {
        private final Map<String, Series> series = new LinkedHashMap<>();

        void add(CsvFile.Row row, String column, Series.Kind kind) throws BrokenFileException {
            series.computeIfAbsent(column, unused -> new Series(axis, kind)).add(row.second(), row.number(column));
        }

        ObjectNode toJson() {
            ObjectNode json = JsonNodeFactory.instance.objectNode();
            series.forEach((column, values) -> json.set(column, values.toJson()));
            return json;
        }
    }

    private static ObjectNode toJson(Map<String, Columns> parts) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        parts.forEach((name, columns) -> json.set(name, columns.toJson()));
        return json;
    }
}
