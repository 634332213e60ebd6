package siemload.load;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
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
import siemload.scenario.replay.QueryRecording.RecordedExecution;
import siemload.scenario.replay.QueryRecording.RecordedQuery;
import siemload.scenario.replay.QueryRecordingReader;

/**
 * Plays a query recording: a thread reads it a little ahead of time, and lets each session ask what is due. A session asks one
 * statement at a time, in the order of the recording, by whatever connection is free; what is due while it is at another one waits. Memory does not grow with the
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
    /** Of sessions that ask: what else of theirs is due, in the order of the recording. */
    private final Map<Integer, Queue<Asking>> behind = new HashMap<>();
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
    }

    /** @param tookMicros how long it took when it was recorded */
    private record Asking(SearchRequest request, int session, long tookMicros) {}

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
                    Asking asking = new Asking(
                            request(statement, execution, due, number), execution.session(), execution.tookMicros());
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
        synchronized (behind) {
            Queue<Asking> before = behind.putIfAbsent(asking.session(), new ArrayDeque<>());
            if (before != null) {
                before.add(asking);
                return;
            }
        }
        ask(asking, asking.request().intendedStart());
    }

    /** @param freeNanos when its session was done with what it asked before */
    private void ask(@Nullable Asking first, long freeNanos) {
        Asking asking = first;
        long free = freeNanos;
        while (asking != null) {
            Asking now = asking;
            long nowFree = free;
            SearchRequest request = now.request();
            long handedOver = Math.max(request.intendedStart(), System.nanoTime());
            if (handedOver - engine.clock().endNanos() < AFTER_END_NANOS) {
                engine.workers(now.session())
                        .submit(
                                request,
                                handedOver,
                                user.log(),
                                answer -> user.guarded(() -> ask(
                                        done(now, nowFree, answer.sample()),
                                        answer.sample().end())));
                return;
            }
            Sample unasked = engine.notBegun(request);
            free = unasked.end();
            asking = done(now, nowFree, unasked);
        }
    }

    /** @return what its session asks next, if that is due */
    private @Nullable Asking done(Asking asking, long freeNanos, Sample sample) {
        recorder.ended(asking.request().search().name(), asking.tookMicros(), freeNanos, sample);
        ended();
        synchronized (behind) {
            Asking next = Objects.requireNonNull(behind.get(asking.session()), "it was asking")
                    .poll();
            if (next == null) {
                behind.remove(asking.session());
            }
            return next;
        }
    }

    /** One more has ended: the last one ends the replay, at the end of the run unless nothing more can come. */
    private void ended() {
        if (waiting.decrementAndGet() == 0) {
            engine.at(broken ? System.nanoTime() : engine.clock().endNanos(), user::proceed);
        }
    }
}
