package siemload.database.scripted;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;
import siemload.config.Durations;
import siemload.database.Counters;
import siemload.database.Provision;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.SearchSession.RowReader.DetachedRow;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Target;
import siemload.database.Target.InProcessTarget;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.EmbeddedServer.EmbeddedOptions;
import siemload.database.Variant;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Summary;

/** A target that answers after the times of a {@link Script}; it stores only the ids of fed events. Stateless and thread-safe. */
public final class ScriptedPlugin implements TargetPlugin {
    @Override
    public Optional<String> refusal(Variant variant, Provision provision, Map<String, String> parameters) {
        return Script.refusal(parameters);
    }

    @Override
    public EmbeddedServer startEmbedded(EmbeddedOptions options) {
        return () -> new ServerAddress("scripted:", "", "");
    }

    @Override
    public Target connect(ServerAddress address, Target.TargetOptions options) {
        return new ScriptedTarget(options.searchTimeout(), options.parameters());
    }

    /** A target that accepts any data set and keeps none of the events. */
    private record ScriptedTarget(Duration searchTimeout, Map<String, String> parameters) implements InProcessTarget {

        @Override
        public SortedMap<String, String> settings() {
            return new TreeMap<>(parameters);
        }

        @Override
        public boolean holds(DatasetKey key) {
            return false;
        }

        @Override
        public void load(DatasetKey key, Consumer<Store.BulkLoad> events, Consumer<String> step) {
            events.accept(InProcessTarget.load(batch -> 0));
        }

        @Override
        public Store copy(DatasetKey key, String runId) {
            Script script = new Script(ScriptClock.REAL, parameters);
            return new ScriptedStore(script, searchTimeout, key.events(), ConcurrentHashMap.newKeySet());
        }

        /** Makes a new store: each process starts its own script, with its own data. */
        @Override
        public Store join(DatasetKey key, String name) {
            return copy(key, name);
        }

        @Override
        public void close() {}
    }

    /**
     * The timing of all sessions of one run. The script records the intended durations of answers by search: an answer that takes longer
     * was delayed by the machine. Thread-safe.
     *
     * <p>Without parameters nothing is random, so the correct results of a measurement can be calculated. HAWAT1 returns one row after 20
     * ms, or after 120 ms in three of ten searches. HAWAT3 returns eleven rows: the first after 100 ms, then one each millisecond. All
     * other searches return one row after 5 ms. TEXT also stalls, with its running searches, for two of every ten seconds: the last two.
     *
     * <p>Parameters of the run change the speed, so that two variants differ by a known amount:
     *
     * <ul>
     *   <li>{@code delay=500us} or {@code delay=10%}: how much longer each answer takes; 0 unless given.
     *   <li>{@code median=5ms}: answers take times from a log-normal distribution with this median instead of the times above; each run
     *       draws the same times in the same order.
     *   <li>{@code sigma=0.4}: the standard deviation of the logarithm of these times, 0 to 2.
     *   <li>{@code seed=1}: the seed from which these times are drawn.
     *   <li>{@code workers=8}: how many searches the server executes at once, while others queue; unlimited unless given.
     * </ul>
     */
    public static final class Script implements Counters {
        private static final long MILLI = 1_000_000;
        private static final long CONSTANT_NANOS = 5 * MILLI;
        private static final long PERIOD_NANOS = 10_000 * MILLI;
        private static final long STALL_NANOS = 2_000 * MILLI;
        private static final String TIME = "\\d{1,9}(?:\\.\\d{1,6})?(?:us|ms|s)";
        private static final Map<String, String> KNOWN = Map.of(
                "delay", TIME + "|\\d{1,9}(?:\\.\\d{1,6})?%",
                "median", TIME,
                "sigma", "[01](?:\\.\\d{1,6})?|2(?:\\.0{1,6})?",
                "workers", "[1-9]\\d{0,3}",
                "seed", "\\d{1,18}");
        /** An odd factor, near the golden ratio, by which neighbouring numbers lead to very different seeds. */
        private static final long STEP = 0x9E37_79B9_7F4A_7C15L;

        private final ScriptClock waiting;
        private final long originNanos;
        /** The median of random times; 0 for fixed times. */
        private final long medianNanos;

        private final double sigma;
        private final long seed;
        /** Converts the time of an answer without the delay to the time with the delay, in nanoseconds. */
        private final LongUnaryOperator delayed;
        /** The number of workers; 0 for no limit. */
        private final int workers;
        /** The instants at which the workers become free. */
        private final PriorityQueue<Long> places = new PriorityQueue<>();

        private final Map<SearchName, AtomicLong> asked = new ConcurrentHashMap<>();
        private final Map<String, StatementTime> answered = new ConcurrentHashMap<>();

