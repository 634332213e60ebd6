package siemload.load;

import io.gatling.core.action.Action;
import io.gatling.core.session.Session;
import io.gatling.core.structure.ScenarioContext;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import siemload.config.DaemonThread;
import siemload.database.SearchSession;
import siemload.database.SearchSession.RowReader;
import siemload.dataset.SeededRandom;
import siemload.measure.LatencyRecorder.Taker;
import siemload.measure.ReplayRecorder;
import siemload.measure.Sample;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.results.SearchKey;
import siemload.run.Breakdown;
import siemload.scenario.AnalystGroup;
import siemload.scenario.LoadModel;
import siemload.scenario.replay.QueryRecordingReader;
import siemload.scenario.replay.RecordedExecution;
import siemload.scenario.replay.RecordedQuery;

/** Lets Gatling's only user of a replay play the recording, for all sessions in it. */
final class ReplayAction extends GatlingAction {
    private final AnalystGroup group;
    private final LoadModel.Replayed replayed;
    private final long seed;

    /** @param seed of this group alone */
    ReplayAction(ScenarioContext context, Action next, AnalystGroup group, LoadModel.Replayed replayed, long seed) {
        super("replay", context, next);
        this.group = group;
        this.replayed = replayed;
        this.seed = seed;
    }

    @Override
    void perform(Session session) {
        new ReplayPlayer(this, session).start();
    }

    AnalystGroup group() {
        return group;
    }

    LoadModel.Replayed replayed() {
        return replayed;
    }

    long seed() {
        return seed;
    }

    /**
     * Plays a query recording: a thread reads it a little ahead of time, and lets each session ask what is due. Memory does not grow with
     * the recording: no more is read while very many executions wait for the database.
     */
    static final class ReplayPlayer {
        private static final long AHEAD_NANOS = LoadModel.Replayed.LEAD.toNanos();
        private static final long MOST_WAITING = 100_000;
        private static final long MOMENT_NANOS = Duration.ofMillis(2).toNanos();

        private final ReplayAction action;
        private final LoadEngine engine;
        private final Session session;
        private final ReplayRecorder recorder;
        private final ReplayConnections connections;
        private final Map<Integer, ReplaySession> sessions = new ConcurrentHashMap<>();
        /** Executions that were read and have not ended, and one more until everything is read. */
        private final AtomicLong waiting = new AtomicLong(1);

        private final long firstNanos;
        private volatile boolean broken;

        ReplayPlayer(ReplayAction action, Session session) {
            this.action = action;
            this.engine = action.engine();
            this.session = session;
            this.recorder = engine.recorder().replays();
            this.connections = new ReplayConnections(engine.connections());
            this.firstNanos = engine.clock().startNanos() + LoadModel.Replayed.LEAD.toNanos();
        }

        /** Begins to play, and sends Gatling's user on at the end. */
        void start() {
            LoadModel.Replayed replayed = action.replayed();
            recorder.expect(
                    String.valueOf(replayed.recording().file().getFileName()),
                    replayed.speed(),
                    replayed.recording().executions());
            DaemonThread.start("siemload-replay", this::play);
        }

        private void play() {
            try {
                read();
            } catch (IOException unreadable) {
                failed(String.valueOf(unreadable.getMessage()));
            } catch (RuntimeException crash) {
                failed(crash.toString());
                action.crashed(session, crash);
            } catch (Error error) {
                Breakdown.tell(error);
                throw error;
            }
            ended();
        }

        private void failed(String why) {
            broken = true;
            recorder.failed(why);
        }

        private void read() throws IOException {
            Set<SearchName> asked = Set.copyOf(action.group().searched().mix().possible());
            try (QueryRecordingReader reader =
                    QueryRecordingReader.open(action.replayed().recording().file())) {
                if (!reader.recording().equals(action.replayed().recording())) {
                    throw new IOException(reader.recording().file() + " is not what it was when the run began");
                }
                List<Statement> statements = new ArrayList<>();
                reader.recording().queries().stream()
                        .map(RecordedQuery::statement)
                        .forEach(statements::add);
                long number = 0;
                for (Optional<RecordedExecution> next = reader.next(); next.isPresent(); next = reader.next()) {
                    RecordedExecution execution = next.get();
                    Statement statement = statements.get(execution.query());
                    long due = firstNanos + action.replayed().dueNanos(execution.offsetMicros());
                    if (engine.isOverAt(due) || !awaited(due)) {
                        return;
                    }
                    if (asked.contains(statement.name())) {
                        add(request(statement, execution, due, number), execution);
                    } else {
                        recorder.leftOut();
                    }
                    number++;
                }
            }
        }

