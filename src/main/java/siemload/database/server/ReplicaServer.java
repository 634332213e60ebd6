package siemload.database.server;

import java.time.Duration;
import siemload.database.ReplicaPositions;
import siemload.database.Store;

/** A connected replica as {@link ServerTarget} needs it: what differs from one database to another of {@link siemload.database.Replica}. */
public interface ReplicaServer extends AutoCloseable {

    /** As {@link siemload.database.Replica#place}. */
    String place();

    /** As {@link siemload.database.Replica#awaitCaughtUp}. */
    void awaitCaughtUp(Duration atMost);

    /** The tables of this name on the replica, whether they are there or not. */
    EventTables tables(String name);

    /** Opens the copy of a run, as {@link DatabaseServer#openStore} does. */
    Store openStore(RunCopy copy);

    /** As {@link siemload.database.Replica#openPositions}. */
    ReplicaPositions openPositions();

    @Override
    void close();
}
