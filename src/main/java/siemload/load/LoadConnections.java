package siemload.load;

import java.util.IdentityHashMap;
import java.util.List;
import siemload.config.Property;
import siemload.database.EventSink;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.run.RunPlan;

/**
 * The connections of a load: those that search, one for each worker, and those that the feeder inserts by. Who takes them over
 * closes them. Immutable, but for the connections.
 *
 * @param ownIo what counts the blocks of single searches, by the session that it counts for
 */
record LoadConnections(
        List<SearchSession> sessions, IdentityHashMap<SearchSession, OwnIo> ownIo, List<EventSink> sinks) {
    LoadConnections {
        sessions = List.copyOf(sessions);
        ownIo = new IdentityHashMap<>(ownIo);
        sinks = List.copyOf(sinks);
    }

    /** @throws siemload.database.TargetException if the server refuses one */
    static LoadConnections open(RunPlan plan, Store store) {
        List<SearchSession> sessions = SearchWorkers.openSessions(store, plan.workers());
        IdentityHashMap<SearchSession, OwnIo> ownIo = new IdentityHashMap<>();
        boolean countsTicks = plan.settings().value(Property.TICK_IO);
        sessions.forEach(session -> ownIo.put(session, countsTicks ? OwnIo.of(session) : OwnIo.off()));
        return new LoadConnections(
                sessions, ownIo, FeederRun.openSinks(plan.scenario().feeder(), plan.shard(), store));
    }

    /** What counts the blocks of a session's searches. */
    OwnIo counting(SearchSession session) {
        return ownIo.getOrDefault(session, OwnIo.off());
    }

    /** Closes those that nobody has taken over. */
    void close() {
        sessions.forEach(SearchSession::close);
        sinks.forEach(EventSink::close);
    }
}
