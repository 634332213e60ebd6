package siemload.database.server;

import siemload.database.Replica;
import siemload.database.Store;
import siemload.database.TargetException;
import siemload.database.registry.Registry;

/** A replica of the server of a {@link ServerTarget}: what all databases do alike. */
public abstract class ServerReplica implements Replica {
    private final Registry registry;

    /** @param registry of that server, which tells what is a store of siemload */
    protected ServerReplica(Registry registry) {
        this.registry = registry;
    }

    @Override
    public final Store open(String name) {
        RunCopy copy = RunCopy.joined(name, this::tables, registry);
        try {
            return openStore(copy);
        } catch (TargetException e) {
            copy.close();
            throw e;
        }
    }

    /** The tables of this name on the replica, whether they are there or not. */
    protected abstract EventTables tables(String name);

    /** Opens the copy of a run, as {@link DatabaseServer#openStore} does. */
    protected abstract Store openStore(RunCopy copy);
}
