package siemload.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import siemload.database.Replica;
import siemload.database.Replica.ReplicaPositions;
import siemload.database.SearchSession;
import siemload.load.SearchWorkers.Answering;
import siemload.measure.LatencyRecorder;
import siemload.measure.monitor.ReplicaProgress;
import siemload.measure.monitor.ReplicaWatch;
import siemload.run.LoadRun;
import siemload.run.LoadRun.ReadRouting;
import siemload.run.LoadRun.ReadRouting.ReadStore;
import siemload.run.RunPlan;
import siemload.run.answers.AnswerSampler;

/** All places where a load searches, the store of a run or each replica of it, with their connections. Thread-safe. */
final class SearchPlaces implements AutoCloseable {
    private final ReadRouting routing;
    private final List<Place> places = new ArrayList<>();

    /** @throws siemload.database.TargetException if a server refuses a connection; those opened before are closed */
    SearchPlaces(LoadRun run) {
        RunPlan plan = run.plan();
        this.routing = plan.routing();
        try {
            for (ReadStore store : run.readStores()) {
                places.add(new Place(store, plan.workers(places.size())));
            }
        } catch (RuntimeException refused) {
            close();
            throw refused;
        }
    }

    /** Starts the workers. */
    void start(LatencyRecorder recorder, AnswerSampler sampler) {
        for (int i = 0; i < places.size(); i++) {
            places.get(i).start(i, recorder, sampler);
        }
    }

    /** Where the user, or the task, of this number searches. */
    Place of(long number) {
        return places.get(routing.replica(number));
    }

    /** Waits until every submitted search has ended, or the time is up. */
    void awaitIdle(Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        for (Place place : places) {
            place.workers().awaitIdle(Duration.ofNanos(deadline - System.nanoTime()));
        }
    }

    /** Ends what the servers are asked now; nobody goes on. */
    void cancelAll() {
        for (Place place : places) {
            place.workers().cancelAll();
            place.cursors().close();
        }
    }

    /** As {@link SearchWorkers#giveUp}. */
    void giveUp() {
        places.forEach(place -> place.workers().giveUp());
    }

    @Override
    public void close() {
        places.forEach(Place::close);
    }

    /** One of them. Its workers take over the connections that it opened. */
    static final class Place implements AutoCloseable {
        private final ReadStore store;
        private final List<SearchSession> sessions;
        /** How far the replica is, and what is known of that; empty for the store itself. */
        private final Optional<ReplicaPositions> positions;

        private final ReplicaProgress progress;
        private volatile Optional<Started> started = Optional.empty();

        private record Started(SearchWorkers workers, UserCursors cursors, Optional<ReplicaWatch> watch) {}

        private Place(ReadStore store, int workers) {
            this.store = store;
            this.sessions = SearchWorkers.openSessions(store.store(), workers);
            try {
                this.positions = store.replica().map(Replica::openPositions);
            } catch (RuntimeException refused) {
                sessions.forEach(SearchSession::close);
                throw refused;
            }
            // Nothing has been fed yet.
            this.progress = new ReplicaProgress(System.nanoTime());
        }

        private void start(int index, LatencyRecorder recorder, AnswerSampler sampler) {
            Answering answering = positions.isEmpty()
                    ? Answering.STORE
                    : new Answering(progress::completeUntil, recorder.replicas().of(index)::finished);
            started = Optional.of(new Started(
                    new SearchWorkers(sessions, recorder, sampler, System::nanoTime, answering),
                    new UserCursors(store.store()::openSession, answering.completeUntil()),
                    positions.map(open -> ReplicaWatch.start(
                            open, progress, recorder.replicas().of(index)))));
        }

        SearchWorkers workers() {
            return started.orElseThrow().workers();
        }

        /** Those that users keep there from page to page. */
        UserCursors cursors() {
            return started.orElseThrow().cursors();
        }

        List<SearchSession> sessions() {
            return sessions;
        }

        @Override
        public void close() {
            if (started.isPresent()) {
                started.get().workers().close();
                started.get().watch().ifPresent(ReplicaWatch::close);
            } else {
                sessions.forEach(SearchSession::close);
                positions.ifPresent(ReplicaPositions::close);
            }
        }
    }
}
