package siemload.database;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import siemload.query.PageClass;
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.query.Summary;

/**
 * Runs searches over one connection, one at a time. Every call blocks, and throws a {@link SearchException} if it fails or takes longer
 * than the timeout of the run. After a lost connection the next call connects again. Used by one thread, except for {@link #cancel}.
 */
public interface SearchSession extends AutoCloseable {

    /**
     * Runs a search and passes on every requested row, in the search's order. Memory does not grow with the number of rows.
     *
     * @return the number of rows
     */
    long search(Search search, RowReader rows);

    /** Counts the rows of a search exactly; its order and page do not matter. */
    long count(Search search);

    /**
     * Sums up all events of a search; its order and page do not matter.
     *
     * @return the lines in the summary's order
     */
    List<Summary.Line> summarize(Search search, Summary summary);

    /**
     * Makes the server sum up all events of a search in one statement, which stores the lines in the table of {@link Store#createTrends}
     * instead of sending them to siemload. A line of the same trend, hour and value is replaced. Lines are durable on return, as far as the
     * server is configured; after a failure it is unknown which lines were stored. A trend is stored by one session at a time.
     *
     * @param search a search whose window starts at a full hour
     * @throws UnsupportedOperationException if the target does not offer {@link TargetPlugin.Offer#TRENDS}
     */
    default void store(Search search, Summary.Hours summary, String trend) {
        throw new UnsupportedOperationException(Store.NOT_OFFERED);
    }

    /**
     * Opens the whole ordered result of a search for reading page by page; the search's own page does not matter. A session has one cursor
     * at a time: opening another one, or any other call except {@link #cancel}, closes it.
     *
     * @throws UnsupportedOperationException if the target does not offer {@link siemload.query.Paging#CURSOR}
     */
    default ResultCursor open(Search search) {
        throw new UnsupportedOperationException("this target cannot keep a cursor open");
    }

    /**
     * Runs a search with the hint of the run and returns its plan: the way in which the events are found, and anything else that the server
     * reports. The search runs as in {@link #search}, as in {@link #summarize} if it has a summary, or as in {@link #store} if it names a
     * trend. Changes are rolled back.
     */
    Plan explain(Search search);

    /**
     * Returns the plan that the server expects for a search; the real plan may differ. A server that can plan without executing does so,
     * which is cheap even for slow searches; other servers execute the search as in {@link #explain}.
     */
    default Plan expect(Search search) {
        return explain(search);
    }

    /**
     * The name by which the server's counters report the statement that answers such a search. Searches that the server cannot distinguish
     * share a name. Empty if the server reports no times of statements, or no time for such a search.
     *
     * @param page {@link PageClass#COUNT} for {@link #count}, {@link PageClass#SUMMARY} for {@link #summarize} with the summary of the
     *     catalogue, or for {@link #store}, any other class of page for {@link #search}
     */
    default Optional<String> statement(Search search, PageClass page) {
        return Optional.empty();
    }

    /** The name by which the server's counters report the reads of a cursor's pages; empty as for {@link #statement}. */
    default Optional<String> statementOfCursors() {
        return Optional.empty();
    }

    /**
     * Brings the server's counters up to date with this session, for servers whose sessions report with a delay.
     *
     * @return whether the counters are up to date; never while a cursor is open
     */
    default boolean handInCounts() {
        return true;
    }

    /** Asks the server to cancel the work of this session; can be called from any thread, and returns at once. */
    void cancel();

    @Override
    void close();

    /** Takes the rows of a search, one by one, on the session's thread. */
    @FunctionalInterface
    interface RowReader {

        /** Takes the next row, which must not be used after this call has returned. */
        void row(Row row);

        /** One row of a result, already received by the client. */
        interface Row {

            /** The id of the event. @throws UnsupportedOperationException for a row of a statement */
            String id();

            /** The detect time of the event. @throws UnsupportedOperationException for a row of a statement */
            Instant detectTime();

            /** The key of the row in the order of its search. */
            default PageKey key() {
                return new PageKey(detectTime(), id());
            }

            /** The whole event as IDEA JSON in UTF-8, or the whole row of a statement; the caller must not change the array. */
            byte[] idea();
        }

        /** A row that can be kept, since it does not depend on an open result; nobody changes its array. */
        @SuppressWarnings("ArrayRecordComponent") // Never compared.
        record DetachedRow(String id, Instant detectTime, byte[] idea) implements Row {
            /** Copies a row that is only valid during a call. */
            public static DetachedRow of(Row row) {
                return new DetachedRow(row.id(), row.detectTime(), row.idea());
            }
        }
    }

    /**
     * An ordered result that stays open on the server between pages. It is used by the thread that uses its session, or afterwards by
     * another thread, never by two threads at once.
     */
    interface ResultCursor extends AutoCloseable {

        /**
         * Passes on the next rows.
         *
         * @param size the largest number of rows to pass on, 1 or more
         * @return the number of rows passed on; fewer than {@code size} at the end of the result
         * @throws SearchException if the server gave up, or the read took longer than the timeout of the run; both close the cursor
         */
        long next(int size, RowReader rows);

        /** Closes the result; closing twice is harmless. */
        @Override
        void close();
    }

    /**
     * The plan with which a server answered one search: its text, and properties that can be compared between runs. Immutable.
     *
     * @param text the server's plan, for people
     * @param extension the ending of a file with the text, without the dot: {@code json} or {@code txt}
     * @param accesses how the events were found, in the order of the text; reading the JSON of chosen events does not count
     * @param sorted whether the server sorted rows instead of reading them in order
     * @param parallel whether several workers of the server shared the work
     * @param refusedHint the server's reason for not following the hint, if it gives one
     * @param partitions how many partitions of the events were read; empty if they are not partitioned, or if it is unknown
     */
    public record Plan(
            String text,
            String extension,
            List<Access> accesses,
            boolean sorted,
            boolean parallel,
            Optional<String> refusedHint,
            Optional<PartitionsRead> partitions) {

        /** Creates a plan with one worker and without partitions, from a server that does not report on hints. */
        public Plan(String text, String extension, List<Access> accesses, boolean sorted) {
            this(text, extension, accesses, sorted, false, Optional.empty(), Optional.empty());
        }

        /**
         * The number of partitions left after pruning.
         *
         * @param read the number of partitions that were read, or would be read if the search was not executed
         * @param all the number of all partitions
         */
        public record PartitionsRead(int read, int all) {}

        /**
         * One access to the stored events.
         *
         * @param name the name of the table or index on the server
         */
        public record Access(Kind kind, String name) {

            public enum Kind {
                TABLE,
                /** An index that starts with the detect time. */
                TIME_INDEX,
                /** An index that starts with another searched field. */
                FIELD_INDEX,
                ID_INDEX;

                String label() {
                    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
                }
            }

            @Override
            public String toString() {
                return kind.label() + " " + name;
            }
        }

        public boolean uses(Access.Kind kind) {
            return accesses.stream().anyMatch(access -> access.kind() == kind);
        }

        /** Returns a short text that is equal for equal plans: {@code time index events_detect_time, sorted, parallel}. */
        public String shape() {
            String ways = accesses.stream().map(Access::toString).distinct().collect(Collectors.joining(" + "));
            return (ways.isEmpty() ? "nothing read" : ways)
                    + (sorted ? ", sorted" : "")
                    + (parallel ? ", parallel" : "");
        }
    }
}
