package siemload.live;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** A histogram log that grows. Used by one thread at a time. */
final class GrowingHistograms {
    private static final String TAG = "Tag=";

    private final GrowingFile file;

    GrowingHistograms(Path path) {
        this.file = new GrowingFile(path);
    }

    /**
     * One interval of one search.
     *
     * @param endSecond counted from the start of the measured phase
     * @param times in microseconds, with the search as tag
     */
    record Interval(double endSecond, Histogram times) {}

    /** The intervals that were added since the last call; what is no interval is passed over. */
    List<Interval> newIntervals() throws IOException {
        List<Interval> intervals = new ArrayList<>();
        for (String line : file.newLines()) {
            String[] cells = line.split(",", -1);
            if (cells.length == 5 && cells[0].startsWith(TAG)) {
                intervals.add(interval(cells));
            }
        }
        return intervals;
    }

    private static Interval interval(String[] cells) throws IOException {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(cells[4]));
            Histogram times = Histogram.decodeFromCompressedByteBuffer(bytes, 0);
            times.setTag(cells[0].substring(TAG.length()));
            return new Interval(Double.parseDouble(cells[1]) + Double.parseDouble(cells[2]), times);
        } catch (IllegalArgumentException | DataFormatException undecodable) {
            throw new IOException("not an interval of a histogram log: " + cells[0], undecodable);
        }
    }
}
