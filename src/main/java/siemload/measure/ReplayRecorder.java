package siemload.measure;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import siemload.query.SearchName;
import siemload.results.MicrosSummary;
import siemload.results.Outcome;
import siemload.results.ReplayResult;
import siemload.results.ReplayResult.LateStarts;
import siemload.results.ReplayResult.ReplayedStatement;

/**
 * Takes what becomes of the executions of a query recording: how long each took then and now, and who was to blame where one began
 * late. Everything that is replayed counts. Thread-safe.
 */
public final class ReplayRecorder {
    private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Map<SearchName, Tally> statements = new ConcurrentHashMap<>();
    private final Tally all = new Tally();
    private volatile Optional<Played> replayed = Optional.empty();
    private volatile String failure = "";

    ReplayRecorder() {}

    /** What is replayed. */
    private record Played(String recording, double speed, long executions) {}

    /**
     * Makes the recording known; before its first execution.
     *
     * @param executions how many it has
     */
    public void expect(String recording, double speed, long executions) {
        replayed = Optional.of(new Played(recording, speed, executions));
    }

    /** Notes that an execution is not replayed, since its statement is left out. */
    public void leftOut() {
        all.count("leftOut").increment();
    }

    /** Notes that an execution is due. */
    public void due() {
        all.count("due").increment();
    }

    /** Notes that the recording cannot be played on. */
    public void failed(String why) {
        failure = why;
    }

    /**
     * Takes an execution that has ended.
     *
     * @param thenMicros how long it took when it was recorded
     * @param freeNanos when its session had the answer to the statement before; whenever it was free before it was due is alike
     */
    public void ended(SearchName statement, long thenMicros, long freeNanos, Sample sample) {
        all.count("ended").increment();
        Tally own = statements.computeIfAbsent(statement, unused -> new Tally());
        own.times("then").recordNanos(TimeUnit.MICROSECONDS.toNanos(thenMicros));
        if (sample.outcome() == Outcome.OK) {
            own.times("now").recordNanos(sample.end() - sample.taken());
        } else {
            own.count("failed").increment();
        }
        long byDatabase = Math.max(0, freeNanos - sample.intendedStart());
        long byPlayer = sample.taken() - sample.intendedStart() - byDatabase;
        all.times("playerLateness").recordNanos(byPlayer);
        if (byDatabase > LATE_NANOS) {
            all.times("lateByDatabase").recordNanos(byDatabase);
        }
        if (byPlayer > LATE_NANOS) {
            all.times("lateByPlayer").recordNanos(byPlayer);
        }
    }

    /** How late the load generator itself was, of all that ended; empty where nothing is replayed. */
    public Optional<MicrosSummary> playerLateness() {
        return replayed.map(unused -> all.times("playerLateness").summary());
    }

    /** What run.json holds: nothing where nothing is replayed. */
    public List<ReplayResult> results() {
        return replayed
                .map(known -> new ReplayResult(
                        known.recording(),
                        known.speed(),
                        known.executions(),
                        all.count("leftOut").sum(),
                        all.count("due").sum(),
                        all.count("ended").sum(),
                        late(all.times("lateByDatabase")),
                        late(all.times("lateByPlayer")),
                        ofStatements(),
                        failure))
                .stream()
                .toList();
    }

    private static LateStarts late(MicrosHistogram times) {
        return new LateStarts(times.count(), times.summary());
    }

    private List<ReplayedStatement> ofStatements() {
        return statements.entrySet().stream()
                .map(entry -> ReplayedStatement.of(
                        entry.getKey().name(),
                        entry.getValue().times("now").count(),
                        entry.getValue().count("failed").sum(),
                        entry.getValue().times("then").summary(),
                        entry.getValue().times("now").summary()))
                .sorted(Comparator.comparingLong(ReplayedStatement::count)
                        .reversed()
                        .thenComparing(ReplayedStatement::name))
                .toList();
    }
}
