package siemload.database.server;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import siemload.database.Replica;
import siemload.database.Replica.Replication;
import siemload.database.ServerAddress;
import siemload.database.ServerUse;
import siemload.database.Store;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.database.Transport;
import siemload.database.registry.Entry.Purpose;
import siemload.database.registry.Registry;
import siemload.database.registry.RegistryStorage;
import siemload.database.registry.ServerObjects;

/**
 * A connected server as {@link ServerTarget} needs it: all that differs from one database to another. Every call blocks, and
 * throws a {@link siemload.database.TargetException} where the server cannot be asked or refuses. Thread-safe.
 */
public interface DatabaseServer extends AutoCloseable {

    /** What it is and where, for messages: its name, {@code at}, host, port and database. */
    String place();

    /** As {@link siemload.database.Target#version}. */
    String version();

    /** As {@link siemload.database.Target#settings}. */
    SortedMap<String, String> settings();

    /** As {@link siemload.database.Target#transport}. */
    Transport transport();

    /** Where what is asked is answered. */
    default Target.Sessions sessions() {
        return Target.Sessions.UNTOLD;
    }

    /** As {@link siemload.database.Target#use}. */
    ServerUse use();

    /** As {@link siemload.database.Target#openReplication}. */
    default Optional<Replication> openReplication() {
        return Optional.empty();
    }

    /**
     * As {@link siemload.database.Target#connectReplica}.
     *
     * @param registry of this server
     */
    default Replica connectReplica(ServerAddress address, int sessions, Registry registry) {
        throw new TargetException(place() + " has no replicas that could be searched");
    }

    /** Where it keeps the registry; nothing is made on the server before the first entry is added. */
    RegistryStorage registry();

    /** What the entries of the registry stand for. */
    ServerObjects objects();

    /**
     * A name from {@link siemload.database.registry.Registry#name} for tables that are to be made.
     *
     * @param fingerprint of the data set in them; empty for the empty tables of a run
     * @param runId whose they are; empty for a data set on its way in
     */
    String newName(Purpose purpose, String fingerprint, String runId);

    /** The tables of this name, whether they are there or not. */
    EventTables tables(String name);

    /**
     * As {@link siemload.database.Target#strangers}.
     *
     * @param ours the names that the registry tells of
     */
    List<String> strangers(Set<String> ours);

    /** Opens the copy of a run. Closing the store closes the copy. */
    Store openStore(RunCopy copy);

    /** Gives back what {@code connect} opened. */
    @Override
    void close();
}