        /**
         * Creates a script that begins now on this clock.
         *
         * @param parameters that {@link #refusal} has accepted
         */
        public Script(ScriptClock waiting, Map<String, String> parameters) {
            this.waiting = waiting;
            this.originNanos = waiting.nanos();
            this.medianNanos = nanos(parameters.getOrDefault("median", "0s"));
            this.sigma = Double.parseDouble(parameters.getOrDefault("sigma", "0.4"));
            this.seed = Long.parseLong(parameters.getOrDefault("seed", "1"));
            String delay = parameters.getOrDefault("delay", "0s");
            if (delay.endsWith("%")) {
                double ratio = 1 + Double.parseDouble(delay.replace("%", "")) / 100;
                this.delayed = answer -> Math.round(answer * ratio);
            } else {
                long more = nanos(delay);
                this.delayed = answer -> answer + more;
            }
            this.workers = Integer.parseInt(parameters.getOrDefault("workers", "0"));
            places.addAll(Collections.nCopies(workers, originNanos));
        }

        private static long nanos(String time) {
            return Durations.parse(time).orElseThrow().toNanos();
        }

        /** Returns why a script does not accept these parameters; empty if it does. */
        static Optional<String> refusal(Map<String, String> parameters) {
            return parameters.entrySet().stream()
                    .filter(parameter -> !parameter.getValue().matches(KNOWN.getOrDefault(parameter.getKey(), "(?!)")))
                    .findFirst()
                    .map(wrong -> "'" + wrong.getKey() + "=" + wrong.getValue()
                            + "' is not understood (allowed: delay=500us or delay=10%, median=5ms, sigma=0.4 from 0 to 2,"
                            + " seed=1, workers=8 from 1 to 9999)");
        }

        /**
         * Returns the timing of the next answer to such a search. Searches queue for a worker, first come, first served; a search that
         * would get no worker before its deadline leaves the queue, and a search that times out frees its worker. This method never waits:
         * all durations are known from the start.
         *
         * @param deadlineNanos the instant at which the caller gives up
         */
        AnswerSchedule next(SearchName search, long calledNanos, long deadlineNanos) {
            if (workers == 0) {
                return next(search, calledNanos);
            }
            synchronized (places) {
                long first = places.remove();
                long start = first - calledNanos > 0 ? first : calledNanos;
                AnswerSchedule schedule = next(search, start);
                boolean served = deadlineNanos - start > 0;
                places.add(served ? Math.min(schedule.lastRowNanos(), deadlineNanos) : first);
                return schedule;
            }
        }

        /** Returns the timing of an answer for which a worker is free at once. */
        AnswerSchedule next(SearchName search, long calledNanos) {
            long number =
                    asked.computeIfAbsent(search, unused -> new AtomicLong()).getAndIncrement();
            AnswerSchedule answering = medianNanos > 0
                    ? AnswerSchedule.of(calledNanos, drawn(search, number))
                    : withoutChance(search, calledNanos, number);
            return new AnswerSchedule(
                    calledNanos + delayed.applyAsLong(answering.firstRowNanos() - calledNanos),
                    calledNanos + delayed.applyAsLong(answering.lastRowNanos() - calledNanos),
                    answering.rows());
        }

        private AnswerSchedule withoutChance(SearchName search, long called, long number) {
            if (search.equals(SearchName.HAWAT1)) {
                return AnswerSchedule.of(called, (number % 10 < 7 ? 20 : 120) * MILLI);
            } else if (search.equals(SearchName.HAWAT3)) {
                return new AnswerSchedule(called + 100 * MILLI, called + 110 * MILLI, 11);
            }
            long intoPeriod = Math.floorMod(called - originNanos, PERIOD_NANOS);
            long stallAfter = PERIOD_NANOS - STALL_NANOS - intoPeriod;
            boolean stalls = search.equals(SearchName.TEXT) && stallAfter < CONSTANT_NANOS;
            long stalled = stallAfter >= 0 ? STALL_NANOS : PERIOD_NANOS - intoPeriod;
            return AnswerSchedule.of(called, CONSTANT_NANOS + (stalls ? stalled : 0));
        }

        long drawn(SearchName search, long number) {
            long stream = seed * STEP + search.name().hashCode();
            double normal = new SplittableRandom((stream * STEP + number) * STEP).nextGaussian();
            return Math.round(medianNanos * Math.exp(sigma * normal));
        }

        /** Records an answer and its intended duration. */
        void answered(SearchName search, long nanos) {
            answered.merge(search.name(), new StatementTime(1, 0, nanos), StatementTime::plus);
        }

        @Override
        public CounterReading read() {
            return CounterReading.NONE.with(answered);
        }

        @Override
        public StatementSource statements() {
            return StatementSource.of("the script", "the intended durations of the answers");
        }

        @Override
        public List<String> gaps() {
            return List.of();
        }
    }

