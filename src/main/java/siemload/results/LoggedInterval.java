package siemload.results;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Base64;
import java.util.function.Consumer;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import siemload.query.PageClass;
import siemload.results.ResultText.BrokenFileException;
import siemload.results.RunFile.TimeMetric;

/**
 * One line of an HdrHistogram log as {@link RunWriter.LatencyLogWriter} writes it: {@code Tag=NAME,start,length,highest,histogram}, in
 * which the tag may be missing. Lines are parsed here, since the library's reader takes a malformed line for the end of the file.
 *
 * @param tag the kind of search: {@code HAWAT1-first-newestFirst}; empty without a tag
 * @param endSecond the end of the interval in seconds from the start of the measured phase
 * @param times the times in microseconds, with the tag
 */
public record LoggedInterval(String tag, double endSecond, Histogram times) {
    private static final String KNOWN_VERSION = "#[Histogram log format version 1.";
    private static final String TAG = "Tag=";
    private static final int CELLS = 4;

    /** The largest number of significant digits of a histogram; with more digits, an interval could take up to 50 MB. */
    private static final int MOST_DIGITS = 3;

    /** The largest accepted distance of a second from the start of the measured phase: about 30 years. */
    public static final double MOST_SECONDS = 1e9;

    /** The largest number of times in an interval, more than any run has in a second; sums over a whole run stay exact. */
    private static final long MOST_TIMES = 10_000_000_000L;

    /** The longest accepted time in microseconds, 285 years: browsers represent whole numbers exactly up to here. */
    private static final long LONGEST_MICROS = 1L << 53;

    /** Returns whether these are times of exact counts, which are not times of pages. */
    public boolean isOfExactCounts() {
        return tag.contains("-" + PageClass.COUNT.label() + "-");
    }

    /**
     * Reads all intervals of a log of a run, in the order in which they were written; only one interval at a time is in memory.
     *
     * @throws BrokenFileException if a line is not an interval, or the log is of another format version; the message has file and line
     * @throws IOException if the log cannot be read; {@link java.nio.file.NoSuchFileException} if it does not exist
     */
    public static void read(Path directory, TimeMetric metric, Consumer<LoggedInterval> reader) throws IOException {
        String name = metric.file().fileName();
        boolean[] known = new boolean[1];
        ResultText.lines(directory.resolve(name), name, (line, place) -> {
            known[0] |= line.startsWith(KNOWN_VERSION);
            // Lines that begin with # or " are comments, or the legend.
            if (!line.startsWith("#") && !line.startsWith("\"")) {
                try {
                    reader.accept(parse(line));
                } catch (IllegalArgumentException undecodable) {
                    throw new BrokenFileException(place + ": not an interval of a histogram log", undecodable);
                }
            }
        });
        if (!known[0]) {
            throw new BrokenFileException(name + ":1: not a histogram log of format version 1");
        }
    }

    /** Parses a line. @throws IllegalArgumentException if the line is not an interval */
    static LoggedInterval parse(String line) {
        String[] cells = line.split(",", -1);
        int first = cells[0].startsWith(TAG) ? 1 : 0;
        if (cells.length != first + CELLS) {
            throw new IllegalArgumentException(cells.length + " cells");
        }
        double end = Double.parseDouble(cells[first]) + Double.parseDouble(cells[first + 1]);
        if (!(Math.abs(end) <= MOST_SECONDS)) {
            throw new IllegalArgumentException("not a second of a run: " + end);
        }
        String tag = first == 0 ? "" : cells[0].substring(TAG.length());
        Histogram times = times(cells[first + 3]);
        times.setTag(tag);
        return new LoggedInterval(tag, end, times);
    }

    /**
     * Parses times in the form of logs: a compressed histogram of microseconds in Base64.
     *
     * @throws IllegalArgumentException if the text is not a histogram, or has values that no run can measure
     */
    public static Histogram times(String text) {
        Histogram times;
        try {
            times = Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
        } catch (DataFormatException | RuntimeException undecodable) {
            throw new IllegalArgumentException("not a histogram", undecodable);
        }
        return requirePossible(times);
    }

    /**
     * Returns these times if a run can have measured them.
     *
     * @throws IllegalArgumentException if no run can have measured these times
     */
    public static Histogram requirePossible(Histogram times) {
        if (times.getNumberOfSignificantValueDigits() > MOST_DIGITS
                || times.getTotalCount() < 0
                || times.getTotalCount() > MOST_TIMES
                || times.getMaxValue() > LONGEST_MICROS) {
            throw new IllegalArgumentException(
                    times.getTotalCount() + " times of at most " + times.getMaxValue() + " microseconds");
        }
        return times;
    }

    /** Returns the search that the tag names, without page class and order; empty if there is no tag. */
    public String search() {
        return tag.contains("-") ? tag.substring(0, tag.indexOf('-')) : tag;
    }
}
