package siemload.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import siemload.database.Replica;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Target;
import siemload.database.TargetException;

/**
 * Gets the replicas that answer the searches of a run, none where the run's own store does. Used by one thread.
 *
 * @param connected in the order in which their urls were given
 */
record Replicas(RunHost host, RunPlan plan, Resources resources, List<Replica> connected) {
    /** How long a replica may take until it has the data set of the run. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);
    /** Beside those that search: for looking at it, for how far it is, and for the store. */
    private static final int OTHER_CONNECTIONS = 4;

    /**
     * Connects to them.
     *
     * @param server of the run, whose user asks them as well
     * @throws TargetException if one is no replica of the server that the target is connected to
     */
    static Replicas connect(RunHost host, RunPlan plan, Resources resources, Target target, ServerAddress server) {
        List<Replica> connected = new ArrayList<>();
        for (int index = 0; index < plan.readUrls().size(); index++) {
            ServerAddress address = new ServerAddress(plan.readUrls().get(index), server.user(), server.password());
            int sessions = plan.workers(index) + plan.cursors() + OTHER_CONNECTIONS;
            connected.add(resources.add(target.connectReplica(address, sessions)));
        }
        return new Replicas(host, plan, resources, List.copyOf(connected));
    }

    /**
     * Opens the store of the run on them, when they have all of it.
     *
     * @throws TargetException if one lacks something
     */
    List<ReadStore> open(Store store) {
        List<ReadStore> stores = join(store);
        if (!connected.isEmpty()) {
            long events = store.events();
            stores.forEach(replica -> requireWhole(replica, events));
        }
        return stores;
    }

    private static void requireWhole(ReadStore replica, long events) {
        long there = replica.store().events();
        if (there != events) {
            throw new TargetException(replica.replica().orElseThrow().place() + " lacks events of the run: it has "
                    + there + " of " + events + " (it follows another server, or another timeline)");
        }
    }

    /** The same for a process that joins the run: whoever made the store has seen to it that nothing is missing. */
    List<ReadStore> join(Store store) {
        if (connected.isEmpty()) {
            return ReadStore.alone(store);
        }
        String name = store.nameToJoin().orElseThrow();
        List<ReadStore> stores = new ArrayList<>();
        for (Replica replica : connected) {
            host.status("waiting for " + replica.place());
            replica.awaitCaughtUp(LONGEST_WAIT);
            stores.add(new ReadStore(resources.add(replica.open(name)), Optional.of(replica)));
        }
        host.status("");
        return List.copyOf(stores);
    }
}