        /** Waits until it is time to read on; false where the run is over meanwhile. */
        private boolean awaited(long due) {
            while (due - System.nanoTime() > AHEAD_NANOS || waiting.get() > MOST_WAITING) {
                if (engine.isOver()) {
                    return false;
                }
                LockSupport.parkNanos(MOMENT_NANOS);
            }
            return true;
        }

        private SearchRequest request(Statement statement, RecordedExecution execution, long due, long number) {
            Map<String, String> values = new HashMap<>();
            List<String> parameters = statement.text().parameters();
            for (int i = 0; i < parameters.size(); i++) {
                values.put(parameters.get(i), execution.values().get(i));
            }
            Search search = statement.search(values);
            return new SearchRequest(
                    search,
                    SearchKey.of(search).page(),
                    due,
                    SeededRandom.of(action.seed(), number).nextDouble());
        }

        private void add(SearchRequest request, RecordedExecution execution) {
            waiting.incrementAndGet();
            engine.at(request.intendedStart(), () -> guarded(() -> due(new Asking(request, execution))));
        }

        private void due(Asking asking) {
            if (engine.isOverAt(asking.request().intendedStart())) {
                ended();
                return;
            }
            recorder.due();
            ReplaySession session =
                    Objects.requireNonNull(sessions.compute(asking.execution().session(), (number, known) -> {
                        ReplaySession one = known == null ? new ReplaySession(this, number) : known;
                        one.add(asking);
                        return one;
                    }));
            session.goOn();
        }

        /** @param execution how it was when it was recorded */
        private record Asking(SearchRequest request, RecordedExecution execution) {}

        /** Whatever a session knows is forgotten when it has nothing to ask. */
        void free(int number) {
            sessions.computeIfPresent(number, (unused, known) -> known.isDone() ? null : known);
        }

        /** One more has ended: the last one ends the replay, at the end of the run unless nothing more can come. */
        void ended() {
            if (waiting.decrementAndGet() == 0) {
                engine.at(broken ? System.nanoTime() : engine.clock().endNanos(), () -> action.proceed(session));
            }
        }

        Taker log() {
            return action.log().of(session);
        }

        LoadEngine engine() {
            return engine;
        }

        ReplayConnections connections() {
            return connections;
        }

        ReplayRecorder recorder() {
            return recorder;
        }

        /** No exception may cost a session what comes behind. */
        void guarded(Runnable step) {
            action.guarded(session, step, () -> {});
        }

        /**
         * The connections of a replay. A recorded session keeps the one that it was given until it ends. Where there are fewer than sessions,
         * one that thinks may lose it to one that asks, and where all of them are busy, whoever asks waits for the next, first come, first
         * served. Thread-safe.
         */
        static final class ReplayConnections {
            private final Queue<SearchSession> free;
            /** Of sessions that think; whoever has thought the longest comes first. */
            private final Map<Integer, SearchSession> kept = new LinkedHashMap<>();

            private final Queue<Predicate<Leased>> waiting = new ArrayDeque<>();

            ReplayConnections(List<SearchSession> all) {
                this.free = new ArrayDeque<>(all);
            }

            /** A connection in the hands of one session. */
            record Leased(SearchSession session) implements OwnReading {
                @Override
                public long read(Search search, RowReader rows) {
                    return session.search(search, rows);
                }

                @Override
                public long seenFromNanos(long startNanos) {
                    return startNanos;
                }
            }

            /**
             * Asks for a connection; the taker is called once, at once or on the thread that gives one back, and says whether it still wants it.
             *
             * @param session the number of the recorded session
             * @return whether it was at once
             */
            boolean take(int session, Predicate<Leased> taker) {
                Optional<SearchSession> found = find(session, taker);
                found.map(Leased::new).filter(leased -> !taker.test(leased)).ifPresent(this::pass);
                return found.isPresent();
            }

            private synchronized Optional<SearchSession> find(int session, Predicate<Leased> taker) {
                Optional<SearchSession> found = Optional.ofNullable(kept.remove(session))
                        .or(() -> Optional.ofNullable(free.poll()))
                        .or(this::eldest);
                if (found.isEmpty()) {
                    waiting.add(taker);
                }
                return found;
            }

