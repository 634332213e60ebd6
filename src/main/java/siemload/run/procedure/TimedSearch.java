package siemload.run.procedure;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import siemload.database.SearchSession;
import siemload.database.SearchSession.RowReader;
import siemload.query.Order;
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.query.Summary;
import siemload.run.answers.RowSum;

/**
 * One search, read to its last row and timed. Times are microseconds from sending it. Immutable.
 *
 * @param firstEventMicros until the first row was at hand; the time of the whole search where there was none
 * @param lastEventMicros until the last row was read
 * @param bytes of events read, without the wire protocol's own
 * @param answersHash the same for the same events in the same order, and most likely another one for anything else
 * @param lastKey the last row
 */
record TimedSearch(
        double firstEventMicros,
        double lastEventMicros,
        long rows,
        long bytes,
        String answersHash,
        Optional<PageKey> lastKey) {

    /**
     * Asks for it and reads every row.
     *
     * @throws siemload.database.SearchException if it failed
     */
    static TimedSearch read(Search search, SearchSession session) {
        if (search.summary().isEmpty()) {
            return read(search, rows -> session.search(search, rows));
        }
        RowSum hash = new RowSum();
        long start = System.nanoTime();
        List<Summary.Line> lines = session.summarize(search, search.summary().orElseThrow());
        double micros = (System.nanoTime() - start) / 1e3;
        lines.forEach(line -> hash.add(line.toString(), search.order()));
        return new TimedSearch(micros, micros, lines.size(), 0, hash.hex(), Optional.empty());
    }

    /** Times another way of reading the rows of a search. */
    static TimedSearch read(Search search, Consumer<RowReader> reading) {
        Collector rows = new Collector(search.order());
        long start = System.nanoTime();
        reading.accept(rows);
        return rows.timed(start, System.nanoTime());
    }

    /** Takes rows as they come. */
    private static final class Collector implements RowReader {
        private final RowSum hash = new RowSum();
        private final Order order;
        private long firstNanos;
        private long rows;
        private long bytes;
        private Optional<PageKey> last = Optional.empty();

        Collector(Order order) {
            this.order = order;
        }

        @Override
        public void row(Row row) {
            if (rows == 0) {
                firstNanos = System.nanoTime();
            }
            rows++;
            bytes += row.idea().length;
            String id = row.id();
            hash.add(id, order);
            last = Optional.of(new PageKey(row.detectTime(), id));
        }

        TimedSearch timed(long start, long end) {
            long first = rows == 0 ? end : firstNanos;
            return new TimedSearch((first - start) / 1e3, (end - start) / 1e3, rows, bytes, hash.hex(), last);
        }
    }
}
