package siemload.measure;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * One line of an HdrHistogram log as {@link IntervalLog} writes it: {@code Tag=NAME,start,length,highest,histogram}, the
 * tag left out where there is none. Read by hand, since the library's reader takes a line that it cannot read for the end
 * of the file.
 *
 * @param tag what was measured: {@code HAWAT1-first-newestFirst}; empty where there is none
 * @param endSecond counted from the start of the measured phase
 * @param times in microseconds, with the tag
 */
public record LoggedInterval(String tag, double endSecond, Histogram times) {
    private static final String TAG = "Tag=";
    private static final int CELLS = 4;

    /** Whether a line is about the log itself: its comments and its legend. */
    public static boolean isHead(String line) {
        return line.startsWith("#") || line.startsWith("\"");
    }

    /**
     * Reads a line that is not {@link #isHead of the head}.
     *
     * @throws IllegalArgumentException if it is no interval
     */
    public static LoggedInterval parse(String line) {
        String[] cells = line.split(",", -1);
        boolean tagged = cells[0].startsWith(TAG);
        int first = tagged ? 1 : 0;
        if (cells.length != first + CELLS) {
            throw new IllegalArgumentException(cells.length + " cells");
        }
        try {
            double end = Double.parseDouble(cells[first]) + Double.parseDouble(cells[first + 1]);
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(cells[first + 3]));
            String tag = tagged ? cells[0].substring(TAG.length()) : "";
            Histogram times = Histogram.decodeFromCompressedByteBuffer(bytes, 0);
            times.setTag(tag);
            return new LoggedInterval(tag, end, times);
        } catch (DataFormatException | IndexOutOfBoundsException undecodable) {
            throw new IllegalArgumentException("no histogram", undecodable);
        }
    }

    /** The search of the tag, whatever page class and order; empty where there is no tag. */
    public String search() {
        return tag.contains("-") ? tag.substring(0, tag.indexOf('-')) : tag;
    }
}