    /** The clock of the answers. Thread-safe. */
    public interface ScriptClock {
        /** The machine's own clock. */
        ScriptClock REAL = new ScriptClock() {
            /** A parked thread wakes up some tens of microseconds late, so the rest is spent in a busy loop. */
            private static final long AWAKE_NANOS = 80_000;

            @Override
            public long nanos() {
                return System.nanoTime();
            }

            @Override
            public void until(long instant, BooleanSupplier givenUp) {
                for (long left = instant - nanos(); left > 0 && !givenUp.getAsBoolean(); left = instant - nanos()) {
                    if (left > AWAKE_NANOS) {
                        LockSupport.parkNanos(left - AWAKE_NANOS);
                    } else {
                        Thread.onSpinWait();
                    }
                }
            }
        };

        /** Nanoseconds of a monotonic clock. */
        long nanos();

        /** Waits until this instant, unless a cancellation unparks the thread earlier. */
        void until(long instant, BooleanSupplier givenUp);
    }

    /** Passes on rows at the times of the script. Every row is the same, and its content has no meaning. */
    public static final class ScriptedSession implements SearchSession {
        /** The row is an event, since simulated users search for values of the rows that they see. */
        private static final RowReader.Row ROW = new DetachedRow(
                "scripted",
                Instant.EPOCH,
                "{\"Format\":\"IDEA0\",\"ID\":\"scripted\",\"DetectTime\":\"1970-01-01T00:00:00Z\",\"Category\":[\"Other\"]}"
                        .getBytes(StandardCharsets.UTF_8));

        private final Script script;
        private final Duration timeout;
        private volatile @Nullable Thread searching;
        private volatile boolean cancelled;

        public ScriptedSession(Script script, Duration timeout) {
            this.script = script;
            this.timeout = timeout;
        }

        @Override
        public long search(Search search, RowReader rows) {
            long called = script.waiting.nanos();
            AnswerSchedule answer = script.next(search.name(), called, called + timeout.toNanos());
            for (int row = 0; row < answer.rows(); row++) {
                long after = (answer.lastRowNanos() - answer.firstRowNanos()) * row / Math.max(1, answer.rows() - 1);
                await(called, answer.firstRowNanos() + after);
                rows.row(ROW);
            }
            script.answered(search.name(), answer.lastRowNanos() - called);
            return answer.rows();
        }

        @Override
        public long count(Search search) {
            return search(search, row -> {});
        }

        @Override
        public List<Summary.Line> summarize(Search search, Summary summary) {
            long unused = count(search);
            return List.of();
        }

        @Override
        public Plan explain(Search search) {
            return new Plan("answers come at the times of the script", "txt", List.of(), false);
        }

        @Override
        public Optional<String> statement(Search search, PageClass page) {
            return Optional.of(search.name().name());
        }

        private void await(long called, long instant) {
            cancelled = false;
            searching = Thread.currentThread();
            long deadline = called + timeout.toNanos();
            script.waiting.until(Math.min(instant, deadline), () -> cancelled);
            searching = null;
            if (cancelled) {
                throw new SearchException(SearchException.Kind.CANCELLED, "", "the search was cancelled");
            }
            if (instant - deadline > 0) {
                throw new SearchException(
                        SearchException.Kind.TIMEOUT, "", "the search took longer than " + timeout.toMillis() + " ms");
            }
        }

        @Override
        public void cancel() {
            cancelled = true;
            LockSupport.unpark(searching);
        }

        @Override
        public void close() {}
    }

    /** One run's script, and the ids that were fed to it. */
    private record ScriptedStore(Script script, Duration searchTimeout, long loaded, Set<String> fed) implements Store {
        @Override
        public SearchSession openSession() {
            return new ScriptedSession(script, searchTimeout);
        }

        @Override
        public EventSink openSink() {
            return InProcessTarget.sink(batch -> batch.forEach(event -> fed.add(event.id())));
        }

        @Override
        public Optional<Counters> openCounters() {
            return Optional.of(script);
        }

        @Override
        public String nameToJoin() {
            return "script";
        }

        @Override
        public long events() {
            return loaded + fed.size();
        }

        @Override
        public Presence presenceOf(Collection<String> ids) {
            return new Presence(ids.stream().distinct().filter(fed::contains).count(), 0);
        }

        @Override
        public void close() {}
    }

    /**
     * The times of the rows of one answer, evenly spaced between the first and the last, on a monotonic clock. Immutable.
     *
     * @param rows 1 or more
     */
    record AnswerSchedule(long firstRowNanos, long lastRowNanos, int rows) {

        static AnswerSchedule of(long calledNanos, long nanos) {
            return new AnswerSchedule(calledNanos + nanos, calledNanos + nanos, 1);
        }
    }
}
