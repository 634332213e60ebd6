package siemload.load;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import siemload.config.DaemonThread;
import siemload.database.SearchSession;
import siemload.dataset.SeededRandom;
import siemload.load.GatlingAction.VirtualUser;
import siemload.measure.ReplayRecorder;
import siemload.measure.Sample;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.results.SearchKey;
import siemload.scenario.AnalystGroup;
import siemload.scenario.LoadModel;
import siemload.scenario.replay.QueryRecordingReader;
import siemload.scenario.replay.RecordedExecution;
import siemload.scenario.replay.RecordedQuery;

/**
 * Plays a query recording: a thread reads it a little ahead of time, and lets each session ask what is due. A session asks one
 * statement at a time, in the order of the recording; what is due while it is at another one waits. Memory does not grow with the
 * recording: no more is read while very many executions wait for the database. Thread-safe.
 */
final class ReplayPlayer {
    private static final long AHEAD_NANOS = LoadModel.Replayed.LEAD.toNanos();
    private static final long MOST_WAITING = 100_000;
    private static final long MOMENT_NANOS = Duration.ofMillis(2).toNanos();
    /** What was due before the end of the run is asked for so long behind it; the rest has waited in vain. */
    private static final long AFTER_END_NANOS = Duration.ofSeconds(30).toNanos();

    private final VirtualUser user;
    private final AnalystGroup group;
    private final LoadModel.Replayed replayed;
    private final long seed;
    private final LoadEngine engine;
    private final ReplayRecorder recorder;
    private final long firstNanos;
    private final RecordedSessions sessions;
    /** Executions that were read and have not ended, and one more until everything is read. */
    private final AtomicLong waiting = new AtomicLong(1);

    private volatile boolean broken;

    /**
     * A player that has not begun.
     *
     * @param user the only one of Gatling's, for all sessions
     * @param seed of this group alone
     */
    ReplayPlayer(VirtualUser user, AnalystGroup group, LoadModel.Replayed replayed, long seed) {
        this.user = user;
        this.group = group;
        this.replayed = replayed;
        this.seed = seed;
        this.engine = user.engine();
        this.recorder = engine.recorder().replays();
        this.firstNanos = engine.clock().startNanos() + AHEAD_NANOS;
        this.sessions = new RecordedSessions(engine.connections());
    }

    /** @param execution how it was when it was recorded */
    record Asking(SearchRequest request, RecordedExecution execution) {
        private int session() {
            return execution.session();
        }
    }

