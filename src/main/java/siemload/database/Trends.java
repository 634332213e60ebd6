package siemload.database;

import java.util.List;
import siemload.query.Field;
import siemload.query.Summary;

/**
 * A table beside the events of a run, in which the database itself writes how many events each hour has, value by value: see {@link
 * SearchSession#store}. Used by one thread.
 */
public interface Trends {

    /**
     * Makes the table, which is empty then. Once, before anything is stored.
     *
     * @throws TargetException if the server refuses
     */
    void create();

    /**
     * What a trend says, in any order.
     *
     * @param field what it sums up by
     * @throws TargetException if the server refuses
     */
    List<Summary.Line> lines(String trend, Field field);
}
