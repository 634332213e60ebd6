package siemload.measure;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import siemload.query.PageClass;
import siemload.query.SearchName;
import siemload.results.MicrosSummary;
import siemload.results.Outcome;
import siemload.results.SearchKey;
import siemload.results.SearchKind;
import siemload.results.SearchResult;
import siemload.results.SearchResult.Asked;
import siemload.results.SearchResult.FollowUpTimes;
import siemload.results.TimeMetric;

/**
 * Takes the samples of a run and keeps those of the measured phase, by {@link SearchKey}. The others are recorded alike,
 * and apart: a step that only the measured phase took would run uncompiled in its first seconds.
 *
 * <p>Samples wait in a queue until somebody takes them in, as every reader does first: to write to eight histograms from several
 * processors at once costs more than all else that is done with a sample. Thread-safe; noting a search waits for no reader.
 */
public final class LatencyRecorder {
    private final RunClock clock;
    private final StripedQueue<Finished> untaken = new StripedQueue<>();
    private final ByPhase<SearchKey, SearchStatistics> searches = new ByPhase<>(SearchStatistics::new);
    private final FollowUpRecorder followUps = new FollowUpRecorder();
    private final TickRecorder ticks;
    private final ReplicaRecorder replicas;
    private final ReplayRecorder replays = new ReplayRecorder();
    private final Tally totals = new Tally();
    private final LongAdder running = totals.count("running");
    private final LongAdder runningAtEnd = totals.count("runningAtEnd");
    private final LongAdder finished = totals.count("finished");
    private final LongAdder failed = totals.count("failed");
    private final LongAdder foundAllBusy = totals.count("foundAllBusy");
    private final MicrosHistogram interval = totals.times("responses");
    private volatile MicrosSummary lastInterval = MicrosSummary.NONE;
    private volatile Histogram lastTimes = new Histogram(3);

    public LatencyRecorder(RunClock clock) {
        this.clock = clock;
        this.ticks = new TickRecorder(clock);
        this.replicas = new ReplicaRecorder(clock);
    }

    private record Finished(SearchKey key, Asked asked, Sample sample, String message, Taker taker) {}

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

    /** As {@link RunClock#phaseIndex} has it. */
    public int phaseIndex(long intendedStart) {
        return clock.phaseIndex(intendedStart);
    }

    /** Takes a finished search that nobody else takes. */
    public void finished(SearchKey key, Asked asked, Sample sample) {
        finished(key, asked, sample, "", Taker.NOBODY);
    }

    /** Takes a finished search, and has somebody else take it, too. */
    public void finished(SearchKey key, Asked asked, Sample sample, String message, Taker taker) {
        untaken.add(new Finished(key, asked, sample, message, taker));
    }

    /**
     * Counts what was finished, puts it into the histograms, and hands it on; to be called now and then, lest it become much, or have left
     * the processor's caches.
     */
    public synchronized void takeIn() {
        untaken.drainTo(this::takeIn);
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
        searches.of(measures, search.key()).record(sample);
        followUps.record(measures, search.key().search(), search.asked(), sample);
        if (clock.isOver(sample.end()) && measures) {
            runningAtEnd.increment();
        }
        search.taker().take(search.key(), sample, search.message(), clock.phaseIndex(sample.intendedStart()));
    }

    private ByPhase<SearchKey, SearchStatistics> searches() {
        takeIn();
        return searches;
    }

    /** The searches under way now, in any phase. */
    public long running() {
        takeIn();
        return running.sum();
    }

    /** The response times of the interval that ended last, in any phase. */
    public MicrosSummary recentResponseTimes() {
        return lastInterval;
    }

    /** Ends an interval; for one caller only. @return its response times, in any phase */
    MicrosSummary endInterval() {
        lastTimes = takeInterval();
        lastInterval = MicrosSummary.of(lastTimes);
        return lastInterval;
    }

    private Histogram takeInterval() {
        takeIn();
        return interval.takeInterval();
    }

    /** The response times of the interval that ended last, in microseconds, in any phase; never changed. */
    public Histogram lastIntervalTimes() {
        return lastTimes;
    }

    /** Hands over the measured times since the last call, in microseconds; for one reader only. */
    void takeIntervals(IntervalTaker taker) {
        takeIntervals(searches().measured(), taker);
    }

    /** Hands over those that are not measured. */
    void takeWarmUpIntervals(IntervalTaker taker) {
        takeIntervals(searches().others(), taker);
    }

    private static void takeIntervals(Map<SearchKey, SearchStatistics> phase, IntervalTaker taker) {
        phase.forEach((key, one) -> one.takeIntervals((metric, times) -> taker.take(key, metric, times)));
    }

    /** Takes the times of one interval. */
    @FunctionalInterface
    interface IntervalTaker {
        void take(SearchKey key, TimeMetric metric, Histogram times);
    }

    /**
     * What was taken since the last call, for another recorder to {@link #add}; for one reader only, who does not take the
     * intervals as well. Ticks of tasks are not among it.
     */
    public RecordedSearches takeRecorded() {
        takeWarmUpIntervals((key, metric, times) -> {});
        List<RecordedSearches.OfSearch> measured = searches.measured().entrySet().stream()
                .map(one -> new RecordedSearches.OfSearch(
                        one.getKey(), one.getValue().recorded().take()))
                .toList();
        return new RecordedSearches(measured, followUps.take(), replicas.take(), totals.take());
    }

