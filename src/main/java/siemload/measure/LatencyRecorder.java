package siemload.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import siemload.measure.Tally.MicrosHistogram;
import siemload.measure.Tally.Recorded;
import siemload.measure.Tally.SearchStatistics;
import siemload.query.PageClass;
import siemload.query.SearchName;
import siemload.results.MicrosSummary;
import siemload.results.Outcome;
import siemload.results.ReplayResult;
import siemload.results.ReplayResult.LateStarts;
import siemload.results.ReplayResult.ReplayedStatement;
import siemload.results.RunResult.ReplicaResult;
import siemload.results.RunResult.ScheduleResult;
import siemload.results.RunResult.SearchResult;
import siemload.results.SearchKey;
import siemload.results.SearchKey.SearchKind;
import siemload.scenario.Rate;

/**
 * Records the samples of a run by {@link SearchKey}. Samples outside of the measured phase are recorded by the same code, but separately:
 * code used only in the measured phase would run uncompiled in its first seconds.
 *
 * <p>Samples wait in queues until they are taken into the statistics, which every reader does first. Writing to eight histograms from
 * several processors at once would cost more than everything else. Thread-safe; recording a search never waits for a reader.
 */
public final class LatencyRecorder {
    /** A power of two. */
    private static final int STRIPES = 16;

    static final String ALL = "all";
    static final String FEEDER = "feeder";
    private static final String RESPONSES = "responses";

    private final RunClock clock;
    /**
     * Each thread adds samples to one of these queues, like to a cell of a {@link LongAdder}: processors that write to the same memory wait
     * for each other. A queue is locked only while one sample is added or all are taken out; the samples of a thread stay in order.
     */
    private final List<List<Finished>> untaken =
            Stream.<List<Finished>>generate(ArrayList::new).limit(STRIPES).toList();

    /** The statistics of the measured phase, and of the other phases; see {@link RunClock#phaseIndex}. */
    private final List<Map<SearchKey, SearchStatistics>> phases =
            List.of(new ConcurrentHashMap<>(), new ConcurrentHashMap<>());

    /** The tallies of all searches, of replicas and of the feeder. */
    private final Map<String, Tally> tallies = new ConcurrentHashMap<>();

    private final Map<String, TickRecorder> ticks = new ConcurrentSkipListMap<>();
    private final FeederRecorder feeder;
    private final List<ReplicaRecorder> replicas = new CopyOnWriteArrayList<>();
    private final ReplayRecorder replays = new ReplayRecorder();
    private final Tally totals = tally(ALL);
    private final LongAdder running = totals.count("running");
    private final LongAdder runningAtEnd = totals.count("runningAtEnd");
    private final LongAdder finished = totals.count("finished");
    private final LongAdder failed = totals.count("failed");
    private final MicrosHistogram interval = totals.times(RESPONSES);
    private volatile RecordedSearches last = new RecordedSearches(List.of(), Map.of());
    private volatile double lastSeconds = 1;
    /** Computed once: a histogram has only one iterator for its mean, so two threads cannot read the mean at once. */
    private volatile MicrosSummary lastSummary = MicrosSummary.NONE;

    /** Creates a recorder for searches without a feeder. */
    public LatencyRecorder(RunClock clock) {
        this(clock, Rate.NONE);
    }

    /** @param rate the rate at which events are due, from the start of the clock on */
    public LatencyRecorder(RunClock clock, Rate rate) {
        this.clock = clock;
        this.feeder = new FeederRecorder(clock, rate, tally(FEEDER));
    }

    private Tally tally(String name) {
        return tallies.computeIfAbsent(name, unused -> new Tally());
    }

    public FeederRecorder feeder() {
        return feeder;
    }

    private record Finished(SearchKey key, Sample sample, String message, Taker taker) {}

    /** Receives each finished search, one after the other, when the search is added to the statistics. */
    @FunctionalInterface
    public interface Taker {
        Taker NOBODY = (key, sample, message, phase) -> {};

        /**
         * Takes a finished search.
         *
         * @param message the server's message about a failure; empty otherwise
         * @param phase as in {@link RunClock#phaseIndex}
         */
        void take(SearchKey key, Sample sample, String message, int phase);
    }

    /** Notes that a search was submitted; {@link #finished} must follow. */
    public void started() {
        running.increment();
    }

    /** Notes that a search, due at this instant, was submitted while all workers were busy. */
    public void foundAllBusy(long intendedStart) {
        if (clock.measures(intendedStart)) {
            totals.add("foundAllBusy", 1);
        }
    }

    /** Returns how many measured searches were submitted while all workers were busy. */
    public long foundAllBusy() {
        return totals.sum("foundAllBusy");
    }

