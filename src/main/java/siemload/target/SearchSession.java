package siemload.target;

import siemload.query.Search;

/**
 * Runs searches over one connection, one at a time; every call blocks. Used by one thread, except for {@link #cancel}.
 * After a lost connection the next call connects again.
 */
public interface SearchSession extends AutoCloseable {

    /**
     * Runs a search and hands over every row that it asked for, in its order. Memory does not grow with the number of
     * rows.
     *
     * @return the number of rows
     * @throws SearchException if the search failed or took longer than the timeout of the run
     */
    long search(Search search, RowReader rows);

    /**
     * Counts the rows of a search exactly; its order and page do not matter.
     *
     * @throws SearchException as {@link #search}
     */
    long count(Search search);

    /** Asks the server to give up what this session is running; callable from any thread, returns at once. */
    void cancel();

    @Override
    void close();
}
