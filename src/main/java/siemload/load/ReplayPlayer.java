package siemload.load;

import io.gatling.core.session.Session;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import siemload.config.DaemonThread;
import siemload.dataset.SeededRandom;
import siemload.measure.ReplayRecorder;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.results.Asked;
import siemload.results.SearchKey;
import siemload.run.Breakdown;
import siemload.scenario.LoadModel;
import siemload.scenario.replay.QueryRecordingReader;
import siemload.scenario.replay.RecordedExecution;
import siemload.scenario.replay.RecordedQuery;

/**
 * Plays a query recording: a thread reads it a little ahead of time, and lets each session ask what is due. Memory does not grow with
 * the recording: no more is read while very many executions wait for the database.
 */
final class ReplayPlayer {
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
        this.firstNanos = engine.startNanos() + LoadModel.Replayed.LEAD.toNanos();
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
            reader.recording().queries().stream().map(RecordedQuery::statement).forEach(statements::add);
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
                Asked.FIRST,
                due,
                SeededRandom.of(action.seed(), number).nextDouble());
    }

    private void add(SearchRequest request, RecordedExecution execution) {
        waiting.incrementAndGet();
        ReplaySession asking = Objects.requireNonNull(sessions.compute(execution.session(), (number, known) -> {
            ReplaySession one = known == null ? new ReplaySession(this, number) : known;
            one.add(request, execution);
            return one;
        }));
        engine.at(execution.session(), request.intendedStart(), () -> guarded(asking::due));
    }

    /** Whatever a session knows is forgotten when it has nothing to ask. */
    void free(int number) {
        sessions.computeIfPresent(number, (unused, known) -> known.isDone() ? null : known);
    }

    /** One more has ended: the last one ends the replay, at the end of the run unless nothing more can come. */
    void ended() {
        if (waiting.decrementAndGet() == 0) {
            engine.at(0, broken ? System.nanoTime() : engine.endNanos(), () -> action.proceed(session));
        }
    }

    void log(SearchRequest request, SearchAnswer answer) {
        action.log().add(session, request, answer);
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
}