    public void finished(SearchKey key, Sample sample) {
        finished(key, sample, "", Taker.NOBODY);
    }

    /** Records a finished search and passes it on to a taker. */
    public void finished(SearchKey key, Sample sample, String message, Taker taker) {
        List<Finished> own = untaken.get((int) Thread.currentThread().getId() & (STRIPES - 1));
        synchronized (own) {
            own.add(new Finished(key, sample, message, taker));
        }
    }

    /**
     * Counts finished searches, adds them to the histograms, and passes them on; to be called regularly, before the waiting searches are
     * many or have left the processor's caches.
     */
    public synchronized void takeIn() {
        for (List<Finished> some : untaken) {
            List<Finished> taken;
            synchronized (some) {
                taken = List.copyOf(some);
                some.clear();
            }
            taken.forEach(this::takeIn);
        }
    }

    private void takeIn(Finished search) {
        Sample sample = search.sample();
        running.decrement();
        finished.increment();
        failed.add(sample.outcome() == Outcome.OK ? 0 : 1);
        interval.recordNanos(sample.responseNanos());
        int phase = clock.phaseIndex(sample.intendedStart());
        of(phase, search.key()).record(sample);
        if (clock.isOver(sample.end()) && phase == 0) {
            runningAtEnd.increment();
        }
        search.taker().take(search.key(), sample, search.message(), phase);
    }

    /**
     * The statistics of this key in a phase. All phases know a key from its first use in any phase. Otherwise, the first new key of a
     * phase would make Java discard compiled code, and searches would run interpreted.
     */
    private SearchStatistics of(int phase, SearchKey key) {
        SearchStatistics known = phases.get(phase).get(key);
        if (known == null) {
            phases.forEach(one -> one.computeIfAbsent(key, unused -> new SearchStatistics()));
            return of(phase, key);
        }
        return known;
    }

    private Map<SearchKey, SearchStatistics> measured() {
        takeIn();
        return phases.get(0);
    }

    /** The number of searches running now, in any phase. */
    public long running() {
        takeIn();
        return running.sum();
    }

    /** The response times of the last interval, in any phase. */
    public MicrosSummary recentResponseTimes() {
        return lastSummary;
    }

    /** Returns the records of the interval that ended last. */
    public RecordedSearches recent() {
        return last;
    }

    /** The length of the last interval in seconds. */
    public double recentSeconds() {
        return lastSeconds;
    }

    /**
     * The records since some instant, for another recorder to {@link #add}.
     *
     * @param measured the records of the measured phase, by key
     * @param others records by name: of all phases, except for counts that say otherwise; of the measured phase again, by replica; and of
     *     the feeder
     */
    public record RecordedSearches(List<OfSearch> measured, Map<String, Recorded> others) {
        public RecordedSearches {
            measured = List.copyOf(measured);
            others = Map.copyOf(others);
        }

        public record OfSearch(SearchKey key, Recorded recorded) {}

        /** Returns how many searches ended among these records, in any phase. */
        public long finished() {
            return of(ALL).count("finished");
        }

        /** Returns the response times of all searches, in any phase, in microseconds; nobody changes the histogram. */
        Histogram responseTimes() {
            return of(ALL).times().getOrDefault(RESPONSES, new Histogram(3));
        }

        /** Returns how many events were acknowledged among these records. */
        public long acknowledged() {
            return of(FEEDER).count("acknowledged");
        }

        Recorded of(String name) {
            return others.getOrDefault(name, Recorded.NONE);
        }
    }

    /** Ends an interval of this many seconds. */
    RecordedSearches takeRecorded(double seconds) {
        lastSeconds = seconds;
        return takeRecorded();
    }

    /** Takes the times of unmeasured searches since the last call. */
    Stream<Histogram> takeUnmeasured() {
        return phases.get(1).values().stream().flatMap(one -> one.take().times().values().stream());
    }

    /** Ends an interval and returns the records since the last call, without ticks of tasks. For one caller only. */
    public RecordedSearches takeRecorded() {
        List<RecordedSearches.OfSearch> taken = new ArrayList<>();
        measured().forEach((key, one) -> taken.add(new RecordedSearches.OfSearch(key, one.take())));
        Map<String, Recorded> named = new HashMap<>();
        tallies.forEach((name, one) -> named.put(name, one.take()));
        RecordedSearches recorded = new RecordedSearches(taken, named);
        last = recorded;
        lastSummary = MicrosSummary.of(recorded.responseTimes());
        return recorded;
    }

    public void add(RecordedSearches more) {
        more.measured().forEach(one -> of(0, one.key()).add(one.recorded()));
        more.others().forEach((name, one) -> tally(name).add(one));
    }

