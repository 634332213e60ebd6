package siemload.results;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import siemload.results.RunFile.TimeMetric;

/**
 * Writes the measurements of every second into the directory of a run, and passes them to a listener. Nothing is buffered, so that other
 * programs can read the files during the run. Thread-safe with its tables if the listener is. A log is used by one thread at a time.
 */
public final class RunWriter implements AutoCloseable {
    private static final Path NOWHERE = Path.of("");
    private static final double MICROS_IN_MILLI = 1_000;

    private final Path directory;
    private final RunListener listener;
    private final Map<RunFile, PrintStream> files = new ConcurrentHashMap<>();

    /**
     * Makes a writer that has not opened any file.
     *
     * @param directory an existing directory
     * @param listener receives each row and interval
     */
    public RunWriter(Path directory, RunListener listener) {
        this.directory = directory;
        this.listener = listener;
    }

    /** Returns a writer without a listener. */
    public static RunWriter to(Path directory) {
        return new RunWriter(directory, RunListener.NONE);
    }

    /** Returns a writer that keeps no measurement. */
    public static RunWriter nowhere() {
        return to(NOWHERE);
    }

    /** Opens a table. @throws IOException if the table cannot be written */
    public TableWriter table(RunFile table) throws IOException {
        return new TableWriter(table, open(table));
    }

    /**
     * Opens a histogram log.
     *
     * @param startedAt the wall-clock time from which the times of intervals count
     * @throws IOException if the log cannot be written
     */
    public LatencyLogWriter latencyLog(TimeMetric metric, Instant startedAt) throws IOException {
        LatencyLogWriter log = new LatencyLogWriter(open(metric.file()), metric, listener);
        log.writer.outputComment("[" + metric.name() + " in microseconds, logged by siemload]");
        log.writer.outputLogFormatVersion();
        log.writer.outputStartTime(startedAt.toEpochMilli());
        log.writer.setBaseTime(0);
        log.writer.outputLegend();
        return log;
    }

    private PrintStream open(RunFile file) throws IOException {
        OutputStream to =
                directory.equals(NOWHERE) ? OutputStream.nullOutputStream() : Files.newOutputStream(file.in(directory));
        PrintStream opened = new PrintStream(to, false, StandardCharsets.UTF_8);
        Optional.ofNullable(files.put(file, opened)).ifPresent(PrintStream::close);
        return opened;
    }

    /** Closes all files; closing twice is harmless. @throws IOException if a file is not complete; the message names it */
    @Override
    public void close() throws IOException {
        List<String> incomplete = new ArrayList<>();
        files.forEach((file, stream) -> {
            if (stream.checkError()) {
                incomplete.add(file.fileName());
            }
            stream.close();
        });
        files.clear();
        if (!incomplete.isEmpty()) {
            throw new IOException(
                    String.join(", ", incomplete) + ": not complete: no space left, or no right to write");
        }
    }

    /** Receives the rows and intervals of a run, second by second, at the moment when they are written. Called by several threads. */
    public interface RunListener {
        RunListener NONE = new RunListener() {};

        /** Receives a row of a table. */
        default void row(RunFile table, RunFile.Row row) {}

        /** Receives an interval of a histogram log; the interval's histogram is valid only during the call. */
        default void interval(TimeMetric metric, LoggedInterval interval) {}
    }

    /**
     * Writes a table of a run: a header, then plain CSV without quotes. The first column is the end of the second, counted from the start
     * of the measured phase, with three decimals; other fractions have four.
     */
    public final class TableWriter {
        private final RunFile table;
        private final PrintStream file;

        private TableWriter(RunFile table, PrintStream file) {
            this.table = table;
            this.file = file;
            file.print(String.join(",", table.columns()) + "\n");
        }

        /**
         * Writes a row.
         *
         * @param values a value for each column after the column {@code second}; texts must not contain a comma
         */
        public void row(double second, Object... values) {
            List<String> cells = new ArrayList<>(List.of(rounded(second, 3)));
            for (Object value : values) {
                cells.add(value instanceof Double number ? rounded(number, 4) : String.valueOf(value));
            }
            file.print(String.join(",", cells) + "\n");
            listener.row(table, new RunFile.Row(table.columns(), cells, table.fileName()));
        }

        /** Writes a row of values by column; values without a column are left out. */
        public void row(double second, Map<String, ?> values) {
            row(second, table.columns().stream().skip(1).map(values::get).toArray());
        }

        /** Rounds without a formatter, since a formatter would parse its pattern for each of some hundred numbers a second. */
        private static String rounded(double number, int decimals) {
            return Double.isFinite(number)
                    ? BigDecimal.valueOf(number)
                            .setScale(decimals, RoundingMode.HALF_UP)
                            .toPlainString()
                    : String.valueOf(number);
        }
    }

    /**
     * Writes one HdrHistogram log of a run, which other tools can also read. Times in the histograms are microseconds; the log's own column
     * of maxima is in milliseconds.
     */
    public static final class LatencyLogWriter {
        private final TimeMetric metric;
        private final RunListener listener;
        private final HistogramLogWriter writer;

        private LatencyLogWriter(PrintStream file, TimeMetric metric, RunListener listener) {
            this.metric = metric;
            this.listener = listener;
            this.writer = new HistogramLogWriter(file);
        }

        /**
         * Writes the times of the interval between two seconds, if there are any.
         *
         * @param tag the kind of search; empty for times that are not of one kind of search
         */
        public void write(String tag, double from, double until, Histogram times) {
            if (times.getTotalCount() == 0) {
                return;
            }
            if (!tag.isEmpty()) {
                times.setTag(tag);
            }
            writer.outputIntervalHistogram(from, until, times, MICROS_IN_MILLI);
            listener.interval(metric, new LoggedInterval(tag, until, times));
        }
    }
}
