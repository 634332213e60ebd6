package siemload.measure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import siemload.measure.Tally.Recorded;
import siemload.query.PageClass;
import siemload.query.SearchName;
import siemload.results.MicrosSummary;
import siemload.results.Outcome;
import siemload.results.SearchKey;
import siemload.results.SearchKind;
import siemload.results.SearchResult;
import siemload.results.TimeMetric;
import siemload.scenario.rate.Rate;

/**
 * Takes the samples of a run and keeps those of the measured phase, by {@link SearchKey}. The others are recorded alike,
 * and apart: a step that only the measured phase took would run uncompiled in its first seconds.
 *
 * <p>Samples wait in a queue until somebody takes them in, as every reader does first: to write to eight histograms from several
 * processors at once costs more than all else that is done with a sample. Thread-safe; noting a search waits for no reader.
 */
public final class LatencyRecorder {
    /** A power of two. */
    private static final int STRIPES = 16;

    private final RunClock clock;
    /**
     * Each thread adds to one of these, as a {@link LongAdder} has several cells: processors that write to one place of memory by turns wait
     * for it each time. Each is locked only while one thing is added or all are taken out; what one thread adds stays in order.
     */
    private final List<List<Finished>> untaken =
            Stream.<List<Finished>>generate(ArrayList::new).limit(STRIPES).toList();

    private final Map<SearchKey, SearchStatistics> measured = new ConcurrentHashMap<>();
    private final Map<SearchKey, SearchStatistics> others = new ConcurrentHashMap<>();
    /** Of all searches, of replicas, and of the feeder. */
    private final Map<String, Tally> tallies = new ConcurrentHashMap<>();

    private final TickRecorder ticks;
    private final FeederRecorder feeder;
    private final List<ReplicaRecorder> replicas = new CopyOnWriteArrayList<>();
    private final ReplayRecorder replays = new ReplayRecorder();
    private final Tally totals = tally("all");
    private final LongAdder running = totals.count("running");
    private final LongAdder runningAtEnd = totals.count("runningAtEnd");
    private final LongAdder finished = totals.count("finished");
    private final LongAdder failed = totals.count("failed");
    private final LongAdder foundAllBusy = totals.count("foundAllBusy");
    private final MicrosHistogram interval = totals.times("responses");
    private volatile Histogram lastTimes = new Histogram(3);

    /** Of searches beside which nothing is fed. */
    public LatencyRecorder(RunClock clock) {
        this(clock, Rate.NONE);
    }

    /** @param rate of events that are due, from the start of the clock on */
    public LatencyRecorder(RunClock clock, Rate rate) {
        this.clock = clock;
        this.ticks = new TickRecorder(clock);
        this.feeder = new FeederRecorder(clock, rate, tally("feeder"));
    }

    private Tally tally(String name) {
        return tallies.computeIfAbsent(name, unused -> new Tally());
    }

    /** What a feeder does beside the searches. */
    public FeederRecorder feeder() {
        return feeder;
    }

    private record Finished(SearchKey key, Sample sample, String message, Taker taker) {}

    /** Takes a finished search beside the statistics, when that is taken in: one after the other. */
    @FunctionalInterface
    public interface Taker {
        Taker NOBODY = (key, sample, message, phase) -> {};

        /**
         * Takes it.
         *
         * @param message the server's words about a failure; empty otherwise
         * @param phase as {@link RunClock#phaseIndex} has it
         */
        void take(SearchKey key, Sample sample, String message, int phase);
    }

    /** Notes that a search was sent off; {@link #finished} must follow. */
    public void started() {
        running.increment();
    }

    /** Notes that a search due at this instant was sent off while all workers were busy. */
    public void foundAllBusy(long intendedStart) {
        if (clock.measures(intendedStart)) {
            foundAllBusy.increment();
        }
    }

    /** The measured searches that were sent off while all workers were busy. */
    public long foundAllBusy() {
        return foundAllBusy.sum();
    }

    /** Takes a finished search that nobody else takes. */
    public void finished(SearchKey key, Sample sample) {
        finished(key, sample, "", Taker.NOBODY);
    }

    /** Takes a finished search, and has somebody else take it, too. */
    public void finished(SearchKey key, Sample sample, String message, Taker taker) {
        List<Finished> own = untaken.get((int) Thread.currentThread().getId() & (STRIPES - 1));
        synchronized (own) {
            own.add(new Finished(key, sample, message, taker));
        }
    }

    /**
     * Counts what was finished, puts it into the histograms, and hands it on; to be called now and then, lest it become much, or have left
     * the processor's caches.
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
        if (sample.outcome() != Outcome.OK) {
            failed.increment();
        }
        interval.recordNanos(sample.responseNanos());
        boolean measures = clock.measures(sample.intendedStart());
        of(measures, search.key()).record(sample);
        if (clock.isOver(sample.end()) && measures) {
            runningAtEnd.increment();
        }
        search.taker().take(search.key(), sample, search.message(), clock.phaseIndex(sample.intendedStart()));
    }

    /**
     * What is recorded of this key in the measured phase, or else in the others. Both know a key from its first use on, in whatever phase that
     * is: compiled code that has never seen an unknown key is thrown away at the first one, and with it all that a search goes through,
     * so that the searches of a measured phase's first seconds would be interpreted. What is known is found without a lock.
     */
    private SearchStatistics of(boolean inMeasured, SearchKey key) {
        SearchStatistics known = (inMeasured ? measured : others).get(key);
        if (known != null) {
            return known;
        }
        SearchStatistics ofMeasured = measured.computeIfAbsent(key, unused -> new SearchStatistics());
        SearchStatistics ofOthers = others.computeIfAbsent(key, unused -> new SearchStatistics());
        return inMeasured ? ofMeasured : ofOthers;
    }