            private Optional<SearchSession> eldest() {
                Iterator<SearchSession> thinking = kept.values().iterator();
                if (!thinking.hasNext()) {
                    return Optional.empty();
                }
                SearchSession connection = thinking.next();
                thinking.remove();
                return Optional.of(connection);
            }

            /**
             * Gives it back when the answer is there.
             *
             * @param last whether the session asks nothing more
             */
            void give(int session, Leased leased, boolean last) {
                if (last || !isKept(session, leased)) {
                    pass(leased);
                }
            }

            /** Unless somebody waits. */
            private synchronized boolean isKept(int session, Leased leased) {
                if (waiting.isEmpty()) {
                    kept.put(session, leased.session());
                    return true;
                }
                return false;
            }

            /** To the first of those who wait that still wants it; to whoever comes next, where nobody does. */
            private void pass(Leased leased) {
                Optional<Predicate<Leased>> next = next(leased);
                while (next.isPresent() && !next.get().test(leased)) {
                    next = next(leased);
                }
            }

            private synchronized Optional<Predicate<Leased>> next(Leased leased) {
                Optional<Predicate<Leased>> next = Optional.ofNullable(waiting.poll());
                if (next.isEmpty()) {
                    free.add(leased.session());
                }
                return next;
            }
        }

        /**
         * One session of a replay. It asks one statement at a time, in the order of the recording; what is due while it is at another one
         * waits. The steps come on whatever thread is at hand. Thread-safe.
         */
        private static final class ReplaySession {
            /** What was due before the end of the run is asked for so long behind it; the rest has waited in vain. */
            private static final long AFTER_END_NANOS = Duration.ofSeconds(30).toNanos();

            private final ReplayPlayer player;
            private final int number;
            /** What is due, in the order of the recording. */
            private final Queue<Asking> queue = new ArrayDeque<>();

            private boolean busy;
            private long freeNanos;

            ReplaySession(ReplayPlayer player, int number) {
                this.player = player;
                this.number = number;
                this.freeNanos = player.engine().clock().startNanos();
            }

            /** Adds what it is to ask behind all that it was given before. */
            synchronized void add(Asking asking) {
                queue.add(asking);
            }

            void goOn() {
                for (Optional<Asking> next = next(); next.isPresent(); next = next()) {
                    Asking asking = next.get();
                    if (!isTooLate()) {
                        ask(asking);
                        return;
                    }
                    ended(asking, player.engine().notBegun(asking.request()));
                }
                player.free(number);
            }

            private synchronized Optional<Asking> next() {
                if (busy || queue.isEmpty()) {
                    return Optional.empty();
                }
                busy = true;
                return Optional.of(queue.remove());
            }

            private boolean isTooLate() {
                return System.nanoTime() - player.engine().clock().endNanos() >= AFTER_END_NANOS;
            }

            private void ask(Asking asking) {
                boolean atOnce = player.connections().take(number, connection -> isBegun(asking, connection));
                if (!atOnce) {
                    player.engine().recorder().foundAllBusy(asking.request().intendedStart());
                }
            }

            /** Begins with it, unless it has become too late while it waited for the connection. */
            private boolean isBegun(Asking asking, ReplayConnections.Leased connection) {
                if (isTooLate()) {
                    ended(asking, player.engine().notBegun(asking.request()));
                    goOn();
                    return false;
                }
                SearchRequest request = asking.request().readBy(connection);
                player.engine()
                        .workers(number)
                        .submit(
                                request,
                                Math.max(request.intendedStart(), System.nanoTime()),
                                player.log(),
                                answer -> player.guarded(() -> {
                                    player.connections()
                                            .give(
                                                    number,
                                                    connection,
                                                    asking.execution().last());
                                    ended(asking, answer.sample());
                                    goOn();
                                }));
                return true;
            }

            private void ended(Asking asking, Sample sample) {
                SearchName name = asking.request().search().name();
                player.recorder().ended(name, asking.execution().tookMicros(), freeNanos, sample);
                synchronized (this) {
                    busy = false;
                    freeNanos = sample.end();
                }
                player.ended();
            }

            /** Whether nothing is under way, and nothing is due. */
            synchronized boolean isDone() {
                return !busy && queue.isEmpty();
            }
        }
    }
}
