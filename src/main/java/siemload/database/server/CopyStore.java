package siemload.database.server;

import java.util.Optional;
import siemload.database.Store;
import siemload.database.Store.Maintenance;
import siemload.database.Store.StoreKind;
import siemload.query.Window;

/** A store in tables that a run has for itself. */
public interface CopyStore extends Store {

    /** The run's tables. */
    RunCopy copy();

    @Override
    default StoreKind kind() {
        return copy().kind();
    }

    @Override
    default Optional<String> nameToJoin() {
        return Optional.of(copy().nameToJoin());
    }

    @Override
    default long events() {
        return copy().tables().events();
    }

    @Override
    default void makeRoom(Window times) {
        copy().tables().makeRoom(times);
    }

    @Override
    default Optional<Maintenance> maintenance() {
        return Optional.of(copy().tables());
    }

    @Override
    default void close() {
        copy().close();
    }
}
