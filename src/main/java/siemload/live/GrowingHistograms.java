package siemload.live;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import siemload.measure.LoggedInterval;

/** A histogram log that grows. Used by one thread at a time. */
final class GrowingHistograms {
    private final GrowingFile file;

    GrowingHistograms(Path path) {
        this.file = new GrowingFile(path);
    }

    /** The intervals of searches that were added since the last call. */
    List<LoggedInterval> newIntervals() throws IOException {
        List<LoggedInterval> intervals = new ArrayList<>();
        for (String line : file.newLines()) {
            if (!LoggedInterval.isHead(line)) {
                add(line, intervals);
            }
        }
        return intervals;
    }

    private static void add(String line, List<LoggedInterval> intervals) throws IOException {
        try {
            LoggedInterval interval = LoggedInterval.parse(line);
            if (!interval.tag().isEmpty()) {
                intervals.add(interval);
            }
        } catch (IllegalArgumentException undecodable) {
            throw new IOException("not an interval of a histogram log", undecodable);
        }
    }
}