    /** Returns how many searches have failed so far, in any phase. */
    public long failedSoFar() {
        takeIn();
        return failed.sum();
    }

    /**
     * Returns how many measured searches were still running at the end of the measured phase. The results contain these searches with their
     * full times, or as unfinished with the time until the run gave up waiting.
     */
    public long inFlightAtEnd() {
        long now = running();
        return runningAtEnd.sum() + now;
    }

    /** The searches for run.json, in the order of the catalogue. */
    public List<SearchResult> results() {
        return measured().entrySet().stream()
                .filter(entry -> entry.getValue().count() > 0)
                .sorted(Map.Entry.comparingByKey(Comparator.naturalOrder()))
                .map(entry -> entry.getValue().result(entry.getKey().kind()))
                .toList();
    }

    /**
     * Returns the totals of each search over all pages and orders, then of all searches, and of all exact counts. An exact count is not a
     * page, and is in no other total.
     */
    public List<SearchResult> totals() {
        Map<SearchKind, Predicate<SearchKey>> totals = new LinkedHashMap<>();
        Predicate<SearchKey> isPage = key -> key.page() != PageClass.COUNT;
        measured().keySet().stream()
                .filter(isPage)
                .map(SearchKey::search)
                .sorted()
                .distinct()
                .forEach(name -> totals.put(
                        new SearchKind(name.name(), "", ""),
                        isPage.and(key -> key.search().equals(name))));
        totals.put(SearchKind.ALL, isPage);
        totals.put(SearchKind.COUNTS, isPage.negate());
        return totals.entrySet().stream()
                .map(total -> merged(total.getValue()).result(total.getKey()))
                .filter(total -> total.count() > 0)
                .toList();
    }

    /** All statistics of the searches of this name, in any phase. */
    public SearchStatistics ofAllPhases(SearchName name) {
        SearchStatistics all = merged(key -> key.search().equals(name));
        phases.get(1).forEach((key, one) -> {
            if (key.search().equals(name)) {
                all.add(one);
            }
        });
        return all;
    }

    /**
     * Registers a group of tasks that search on a schedule.
     *
     * @param dueBefore how many of the group's ticks are due before an instant of the monotonic clock
     */
    public void expectTicks(String group, int tasks, Duration every, LongUnaryOperator dueBefore) {
        ticks.put(group, new TickRecorder(clock, group, tasks, every, dueBefore, new Tally()));
    }

    /** The recorder for the ticks of a registered group. */
    public TickRecorder ticks(String group) {
        return Objects.requireNonNull(ticks.get(group), group);
    }

    /**
     * Returns the results of all groups of tasks for run.json, sorted by name.
     *
     * @param endNanos when the load ended, which may be before the end of the measured phase
     */
    public List<ScheduleResult> ticks(long endNanos) {
        return ticks.values().stream().map(group -> group.result(endNanos)).toList();
    }

    /** Registers the replicas, in their order; to be called before the first search. */
    public void expectReplicas(List<String> urls) {
        for (String url : urls) {
            int number = replicas.size() + 1;
            replicas.add(new ReplicaRecorder(clock, number, url, tally("replica " + number)));
        }
    }

    /** Returns the recorder of each replica. */
    public List<ReplicaRecorder> replicas() {
        return replicas;
    }

    /** The recorder for executions of replays. */
    public ReplayRecorder replays() {
        return replays;
    }

    /** Merges all statistics of the chosen keys; percentiles are those of all their samples together. */
    public SearchStatistics merged(Predicate<SearchKey> chosen) {
        SearchStatistics merged = new SearchStatistics();
        measured().forEach((key, one) -> {
            if (chosen.test(key)) {
                merged.add(one);
            }
        });
        return merged;
    }

    /**
     * One finished search. All instants are nanoseconds of one monotonic clock ({@link System#nanoTime}). Immutable.
     *
     * @param intendedStart when the user was due to press Search
     * @param handedOver when the load generator had reached the search: from then on the user waited for a worker or the database
     * @param taken when a worker took the search
     * @param firstEvent when the first row had arrived; equal to {@code end} if no row came
     * @param end when the last row was read, or the search failed
     * @param rows the rows read
     * @param bytes the bytes of the events read, without the overhead of the wire protocol
     * @param outcome how the search ended
     * @param code the SQLSTATE or vendor code of a failure; empty otherwise
     */
    public record Sample(
            long intendedStart,
            long handedOver,
            long taken,
            long firstEvent,
            long end,
            long rows,
            long bytes,
            Outcome outcome,
            String code) {

        /** Returns the time from the intended start to the last row, in nanoseconds. */
        public long responseNanos() {
            return end - intendedStart;
        }
    }

