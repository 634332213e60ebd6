package siemload.database.server;

import java.util.function.Consumer;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.Maintenance;
import siemload.database.registry.Registry.Claim;
import siemload.query.Window;

/**
 * What holds the events of one data set or of one run: tables, a collection, a database of its own. Every call blocks and
 * throws a {@link siemload.database.TargetException} if the server refuses.
 */
public interface EventTables extends Maintenance {

    /** Where they are, for messages: {@code the collection siemload_run_x_0badcafe}. */
    String place();

    /**
     * Makes them, empty and without keys and indexes.
     *
     * @param claim on them; is told how the server tells them from others of the same name, as soon as that is known
     */
    void create(Claim claim);

    /**
     * Makes them and begins to load a data set into them by the fastest way, which may be faster than {@link
     * #openLoad(String)} for tables that are there.
     *
     * @param claim as for {@link #create}
     * @param label what is loaded, for messages: {@code the data set 'smoke'}
     */
    default BulkLoad createLoading(Claim claim, String label) {
        create(claim);
        return openLoad(label);
    }

    /**
     * Makes them with the events of others; {@link #completeCopy} does what this leaves to do.
     *
     * @param kept the name of the others
     * @param claim as for {@link #create}
     */
    void copyFrom(String kept, Claim claim);

    /** As {@link siemload.database.Store#makeRoom}; nothing is done where there are no partitions, or the server makes them. */
    default void makeRoom(Window times) {}

    /** How many events are in them, by counting. */
    long events();

    /** Reads all that is in them, to see whether something is lost. */
    default TableContents contents() {
        long events = events();
        return new TableContents(events, events + " events");
    }

    /**
     * Begins to load events by the fastest way.
     *
     * @param label what is loaded, for messages: {@code the data set 'smoke'}
     */
    BulkLoad openLoad(String label);

    /**
     * Builds keys and indexes of loaded tables. A database whose planner needs statistics gathers them here, too.
     *
     * @param step is told the name of each step before it
     */
    default void complete(Consumer<String> step) {
        for (BuildStep index : indexes()) {
            step.accept(index.name());
            index.work().run();
        }
    }

    /** The same for a copy, as fast as the server can. */
    default void completeCopy() {
        complete(step -> {});
    }

    /** Lets a data set that is complete only be read, where the server can, so that nobody changes it by mistake. */
    default void lock() {}

    /** Whether a data set can be read where it is: not where nothing would keep a run from changing it. */
    default boolean areReadInPlace() {
        return false;
    }

    @Override
    default BulkLoad openLoad() {
        return openLoad("events into " + place());
    }

    /**
     * What tables hold. Immutable.
     *
     * @param summary differs where something is lost, as far as the database can tell: {@code 200000 events}
     */
    record TableContents(long events, String summary) {}
}
