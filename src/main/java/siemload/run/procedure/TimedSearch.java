package siemload.run.procedure;

import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import siemload.database.SearchSession;
import siemload.database.SearchSession.RowReader;
import siemload.query.Order;
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.query.Summary;

/**
 * One search, read to its last row and timed. Times are microseconds from sending it. Immutable.
 *
 * @param firstEventMicros until the first row was at hand; the time of the whole search where there was none
 * @param lastEventMicros until the last row was read
 * @param bytes of events read, without the wire protocol's own
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
        AnswerHash hash = new AnswerHash(search.order());
        long start = System.nanoTime();
        List<Summary.Line> lines = session.summarize(search, search.summary().orElseThrow());
        double micros = (System.nanoTime() - start) / 1e3;
        lines.forEach(line -> hash.add(line.toString()));
        return new TimedSearch(micros, micros, lines.size(), 0, hash.toString(), Optional.empty());
    }

    /** Times another way of reading the rows of a search. */
    static TimedSearch read(Search search, Consumer<RowReader> reading) {
        Collector rows = new Collector(new AnswerHash(search.order()));
        long start = System.nanoTime();
        reading.accept(rows);
        return rows.timed(start, System.nanoTime());
    }

    /** Takes rows as they come. */
    private static final class Collector implements RowReader {
        private final AnswerHash hash;
        private long firstNanos;
        private long rows;
        private long bytes;
        private Optional<PageKey> last = Optional.empty();

        Collector(AnswerHash hash) {
            this.hash = hash;
        }

        @Override
        public void row(Row row) {
            if (rows == 0) {
                firstNanos = System.nanoTime();
            }
            rows++;
            bytes += row.idea().length;
            String id = row.id();
            hash.add(id);
            last = Optional.of(new PageKey(row.detectTime(), id));
        }

        TimedSearch timed(long start, long end) {
            long first = rows == 0 ? end : firstNanos;
            return new TimedSearch((first - start) / 1e3, (end - start) / 1e3, rows, bytes, hash.toString(), last);
        }
    }

    /**
     * A number that is the same for the same events in the same order, and most likely another one for anything else: FNV-1a
     * of 64 bits (Fowler, Noll, Vo; RFC 9923) over each id, and over the ids. Where the order does not matter the numbers of
     * the ids are added. Used by one thread.
     */
    static final class AnswerHash {
        private static final long OFFSET = 0xcbf2_9ce4_8422_2325L;
        private static final long PRIME = 0x0000_0100_0000_01b3L;

        private final boolean ordered;
        private long hash;

        AnswerHash(Order order) {
            ordered = order != Order.UNSORTED;
            hash = ordered ? OFFSET : 0;
        }

        /** Takes the id of the next event, or any other text that is part of the answer. */
        void add(String text) {
            long one = OFFSET;
            for (int i = 0; i < text.length(); i++) {
                one = (one ^ text.charAt(i)) * PRIME;
            }
            hash = ordered ? (hash ^ one) * PRIME : hash + one;
        }

        /** 16 lower-case hexadecimal digits. */
        @Override
        public String toString() {
            return HexFormat.of().toHexDigits(hash);
        }
    }
}
