package siemload.results;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import siemload.results.ResultText.BrokenFileException;

/** The files of a run's directory by their names; docs/results.md describes their formats. */
public enum RunFile {
    /** The {@link RunResult}. */
    RUN("run.json"),
    ENVIRONMENT("environment.json"),
    /** The counts and times of searches and fed events in each second. */
    TIMELINE(
            "timeline.csv",
            "second,phase,finished,failed,running,responseP50Micros,responseP95Micros,responseP99Micros"
                    + ",responseMaxMicros,eventsAcknowledged,eventsBehind,eventsDue"),
    /** The activity of each host in each second: the load generator's, with CPU shares of database and generator, and monitored hosts. */
    HOST(
            "host.csv",
            "second,host,userRatio,systemRatio,iowaitRatio,stealRatio,load1,memoryUsedBytes,pageCacheBytes,swapInBytes,"
                    + "swapOutBytes,networkReceivedBytes,networkSentBytes,databaseCpuRatio,generatorCpuRatio,otherCpuRatio,kernelCpuRatio,"
                    + "waitedSeconds"),
    /** The activity of each disk of each host in each second. */
    DISKS("disks.csv", "second,host,device,reads,readBytes,writes,writtenBytes,utilisationRatio"),
    /** The database's reads and writes in each second, by purpose. */
    DATABASE_IO("database-io.csv", "second,category,reads,readBytes,writes,writtenBytes,hits"),
    /** The database's counters that changed in a second, each with the difference. */
    DATABASE_COUNTERS("database-counters.csv", "second,name,value"),
    RESPONSE_TIME("response-time.hlog"),
    SERVICE_TIME("service-time.hlog"),
    SEARCH_LATENESS("search-lateness.hlog"),
    WORKER_WAIT("worker-wait.hlog"),
    FIRST_EVENT("first-event.hlog"),
    FEEDER_ACKNOWLEDGE("feeder-acknowledge.hlog"),
    FEEDER_LATENESS("feeder-lateness.hlog"),
    VISIBILITY("visibility.hlog"),
    WRONG_ANSWERS("wrong-answers.txt"),
    /** For each statement with its values (URL-encoded), a sum over the returned rows; only if no rows were written meanwhile. */
    ANSWERS("answers.csv", "statement,values,rows,sum"),
    REPORT_PAGE("report.html"),
    REPORT_TEXT("report.txt"),
    SUMMARY("summary.md"),
    JUNIT("junit.xml");

    private final String fileName;

    @SuppressWarnings("ImmutableEnumChecker") // List.of
    private final List<String> columns;

    RunFile(String fileName, String... header) {
        this.fileName = fileName;
        this.columns =
                Stream.of(header).flatMap(one -> Stream.of(one.split(",", -1))).toList();
    }

    public String fileName() {
        return fileName;
    }

    /** Returns the columns of a table, in order; empty for files that are not tables. */
    public List<String> columns() {
        return columns;
    }

    /** The path of the file in the directory of a run. */
    public Path in(Path directory) {
        return directory.resolve(fileName);
    }

    /**
     * Reads all rows of a table: a header line with exactly the expected columns, then lines of cells without quotes. No wrong line is
     * skipped: the first one ends the reading, with an exception that has the file and the line.
     *
     * @throws BrokenFileException if the file does not have the form of the table
     * @throws IOException if the file cannot be read; {@link java.nio.file.NoSuchFileException} if it does not exist
     */
    public void read(Path directory, RowReader reader) throws IOException {
        String header = String.join(",", columns);
        ResultText.lines(in(directory), fileName, (line, place) -> {
            List<String> cells = List.of(line.split(",", -1));
            if (place.endsWith(":1") && !line.equals(header)) {
                throw new BrokenFileException(
                        place + ": the header is '" + BrokenFileException.shown(line) + "' (expected: " + header + ")");
            } else if (cells.size() != columns.size()) {
                throw new BrokenFileException(
                        place + ": " + cells.size() + " cells (expected: " + columns.size() + ")");
            } else if (!place.endsWith(":1")) {
                reader.read(new Row(columns, cells, place));
            }
        });
    }

    /** Takes a row. */
    @FunctionalInterface
    public interface RowReader {
        void read(Row row) throws IOException;
    }

    /** One line of a table below its header, and the line's place in the file. */
    public record Row(List<String> columns, List<String> cells, String place) {
        public String text(String column) {
            return cells.get(columns.indexOf(column));
        }

        /** Returns the row's time in seconds from the start of the measured phase, negative in the warm-up. */
        public double second() throws BrokenFileException {
            return within("second", -LoggedInterval.MOST_SECONDS, LoggedInterval.MOST_SECONDS);
        }

        /** Returns the number in a column, which must be 0 or more. */
        public double number(String column) throws BrokenFileException {
            return within(column, 0, ResultValue.LARGEST);
        }

        private double within(String column, double least, double most) throws BrokenFileException {
            try {
                double value = Double.parseDouble(text(column));
                if (value >= least && value <= most) {
                    return value;
                }
            } catch (NumberFormatException notOne) {
                // A text that is not a number is refused below, like a number out of range.
            }
            throw new BrokenFileException(place + ": " + column + ": '" + BrokenFileException.shown(text(column))
                    + "' is not a number from " + least + " to " + most);
        }
    }

    /** A time measured for each search, for each batch of the feeder, or for some fed events; each has its own histogram log. */
    public enum TimeMetric {
        RESPONSE_TIME,
        /** The service time, which is also the time to the last event. */
        SERVICE_TIME,
        /** The time from the intended start until the load generator submitted the search. */
        SEARCH_LATENESS,
        /** The time from the intended start until a worker took the search, search lateness included. */
        WORKER_WAIT,
        FIRST_EVENT,
        FEEDER_ACKNOWLEDGE,
        FEEDER_LATENESS,
        /** The time from the acknowledgement of a fed event until a probe found it. */
        VISIBILITY;

        /** Returns the histogram log of the metric, which has the same name. */
        public RunFile file() {
            return RunFile.valueOf(name());
        }
    }
}
