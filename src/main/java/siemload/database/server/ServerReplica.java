package siemload.database.server;

import java.time.Duration;
import java.util.Locale;
import java.util.function.Function;
import siemload.database.Pause;
import siemload.database.Replica;
import siemload.database.ReplicaPositions;
import siemload.database.SearchException;
import siemload.database.Store;
import siemload.database.TargetException;
import siemload.database.registry.Registry;

/** A replica of the server of a {@link ServerTarget}: what all databases do alike. */
public abstract class ServerReplica implements Replica {
    private static final long BETWEEN_LOOKS_MILLIS = 50;

    private final Registry registry;
    private final Function<String, EventTables> tables;
    private final Function<RunCopy, Store> stores;

    /**
     * One that is known to be a replica of that server.
     *
     * @param registry of that server, which tells what is a store of siemload
     * @param tables finds those on the replica by their name, whether they are there or not
     * @param stores opens the copy of a run there, as {@link DatabaseServer#openStore} does
     */
    protected ServerReplica(Registry registry, Function<String, EventTables> tables, Function<RunCopy, Store> stores) {
        this.registry = registry;
        this.tables = tables;
        this.stores = stores;
    }

    @Override
    public final Store open(String name) {
        RunCopy copy = RunCopy.joined(name, tables, registry);
        try {
            return stores.apply(copy);
        } catch (TargetException e) {
            copy.close();
            throw e;
        }
    }

    @Override
    public final void awaitCaughtUp(Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        try (ReplicaPositions positions = openPositions()) {
            long end = mark();
            for (long there = positions.replayed(); there < end; there = positions.replayed()) {
                if (System.nanoTime() - deadline >= 0) {
                    throw new TargetException(String.format(
                            Locale.ROOT,
                            "%s does not catch up with %s: after %d s it lacks %s",
                            place(),
                            followed(),
                            atMost.toSeconds(),
                            lack(there, end)));
                }
                Pause.millis(BETWEEN_LOOKS_MILLIS, "the wait for a replica");
            }
        } catch (SearchException silent) {
            throw new TargetException("cannot see how far " + place() + " has come: " + silent.getMessage(), silent);
        }
    }

    /** Where the server that it follows is, for messages. */
    protected abstract String followed();

    /**
     * A place in the log of that server before which all lies that it has acknowledged so far, and to which a replica comes without
     * further writes: see {@link ReplicaPositions}.
     *
     * @throws SearchException or {@link TargetException} if the server does not tell
     */
    protected abstract long mark();

    /** What it lacks that has come to one place in the log and not to another, and what to look at, for people. */
    protected abstract String lack(long there, long end);
}