    /** Begins to play, and sends Gatling's user on at the end. */
    void start() {
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
            user.crashed(crash);
        }
        ended();
    }

    private void failed(String why) {
        broken = true;
        recorder.failed(why);
    }

    private void read() throws IOException {
        Set<SearchName> asked = Set.copyOf(group.searched().mix().possible());
        try (QueryRecordingReader reader =
                QueryRecordingReader.open(replayed.recording().file())) {
            if (!reader.recording().equals(replayed.recording())) {
                throw new IOException(reader.recording().file() + " is not what it was when the run began");
            }
            List<Statement> statements = reader.recording().queries().stream()
                    .map(RecordedQuery::statement)
                    .toList();
            long number = 0;
            for (Optional<RecordedExecution> next = reader.next(); next.isPresent(); next = reader.next()) {
                RecordedExecution execution = next.get();
                Statement statement = statements.get(execution.query());
                long due = firstNanos + replayed.dueNanos(execution.offsetMicros());
                if (engine.isOverAt(due) || !awaited(due)) {
                    return;
                }
                if (asked.contains(statement.name())) {
                    Asking asking = new Asking(request(statement, execution, due, number), execution);
                    waiting.incrementAndGet();
                    engine.at(due, () -> user.guarded(() -> due(asking)));
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
        double draw = SeededRandom.of(seed, number).nextDouble();
        return new SearchRequest(search, SearchKey.of(search).page(), due, draw);
    }

    private void due(Asking asking) {
        if (engine.isOverAt(asking.request().intendedStart())) {
            ended();
            return;
        }
        recorder.due();
        noteWait(sessions.add(asking));
        goOn();
    }

    private void noteWait(Optional<Asking> forConnection) {
        forConnection.ifPresent(asking -> {
            // What comes too late is not asked at all.
            if (System.nanoTime() - engine.clock().endNanos() < AFTER_END_NANOS) {
                engine.recorder().foundAllBusy(asking.request().intendedStart());
            }
        });
    }

    /** Begins with whatever there is a connection for. */
    private void goOn() {
        for (Optional<RecordedSessions.Turn> turn = sessions.next(); turn.isPresent(); turn = sessions.next()) {
            begin(turn.get());
        }
    }

    private void begin(RecordedSessions.Turn turn) {
        SearchRequest request = turn.asking().request();
        long now = System.nanoTime();
        if (now - engine.clock().endNanos() >= AFTER_END_NANOS) {
            done(turn, engine.notBegun(request));
            return;
        }
        engine.workers(turn.asking().session())
                .submit(
                        request.readBy(turn.connection()::search),
                        Math.max(request.intendedStart(), now),
                        user.log(),
                        answer -> user.guarded(() -> {
                            done(turn, answer.sample());
                            goOn();
                        }));
    }

    private void done(RecordedSessions.Turn turn, Sample sample) {
        recorder.ended(
                turn.asking().request().search().name(),
                turn.asking().execution().tookMicros(),
                turn.freeNanos(),
                sample);
        noteWait(sessions.ended(turn, sample.end()));
        ended();
    }

    /** One more has ended: the last one ends the replay, at the end of the run unless nothing more can come. */
    private void ended() {
        if (waiting.decrementAndGet() == 0) {
            engine.at(broken ? System.nanoTime() : engine.clock().endNanos(), user::proceed);
        }
    }

    /**
     * What sessions have to ask, and the connections that they ask by. A session keeps the one that it was given until it ends. Where
     * there are fewer than sessions, one that thinks may lose it to one that asks, and where all of them are busy, whoever asks waits for
     * the next, first come, first served. Thread-safe.
     */
    static final class RecordedSessions {
        private final Queue<SearchSession> free;
        /** Of sessions that think; whoever has thought the longest comes first. */
        private final Map<Integer, SearchSession> kept = new LinkedHashMap<>();
        /** Of sessions that ask, or wait for a connection to do so: what else is due, in the order of the recording. */
        private final Map<Integer, Queue<Asking>> behind = new HashMap<>();

        private final Queue<Next> waiting = new ArrayDeque<>();

        RecordedSessions(List<SearchSession> connections) {
            this.free = new ArrayDeque<>(connections);
        }

        /** @param freeNanos when its session was done with what it asked before */
        private record Next(Asking asking, long freeNanos) {}

        /** What a session asks now, by this connection. */
        record Turn(Asking asking, long freeNanos, SearchSession connection) {}

        /** Takes what is due now. @return the same where it waits for a connection, of which there is none */
        synchronized Optional<Asking> add(Asking due) {
            Queue<Asking> before = behind.get(due.session());
            if (before != null) {
                before.add(due);
                return Optional.empty();
            }
            behind.put(due.session(), new ArrayDeque<>());
            return await(new Next(due, due.request().intendedStart()));
        }

        /** Whose turn it is; to be called until it is nobody's. */
        synchronized Optional<Turn> next() {
            Next next = waiting.peek();
            SearchSession connection =
                    next == null ? null : connection(next.asking().session());
            if (next == null || connection == null) {
                return Optional.empty();
            }
            waiting.remove();
            return Optional.of(new Turn(next.asking(), next.freeNanos(), connection));
        }

        private @Nullable SearchSession connection(int session) {
            SearchSession own = kept.remove(session);
            SearchSession found = own == null ? free.poll() : own;
            return found != null || kept.isEmpty()
                    ? found
                    : kept.remove(kept.keySet().iterator().next());
        }

        /** Takes back the connection. @return what its session asks next, where that waits for one, of which there is none */
        synchronized Optional<Asking> ended(Turn turn, long nanos) {
            int session = turn.asking().session();
            if (turn.asking().execution().last()) {
                free.add(turn.connection());
            } else {
                kept.put(session, turn.connection());
            }
            Asking next =
                    Objects.requireNonNull(behind.get(session), "it was asking").poll();
            if (next == null) {
                behind.remove(session);
                return Optional.empty();
            }
            return await(new Next(next, nanos));
        }

        private Optional<Asking> await(Next next) {
            boolean allBusy = waiting.size() >= free.size() + kept.size();
            waiting.add(next);
            return allBusy ? Optional.of(next.asking()) : Optional.empty();
        }
    }
}
