package siemload.load;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import siemload.database.Replica;
import siemload.database.Replica.ReplicaPositions;
import siemload.database.SearchSession;
import siemload.database.Store.EventSink;
import siemload.measure.monitor.ReplicaProgress;
import siemload.run.LoadRun;
import siemload.run.LoadRun.ReadRouting.ReadStore;
import siemload.run.RunPlan;

/**
 * The connections of a load: those that search, one for each worker, and those that the feeder inserts by. Who takes them over
 * closes them. Immutable, but for the connections.
 *
 * @param readers by the number of the replica that they ask; one where the store itself is asked
 * @param ownIo what counts the blocks of single searches, by the session that it counts for
 */
record LoadConnections(List<Reader> readers, IdentityHashMap<SearchSession, OwnIo> ownIo, List<EventSink> sinks) {
    LoadConnections {
        readers = List.copyOf(readers);
        ownIo = new IdentityHashMap<>(ownIo);
        sinks = List.copyOf(sinks);
    }

    /**
     * Those that search in one place.
     *
     * @param following how far the replica is; empty for the store itself
     */
    record Reader(ReadStore place, List<SearchSession> sessions, Optional<Following> following) {
        Reader {
            sessions = List.copyOf(sessions);
        }

        /** @throws siemload.database.TargetException if the server refuses a connection; those opened before are closed */
        private static Reader open(ReadStore place, int workers) {
            List<SearchSession> sessions = SearchWorkers.openSessions(place.store(), workers);
            try {
                return new Reader(place, sessions, place.replica().map(Following::of));
            } catch (RuntimeException refused) {
                sessions.forEach(SearchSession::close);
                throw refused;
            }
        }

        void close() {
            sessions.forEach(SearchSession::close);
            following.ifPresent(replica -> replica.positions().close());
        }
    }

    /**
     * How far a replica is.
     *
     * @param positions are read from it
     * @param progress is known of it; when this is made, nothing has been fed
     */
    record Following(ReplicaPositions positions, ReplicaProgress progress) {
        static Following of(Replica replica) {
            return new Following(replica.openPositions(), new ReplicaProgress(System.nanoTime()));
        }
    }

    /** @throws siemload.database.TargetException if a server refuses one; those opened before are closed */
    static LoadConnections open(LoadRun run) {
        RunPlan plan = run.plan();
        List<Reader> readers = new ArrayList<>();
        try {
            for (ReadStore place : run.readStores()) {
                readers.add(Reader.open(place, plan.workers(readers.size())));
            }
            IdentityHashMap<SearchSession, OwnIo> ownIo = new IdentityHashMap<>();
            boolean countsTicks = plan.scenario().countsTickIo();
            readers.forEach(reader -> reader.sessions()
                    .forEach(session -> ownIo.put(session, countsTicks ? OwnIo.of(session) : OwnIo.off())));
            return new LoadConnections(
                    readers, ownIo, FeederRun.openSinks(plan.scenario().feeder(), plan.shard(), run.store()));
        } catch (RuntimeException refused) {
            readers.forEach(Reader::close);
            throw refused;
        }
    }

    /** What counts the blocks of a session's searches. */
    OwnIo counting(SearchSession session) {
        return ownIo.getOrDefault(session, OwnIo.off());
    }

    /** Closes those that nobody has taken over. */
    void close() {
        readers.forEach(Reader::close);
        sinks.forEach(EventSink::close);
    }
}
