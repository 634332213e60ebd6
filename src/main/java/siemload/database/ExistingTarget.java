package siemload.database;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import siemload.database.Store.EventSink;
import siemload.database.Store.StoreKind;
import siemload.query.Statement;

/**
 * A server with a database that was there before the run: nothing is made there, nothing is dropped, and nothing is written but by
 * statements that say so.
 */
public interface ExistingTarget extends AutoCloseable {

    /** What it is connected to, which says what the server is; closed with this. */
    Target server();

    @Override
    default void close() {
        server().close();
    }

    /** As {@link Target#use}. */
    Optional<ServerUse> use();

    /**
     * What the user could do there beyond reading, for people, a line each; who only reads is kept from it all the same.
     *
     * @throws TargetException if the server cannot be asked
     */
    List<String> rights();

    /** How each statement is kept from writing, for people, behind "each": {@code in a transaction that can only read}. */
    default String kept() {
        return "in a transaction that can only read";
    }

    /**
     * Opens the database for a run that asks these statements.
     *
     * @throws TargetException if it cannot be had, or nothing would keep the run from writing, or {@link TargetPlugin.Offer#STATEMENTS} are not offered
     */
    default StatementStore open(List<Statement> statements) {
        throw new TargetException("statements are not asked there, but searches by a layout are");
    }

    /**
     * Opens the database for a run that searches the events in it, by the layout that was connected with.
     *
     * @throws TargetException as {@link #open}, or if no layout says how to search there
     */
    default ExistingEvents openEvents() {
        throw new TargetException("no layout says how to search for events that are there already");
    }

    /** Data that were there before the run, whosever they are. Its sessions can only read; closing it leaves everything as it is. */
    interface ExistingStore extends Store {

        @Override
        default StoreKind kind() {
            return StoreKind.EXISTING;
        }

        /** Nothing can be written into it. */
        @Override
        default EventSink openSink() {
            throw new TargetException("data that are there already are only read");
        }

        @Override
        default Presence presenceOf(Collection<String> ids) {
            return new Presence(0, 0);
        }
    }
}