    /** Those of the measured phase; of a key that was used in other phases alone there are empty ones. */
    private Map<SearchKey, SearchStatistics> measured() {
        takeIn();
        return measured;
    }

    /** The searches under way now, in any phase. */
    public long running() {
        takeIn();
        return running.sum();
    }

    /** The response times of the interval that ended last, in any phase. */
    public MicrosSummary recentResponseTimes() {
        return MicrosSummary.of(lastTimes);
    }

    /** Ends an interval; for one caller only. @return its response times, in any phase */
    MicrosSummary endInterval() {
        takeIn();
        lastTimes = interval.takeInterval();
        return recentResponseTimes();
    }

    /** The response times of the interval that ended last, in microseconds, in any phase; never changed. */
    public Histogram lastIntervalTimes() {
        return lastTimes;
    }

    /** Hands over the times since the last call, in microseconds, and apart those that are not measured; for one reader only. */
    void takeIntervals(IntervalTaker ofMeasured, IntervalTaker ofOthers) {
        measured().forEach((key, one) -> one.takeIntervals((metric, times) -> ofMeasured.take(key, metric, times)));
        others.forEach((key, one) -> one.takeIntervals((metric, times) -> ofOthers.take(key, metric, times)));
    }

    /** Takes the times of one interval. */
    @FunctionalInterface
    interface IntervalTaker {
        void take(SearchKey key, TimeMetric metric, Histogram times);
    }

    /**
     * What a recorder has taken since an instant, for another one to {@link #add}.
     *
     * @param measured those of the measured phase, by what is measured apart
     * @param others by name: those of all phases, unless they say otherwise, those of the measured phase once more by the replica
     *     that answered them, and what a feeder did
     */
    public record RecordedSearches(List<OfSearch> measured, Map<String, Recorded> others) {
        public RecordedSearches {
            measured = List.copyOf(measured);
            others = Map.copyOf(others);
        }

        /** Those with one key. */
        public record OfSearch(SearchKey key, Recorded recorded) {}
    }

    /**
     * What was taken since the last call; for one reader only, who does not take the intervals as well. Ticks of tasks are not among it.
     */
    public RecordedSearches takeRecorded() {
        takeIn();
        others.values().forEach(one -> one.takeIntervals((metric, times) -> {}));
        List<RecordedSearches.OfSearch> taken = new ArrayList<>();
        measured.forEach((key, one) -> taken.add(new RecordedSearches.OfSearch(key, one.take())));
        Map<String, Recorded> named = new HashMap<>();
        tallies.forEach((name, one) -> named.put(name, one.take()));
        return new RecordedSearches(taken, named);
    }

    /** Adds what another recorder has taken. */
    public void add(RecordedSearches more) {
        more.measured().forEach(one -> of(true, one.key()).add(one.recorded()));
        more.others().forEach((name, one) -> tally(name).add(one));
    }

    /** The searches finished so far, in any phase. */
    public long finishedSoFar() {
        takeIn();
        return finished.sum();
    }

    /** Those of {@link #finishedSoFar} that failed. */
    public long failedSoFar() {
        takeIn();
        return failed.sum();
    }

    /**
     * Measured searches that were still running when the measured phase ended. They were let finish and are among the
     * results with their full times, or as unfinished with the time until the run gave up waiting.
     */
    public long inFlightAtEnd() {
        long now = running();
        return runningAtEnd.sum() + now;
    }

    /** What run.json holds, in the order of the catalogue. */
    public List<SearchResult> results() {
        return measured().entrySet().stream()
                .filter(entry -> entry.getValue().count() > 0)
                .sorted(Map.Entry.comparingByKey(Comparator.naturalOrder()))
                .map(entry -> entry.getValue().result(entry.getKey().kind()))
                .toList();
    }

    /**
     * Of each search all pages and orders together, then of all searches and of all exact counts; an exact count is no page, and
     * in no other total.
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
                        SearchKind.allPages(name.name()),
                        isPage.and(key -> key.search().equals(name))));
        totals.put(SearchKind.ALL, isPage);
        totals.put(SearchKind.COUNTS, isPage.negate());
        return totals.entrySet().stream()
                .map(total -> merged(total.getValue()).result(total.getKey()))
                .filter(total -> total.count() > 0)
                .toList();
    }

    /** Everything of the searches of this name, in any phase. */
    public SearchStatistics ofAllPhases(SearchName name) {
        SearchStatistics all = merged(key -> key.search().equals(name));
        others.forEach((key, one) -> {
            if (key.search().equals(name)) {
                all.add(one);
            }
        });
        return all;
    }

    /** What becomes of the ticks of tasks that search by the clock. */
    public TickRecorder ticks() {
        return ticks;
    }

    /** Makes replicas known that answer searches, in their order; before the first search. */
    public void expectReplicas(List<String> urls) {
        for (String url : urls) {
            int number = replicas.size() + 1;
            replicas.add(new ReplicaRecorder(clock, number, url, tally("replica " + number)));
        }
    }

    /** What each of them did. */
    public List<ReplicaRecorder> replicas() {
        return replicas;
    }

    /** What becomes of what is replayed. */
    public ReplayRecorder replays() {
        return replays;
    }

    /** Everything measured of the keys chosen, merged; percentiles are those of all their samples together. */
    public SearchStatistics merged(Predicate<SearchKey> chosen) {
        SearchStatistics merged = new SearchStatistics();
        measured().forEach((key, one) -> {
            if (chosen.test(key)) {
                merged.add(one);
            }
        });
        return merged;
    }
}