    /**
     * Records again the searches of the measured phase that one replica answered, and how far the replica was behind. Thread-safe.
     *
     * @param number the number of the replica, from 1
     */
    public record ReplicaRecorder(RunClock clock, int number, String url, Tally recorded) {
        /** Takes a search that has ended in any phase; records the search only if it was due in the measured phase. */
        public void finished(Sample sample) {
            if (clock.measures(sample.intendedStart())) {
                recorded.add("searches", 1);
                recorded.add("failed", sample.outcome() == Outcome.OK ? 0 : 1);
                if (sample.outcome() == Outcome.OK || sample.outcome().gaveUp()) {
                    recorded.times("responses").recordNanos(sample.responseNanos());
                }
            }
        }

        /** Takes the replica's lag at any moment; records the lag only if the moment is in the measured phase. */
        public void behind(long nowNanos, long lagNanos) {
            if (clock.measures(nowNanos)) {
                recorded.times("lags").recordNanos(lagNanos);
            }
        }

        /** The replica's entry in run.json. */
        public ReplicaResult result() {
            return new ReplicaResult(
                    number,
                    url,
                    recorded.sum("searches"),
                    recorded.sum("failed"),
                    recorded.times("responses").summary(),
                    recorded.times("lags").summary());
        }
    }

    /**
     * Records the outcome of the ticks of a group of tasks that search on a schedule, and counts those that were due in the measured phase.
     * The number of due ticks is calculated from the schedule, so that no tick is lost unnoticed. Thread-safe.
     */
    public record TickRecorder(
            RunClock clock, String name, int tasks, Duration every, LongUnaryOperator dueBefore, Tally ticks) {

        /** Notes that a tick was missed: its task was still busy with the previous tick when this tick was due. */
        public void missed(long dueNanos) {
            count("missed", dueNanos, 1);
        }

        public void started(long dueNanos) {
            count("started", dueNanos, 1);
        }

        private void count(String what, long dueNanos, long more) {
            if (clock.measures(dueNanos)) {
                ticks.add(what, more);
            }
        }

        /** Notes that a tick has ended; its search was due at the same instant as the tick. */
        public void done(Sample sample) {
            long due = sample.intendedStart();
            count("run", due, 1);
            count("failed", due, sample.outcome() == Outcome.OK ? 0 : 1);
            if (clock.measures(due)) {
                ticks.times("lateness").recordNanos(sample.taken() - due);
                ticks.times("responseTime").recordNanos(sample.responseNanos());
            }
        }

        private ScheduleResult result(long endNanos) {
            long until = clock.isOver(endNanos) ? clock.endNanos() : endNanos;
            return new ScheduleResult(
                    name,
                    tasks,
                    every.toNanos() / 1e9,
                    Math.max(0, dueBefore.applyAsLong(until) - dueBefore.applyAsLong(clock.measureNanos())),
                    ticks.sum("run"),
                    ticks.sum("failed"),
                    ticks.sum("missed"),
                    ticks.sum("started") - ticks.sum("run"),
                    ticks.times("lateness").summary(),
                    ticks.times("responseTime").summary());
        }
    }

    /**
     * Records the executions of a replayed query recording: their former and their new durations, and the causes of late starts. All
     * replayed executions are recorded, in any phase. Thread-safe.
     */
    public static final class ReplayRecorder {
        private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

        private final Map<SearchName, Tally> statements = new ConcurrentHashMap<>();
        private final Tally all = new Tally();
        private volatile Optional<Played> replayed = Optional.empty();
        private volatile String failure = "";

        ReplayRecorder() {}

        private record Played(String recording, double speed, long executions) {}

        /**
         * Registers a query recording; to be called before its first execution.
         *
         * @param executions how many executions the recording has
         */
        public void expect(String recording, double speed, long executions) {
            replayed = Optional.of(new Played(recording, speed, executions));
        }

        /** Notes that an execution is not replayed, since its statement is left out. */
        public void leftOut() {
            all.count("leftOut").increment();
        }

        public void due() {
            all.count("due").increment();
        }

        /** Notes that the rest of the recording cannot be replayed. */
        public void failed(String why) {
            failure = why;
        }

        /**
         * Records an execution that has ended.
         *
         * @param thenMicros the duration in the recording, in microseconds
         * @param freeNanos when the session had the answer to its previous statement; all instants up to the due time mean the same
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

        /** Returns the lateness of the load generator itself, over all executions that ended; empty without a replay. */
        public Optional<MicrosSummary> playerLateness() {
            return replayed.map(unused -> all.times("playerLateness").summary());
        }

        /** Returns the replay's part of run.json; empty without a replay. */
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
}
