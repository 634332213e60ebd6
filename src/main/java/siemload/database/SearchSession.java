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
 * Runs searches over one connection, one at a time. Every call blocks, and throws a {@link SearchException} if it failed or took longer
 * than the timeout of the run; after a lost connection the next one connects again. Used by one thread, except for {@link #cancel}.
 */
public interface SearchSession extends AutoCloseable {

    /**
     * Runs a search and hands over every row that it asked for, in its order. Memory does not grow with the number of
     * rows.
     *
     * @return the number of rows
     */
    long search(Search search, RowReader rows);

    /** Counts the rows of a search exactly; its order and page do not matter. */
    long count(Search search);

    /**
     * Sums up all events of a search; its order and page do not matter.
     *
     * @return the lines in the order that the summary says
     */
    List<Summary.Line> summarize(Search search, Summary summary);

    /**
     * Has the server sum up all events of a search and store the lines in the table of {@link Store#createTrends}, by one statement and
     * without sending them here. A line of the same trend, hour and value is replaced. Durable when it returns, as the server is set
     * up; where it fails nobody knows which lines were stored. A trend is stored by one session at a time.
     *
     * @param search whose window starts with a whole hour
     * @throws UnsupportedOperationException if the target does not offer {@link TargetPlugin.Offer#TRENDS}
     */
    default void store(Search search, Summary.Hours summary, String trend) {
        throw new UnsupportedOperationException(Store.NOT_OFFERED);
    }

    /**
     * Opens the whole ordered result of a search to be read page by page; the search's own page does not matter. A
     * session has one cursor at a time: opening another one, or any other call but {@link #cancel}, closes it.
     *
     * @throws UnsupportedOperationException if the target does not offer {@link siemload.query.Paging#CURSOR}
     */
    default ResultCursor open(Search search) {
        throw new UnsupportedOperationException("this target keeps no cursor open");
    }

    /**
     * Runs a search with the hint of the run, and tells how the server went about it: as {@link #search} would, as {@link #summarize} where
     * it has a summary, and as {@link #store} where it has the name of a trend, as far as the server tells; at least how it finds the
     * events. What it changed, if anything, is rolled back.
     */
    Plan explain(Search search);

    /**
     * How the server means to do the same. A server that tells it without answering does not search here, which is cheap where a search
     * takes long; what it does in the end may differ. Others explain.
     */
    default Plan expect(Search search) {
        return explain(search);
    }

    /**
     * What the server's counters call the statement that answers such a search. Searches that the server cannot tell apart have
     * the same one. Empty where it does not tell the times of statements, or not those of such a search.
     *
     * @param page {@link PageClass#COUNT} for {@link #count}, {@link PageClass#SUMMARY} for {@link #summarize} with the summary
     *     of the catalogue, or for {@link #store}, any other one for {@link #search}
     */
    default Optional<String> statement(Search search, PageClass page) {
        return Optional.empty();
    }

    /** The same for the statements by which pages of a cursor are read. */
    default Optional<String> statementOfCursors() {
        return Optional.empty();
    }

    /**
     * Lets the server's counters know of all that this session has done so far, for servers whose sessions hand in what
     * they counted now and then.
     *
     * @return whether they know it now; never while a cursor is open
     */
    default boolean handInCounts() {
        return true;
    }

    /** Asks the server to give up what this session is running; callable from any thread, returns at once. */
    void cancel();

    @Override
    void close();

    /** Takes the rows of a search, one by one, on the session's thread. */
    @FunctionalInterface
    interface RowReader {

        /** Takes the next row; the row must not be used after this call returned. */
        void row(Row row);

        /** One row of a result, already received by the client. */
        interface Row {

            /** The event id. @throws UnsupportedOperationException for a row of a statement */
            String id();

            /** The detect time. @throws UnsupportedOperationException for a row of a statement */
            Instant detectTime();

            /** Where it stands in the order of its search. */
            default PageKey key() {
                return new PageKey(detectTime(), id());
            }

            /** The whole event as IDEA JSON in UTF-8, or all that a row of a statement has; the caller must not change the array. */
            byte[] idea();
        }

        /** A row that depends on no result, and so can be kept; nobody changes the array. */
        @SuppressWarnings("ArrayRecordComponent") // Never compared.
        record DetachedRow(String id, Instant detectTime, byte[] idea) implements Row {
            /** A copy of a row that must not be used for long. */
            public static DetachedRow of(Row row) {
                return new DetachedRow(row.id(), row.detectTime(), row.idea());
            }
        }
    }

    /**
     * An ordered result that stays open on the server between pages. Used by the thread that uses its session, or by another
     * one after it, never by two at once.
     */
    interface ResultCursor extends AutoCloseable {

        /**
         * Hands over the next rows.
         *
         * @param size how many at most, 1 or more
         * @return how many there were; fewer than {@code size} at the end of the result
         * @throws SearchException if the server gave up, or the read took longer than the timeout of the run; the cursor is
         *     closed then
         */
        long next(int size, RowReader rows);

        /** Gives the result up; closing twice is harmless. */
        @Override
        void close();
    }

    /**
     * How a server answered one search, in its own words and reduced to what can be compared between runs. Immutable.
     *
     * @param text the server's own account, for people
     * @param extension how the name of a file with the text ends, without the dot: {@code json} or {@code txt}
     * @param accesses how the events were found, in the order of the text; reading the JSON of chosen events is no access
     * @param sorted whether the server sorted rows instead of reading them in order
     * @param parallel whether several workers of the server shared the work
     * @param refusedHint why the server did not follow the hint, where it says so
     * @param partitions how many partitions of the events were read; empty where the events are in one piece, or nothing is told
     */
    public record Plan(
            String text,
            String extension,
            List<Access> accesses,
            boolean sorted,
            boolean parallel,
            Optional<String> refusedHint,
            Optional<PartitionsRead> partitions) {

        /** Of one worker, of events that are in one piece, by a server that does not tell of hints. */
        public Plan(String text, String extension, List<Access> accesses, boolean sorted) {
            this(text, extension, accesses, sorted, false, Optional.empty(), Optional.empty());
        }

        /**
         * What is left of the partitions once those are left out that the search cannot concern.
         *
         * @param read how many were read, or would be where the search was not executed
         * @param all how many there are
         */
        public record PartitionsRead(int read, int all) {}

        /**
         * One way into the stored events.
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

        /** Equal for equal plans: {@code time index events_detect_time, sorted, parallel}. */
        public String shape() {
            String ways = accesses.stream().map(Access::toString).distinct().collect(Collectors.joining(" + "));
            return (ways.isEmpty() ? "nothing read" : ways)
                    + (sorted ? ", sorted" : "")
                    + (parallel ? ", parallel" : "");
        }
    }
}
