package siemload.database.server;

import java.time.Duration;
import siemload.database.Replica;
import siemload.database.ReplicaPositions;
import siemload.database.Store;
import siemload.database.TargetException;
import siemload.database.registry.Registry;

/**
 * A replica of the server of a {@link ServerTarget}.
 *
 * @param registry of that server
 */
record ServerReplica(ReplicaServer server, Registry registry) implements Replica {

    @Override
    public String place() {
        return server.place();
    }

    @Override
    public void awaitCaughtUp(Duration atMost) {
        server.awaitCaughtUp(atMost);
    }

    @Override
    public Store open(String name) {
        RunCopy copy = RunCopy.joined(name, server::tables, registry);
        try {
            return server.openStore(copy);
        } catch (TargetException e) {
            copy.close();
            throw e;
        }
    }

    @Override
    public ReplicaPositions openPositions() {
        return server.openPositions();
    }

    @Override
    public void close() {
        server.close();
    }
}
