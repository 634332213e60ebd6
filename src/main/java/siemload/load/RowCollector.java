package siemload.load;

import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import siemload.database.RowReader;
import siemload.query.PageKey;
import siemload.query.Summary;
import siemload.run.answers.AnswerWatch;

/** Reads every row of an answer and keeps what was asked for. One per search, used by one thread. */
final class RowCollector implements RowReader {
    private static final byte[] NONE = {};

    private final SearchRequest.Keep keep;
    private final AnswerWatch watch;
    private final LongSupplier clock;
    private long rows;
    private long bytes;
    private long firstNanos;
    private byte[] kept = NONE;
    private Optional<PageKey> lastKey = Optional.empty();

    /** @param clock nanoseconds of a monotonic clock */
    RowCollector(SearchRequest.Keep keep, AnswerWatch watch, LongSupplier clock) {
        this.keep = keep;
        this.watch = watch;
        this.clock = clock;
    }

    @Override
    public void row(Row row) {
        if (rows == 0) {
            firstNanos = clock.getAsLong();
        }
        byte[] idea = row.idea();
        bytes += idea.length;
        if (rows <= keep.row()) {
            kept = idea;
        }
        if (keep.lastKey()) {
            lastKey = Optional.of(row.key());
        }
        if (watch.wantsRows()) {
            watch.row(row.detectTime(), row.id());
        }
        if (watch.wantsContents()) {
            watch.contents(idea);
        }
        rows++;
    }

    /** Takes the lines of a summary, which have come at once. */
    long lines(List<Summary.Line> lines) {
        rows = lines.size();
        firstNanos = clock.getAsLong();
        watch.lines(lines);
        return rows;
    }

    long rows() {
        return rows;
    }

    long bytes() {
        return bytes;
    }

    /** When the first row was at hand; the end of the search where there was none. */
    long firstNanos(long endNanos) {
        return rows == 0 ? endNanos : firstNanos;
    }

    Optional<byte[]> kept() {
        return kept.length == 0 ? Optional.empty() : Optional.of(kept);
    }

    Optional<PageKey> lastKey() {
        return lastKey;
    }
}
