package siemload.load;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import siemload.config.DaemonThread;
import siemload.dataset.SeededRandom;
import siemload.load.LoadEngine.StartedLoad;
import siemload.load.SearchRequest.SearchAnswer;
import siemload.load.SiemSimulation.GatlingAction.VirtualUser;
import siemload.measure.LatencyRecorder.ReplayRecorder;
import siemload.measure.LatencyRecorder.Sample;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.scenario.AnalystGroup;
import siemload.scenario.LoadModel;
import siemload.scenario.QueryRecording;
import siemload.scenario.QueryRecording.RecordedExecution;
import siemload.scenario.QueryRecording.RecordedQuery;

/**
 * Replays a query recording: a thread reads it a little ahead of time, and each session executes what is due. A session executes one
 * statement at a time, in the order of the recording, over any free connection; statements due meanwhile wait. Memory does not grow with
 * the recording: reading pauses while very many executions wait for the database. Thread-safe.
 */
final class ReplayPlayer {
    private static final long AHEAD_NANOS = LoadModel.Replayed.LEAD.toNanos();
    private static final long MOST_WAITING = 100_000;
    private static final long MOMENT_NANOS = Duration.ofMillis(2).toNanos();
    /** Executions due before the end of the run may begin up to this long after it; the rest is given up. */
    private static final long AFTER_END_NANOS = Duration.ofSeconds(30).toNanos();

    private final VirtualUser user;
    private final StartedLoad load;
    private final AnalystGroup group;
    private final LoadModel.Replayed replayed;
    private final long seed;
    private final ReplayRecorder recorder;
    private final long firstNanos;
    /** By session: completes, with that instant, when the last of its due executions has ended. */
    private final Map<Integer, CompletableFuture<Long>> busy = new ConcurrentHashMap<>();
    /** Executions that were read and have not ended, plus one until everything is read. */
    private final AtomicLong waiting = new AtomicLong(1);

    private volatile boolean broken;

    /**
     * A player before its start.
     *
     * @param user the only one of Gatling's, for all sessions
     * @param seed of this group
     */
    ReplayPlayer(VirtualUser user, AnalystGroup group, LoadModel.Replayed replayed, long seed) {
        this.user = user;
        this.group = group;
        this.replayed = replayed;
        this.seed = seed;
        this.load = user.load();
        this.recorder = load.recorder.replays();
        this.firstNanos = load.clock.startNanos() + AHEAD_NANOS;
    }

    /**
     * @param tookMicros its recorded duration
     * @param end when it has ended
     */
    private record Asking(SearchRequest request, int session, long tookMicros, CompletableFuture<Long> end) {}

    /** Starts the replay, and sends Gatling's user on at the end. */
    void start() {
        recorder.expect(
                String.valueOf(replayed.recording().file().getFileName()),
                replayed.speed(),
                replayed.recording().executions());
        DaemonThread.start("siemload-replay", this::play);
    }

    private void play() {
        broken = true;
        try {
            read();
            broken = false;
        } catch (IOException unreadable) {
            recorder.failed(String.valueOf(unreadable.getMessage()));
        } catch (RuntimeException crash) {
            recorder.failed(crash.toString());
            user.crashed(crash);
        }
        ended();
    }

    private void read() throws IOException {
        Set<SearchName> asked = Set.copyOf(group.searched().mix().possible());
        QueryRecording recording = replayed.recording();
        try (QueryRecording.Reader reader = QueryRecording.Reader.open(recording.file())) {
            if (!reader.recording().equals(recording)) {
                throw new IOException(recording.file() + " is not what it was when the run began");
            }
            long number = 0;
            for (Optional<RecordedExecution> next = reader.next(); next.isPresent(); next = reader.next()) {
                RecordedExecution execution = next.get();
                RecordedQuery query = recording.queries().get(execution.query());
                long due = firstNanos + replayed.dueNanos(execution.offsetMicros());
                if (load.isOverAt(due) || !awaited(due)) {
                    return;
                }
                if (asked.contains(query.statement().name())) {
                    Search search = query.statement().search(query.byName(execution.values()));
                    double draw = SeededRandom.of(seed, number).nextDouble();
                    SearchRequest request = new SearchRequest(search, due, draw);
                    Asking asking =
                            new Asking(request, execution.session(), execution.tookMicros(), new CompletableFuture<>());
                    waiting.incrementAndGet();
                    load.at(due, () -> user.guarded(() -> due(asking)));
                } else {
                    recorder.leftOut();
                }
                number++;
            }
        }
    }

    /** Waits until it is time to read on; false if the run has ended meanwhile. */
    private boolean awaited(long due) {
        while (due - System.nanoTime() > AHEAD_NANOS || waiting.get() > MOST_WAITING) {
            if (load.isOverAt(System.nanoTime())) {
                return false;
            }
            LockSupport.parkNanos(MOMENT_NANOS);
        }
        return true;
    }

    /** Called in the order of the recording. */
    private void due(Asking asking) {
        long due = asking.request().intendedStart();
        if (load.isOverAt(due)) {
            ended();
            return;
        }
        recorder.due();
        CompletableFuture<Long> before = busy.put(asking.session(), asking.end());
        var unused = (before == null ? CompletableFuture.completedFuture(due) : before)
                .thenAccept(freeNanos -> user.guarded(() -> ask(asking, freeNanos)));
    }

    /** @param freeNanos when its session had finished the statement before */
    private void ask(Asking asking, long freeNanos) {
        SearchRequest request = asking.request();
        long handedOver = Math.max(request.intendedStart(), System.nanoTime());
        if (handedOver - load.clock.endNanos() < AFTER_END_NANOS) {
            Consumer<SearchAnswer> then = answer -> user.guarded(() -> done(asking, freeNanos, answer.sample()));
            load.place(asking.session()).workers().submit(request, handedOver, user.log, then);
        } else {
            Sample unasked = request.unfinishedAt(request.intendedStart(), handedOver);
            load.recorder.started();
            load.recorder.finished(request.key(), unasked);
            // As a step of its own, since much may be waiting for it.
            load.at(handedOver, () -> user.guarded(() -> done(asking, freeNanos, unasked)));
        }
    }

    private void done(Asking asking, long freeNanos, Sample sample) {
        recorder.ended(asking.request().search().name(), asking.tookMicros(), freeNanos, sample);
        busy.remove(asking.session(), asking.end());
        asking.end().complete(sample.end());
        ended();
    }

    /** One more has ended: the last one ends the replay, at the end of the run unless nothing more can come. */
    private void ended() {
        if (waiting.decrementAndGet() == 0) {
            load.at(broken ? System.nanoTime() : load.clock.endNanos(), user::proceed);
        }
    }
}