    /** Adds what another recorder has taken. */
    public void add(RecordedSearches more) {
        more.measured().forEach(one -> searches.of(true, one.key()).recorded().add(one.recorded()));
        more.followUps().forEach(followUps::add);
        replicas.add(more.replicas());
        totals.add(more.totals());
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
        return searches().measured().entrySet().stream()
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
        searches().measured().keySet().stream()
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

    /** How the searches of this name ended, in any phase. */
    public EndedSearches ended(SearchName name) {
        long answered = 0;
        long all = 0;
        long rows = 0;
        for (Map<SearchKey, SearchStatistics> phase : List.of(searches().measured(), searches.others())) {
            for (Map.Entry<SearchKey, SearchStatistics> one : phase.entrySet()) {
                if (one.getKey().search().equals(name)) {
                    answered += one.getValue().count(Outcome.OK);
                    all += one.getValue().count();
                    rows += one.getValue().rows();
                }
            }
        }
        return new EndedSearches(answered, all - answered, rows);
    }

    /**
     * How searches ended, in any phase. Immutable.
     *
     * @param answered how many were answered
     * @param failed how many were not
     * @param rows of all of them
     */
    public record EndedSearches(long answered, long failed, long rows) {}

    /** What becomes of the ticks of tasks that search by the clock. */
    public TickRecorder ticks() {
        return ticks;
    }

    /** What replicas did that answered searches, each apart. */
    public ReplicaRecorder replicas() {
        return replicas;
    }

    /** What becomes of what is replayed. */
    public ReplayRecorder replays() {
        return replays;
    }

    /** What searches took that were asked first, and those that followed one before them. */
    public List<FollowUpTimes> followUps() {
        takeIn();
        return followUps.results();
    }

    /** Everything measured of the keys chosen, merged; percentiles are those of all their samples together. */
    public SearchStatistics merged(Predicate<SearchKey> chosen) {
        SearchStatistics merged = new SearchStatistics();
        searches().measured().forEach((key, one) -> {
            if (chosen.test(key)) {
                merged.recorded().add(one.recorded());
            }
        });
        return merged;
    }

    /**
     * What is recorded by key: of the measured phase, and apart from it of the others. Both know a key from its first use on, in
     * whatever phase that is: compiled code that has never seen an unknown key is thrown away at the first one, and with it all that
     * a search goes through, so that the searches of a measured phase's first seconds would be interpreted. Thread-safe; what is
     * known is found without a lock.
     *
     * @param <K> the key
     * @param <V> what is recorded, which is thread-safe itself
     */
    private static final class ByPhase<K, V> {
        private final Map<K, V> measured = new ConcurrentHashMap<>();
        private final Map<K, V> others = new ConcurrentHashMap<>();
        private final Supplier<V> making;

        /** @param making makes an empty one */
        ByPhase(Supplier<V> making) {
            this.making = making;
        }

        /** What is recorded of this key in the measured phase, or else in the others. */
        V of(boolean inMeasured, K key) {
            V known = (inMeasured ? measured : others).get(key);
            return known != null ? known : madeKnown(inMeasured, key);
        }

        private V madeKnown(boolean inMeasured, K key) {
            V ofMeasured = measured.computeIfAbsent(key, unused -> making.get());
            V ofOthers = others.computeIfAbsent(key, unused -> making.get());
            return inMeasured ? ofMeasured : ofOthers;
        }

        /** That of the measured phase; of a key that was used in other phases alone there is an empty one. Grows while others record. */
        Map<K, V> measured() {
            return measured;
        }

        /** That of all other phases, in the same way. */
        Map<K, V> others() {
            return others;
        }
    }

    /**
     * Keeps the response times of searches that were asked first apart from those that followed one before them. What it gives is
     * of the measured phase. Thread-safe.
     */
    private static final class FollowUpRecorder {
        private final ByPhase<SearchName, Tally> bySearch = new ByPhase<>(Tally::new);

        /** Takes an answered search, or one that was given up; another page of the same search is neither first nor follow-up. */
        void record(boolean measured, SearchName search, Asked asked, Sample sample) {
            if (asked != Asked.SAME
                    && (sample.outcome() == Outcome.OK || sample.outcome().gaveUp())) {
                bySearch.of(measured, search).times(asked.name()).recordNanos(sample.responseNanos());
            }
        }

        /** What was taken since the last call; for one reader only. */
        List<RecordedSearches.OfFollowUps> take() {
            return bySearch.measured().entrySet().stream()
                    .map(entry -> new RecordedSearches.OfFollowUps(
                            entry.getKey(), entry.getValue().take()))
                    .toList();
        }

        /** Adds what another one has taken. */
        void add(RecordedSearches.OfFollowUps more) {
            bySearch.of(true, more.search()).add(more.recorded());
        }

        /** Of each search that followed another one at least once, in the order of the catalogue. */
        List<FollowUpTimes> results() {
            return bySearch.measured().entrySet().stream()
                    .filter(entry -> of(entry, Asked.FOLLOW_UP).count() > 0)
                    .sorted(Map.Entry.comparingByKey(Comparator.naturalOrder()))
                    .map(entry -> new FollowUpTimes(
                            entry.getKey().name(),
                            of(entry, Asked.FIRST).count(),
                            of(entry, Asked.FIRST).summary(),
                            of(entry, Asked.FOLLOW_UP).count(),
                            of(entry, Asked.FOLLOW_UP).summary()))
                    .toList();
        }

        private static MicrosHistogram of(Map.Entry<SearchName, Tally> entry, Asked asked) {
            return entry.getValue().times(asked.name());
        }
    }
}
