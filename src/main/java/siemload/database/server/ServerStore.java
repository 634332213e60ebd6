package siemload.database.server;

import java.util.Optional;
import siemload.database.Store;
import siemload.query.Window;

/** A store on a server: tables that a run has for itself or reads with others, or what was there before. */
public abstract class ServerStore implements Store {
    private final RunCopy copy;

    /** @param copy is closed with the store */
    protected ServerStore(RunCopy copy) {
        this.copy = copy;
    }

    /** What the run works on. */
    protected final RunCopy copy() {
        return copy;
    }

    @Override
    public final StoreKind kind() {
        return copy.kind();
    }

    @Override
    public final String nameToJoin() {
        return copy.nameToJoin();
    }

    @Override
    public long events() {
        return kind() == StoreKind.EXISTING ? span().events() : copy.tables().events();
    }

    @Override
    public final void makeRoom(Window times) {
        if (kind() != StoreKind.EXISTING) {
            copy.tables().makeRoom(times);
        }
    }

    @Override
    public final Optional<Maintenance> maintenance() {
        return kind() == StoreKind.EXISTING ? Optional.empty() : Optional.of(copy.tables());
    }

    @Override
    public void close() {
        copy.close();
    }
}
