package siemload.database.scripted;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
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
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import siemload.config.Durations;
import siemload.database.Abilities;
import siemload.database.Counters;
import siemload.database.Counters.CounterReading;
import siemload.database.Counters.SessionState;
import siemload.database.Counters.StatementSource;
import siemload.database.Counters.StatementTime;
import siemload.database.EmbeddedServer;
import siemload.database.EmbeddedServer.EmbeddedOptions;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.Plan;
import siemload.database.Provision;
import siemload.database.SearchException;
import siemload.database.SearchException.Kind;
import siemload.database.SearchSession;
import siemload.database.SearchSession.RowReader;
import siemload.database.SearchSession.RowReader.DetachedRow;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Store.EventSink;
import siemload.database.Store.PreparedEvents;
import siemload.database.Target;
import siemload.database.Target.DatasetLoad;
import siemload.database.Target.InProcessTarget;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.Offer;
import siemload.database.TargetPlugin.Product;
import siemload.database.Variant;
import siemload.event.SecurityEvent;
import siemload.query.Field;
import siemload.query.PageClass;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Summary;

/** Answers by the clock, see {@link Behaviour}; it stores nothing but the ids of fed events. Stateless and thread-safe. */
public final class ScriptedPlugin implements TargetPlugin {
    private static final int BYTES_ON_DISK = 0;

    @Override
    public Product product() {
        return Product.inProcess(
                "scripted",
                "scripted",
                "answers by the clock, to test siemload itself (not a database)",
                Offer.TRENDS,
                Offer.SHARED_STORES);
    }

    @Override
    public Abilities abilities() {
        return new Abilities(
                List.of("by-search"),
                List.of(Partitions.NONE),
                List.of(IndexSet.NONE),
                List.of(Hint.NONE),
                List.of(Paging.OFFSET),
                List.of(Provision.EMBEDDED),
                BYTES_ON_DISK);
    }

    @Override
    public Optional<String> refusal(Variant variant, Provision provision, Map<String, String> parameters) {
        return Script.refusal(parameters);
    }

    @Override
    public EmbeddedServer startEmbedded(EmbeddedOptions options) {
        return EmbeddedServer.inProcess("scripted:");
    }

    @Override
    public Target connect(ServerAddress address, TargetOptions options) {
        return new ScriptedTarget(options.searchTimeout(), options.parameters());
    }

    /** Takes any data set and keeps none of it. */
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
        public DatasetLoad load(DatasetKey key) {
            return new DatasetLoad() {
                @Override
                public PreparedEvents prepare(List<SecurityEvent> events) {
                    return new PreparedEvents(events, prepared -> {});
                }

                @Override
                public long store() {
                    return 0;
                }

                @Override
                public void finish(Consumer<String> step) {}

                @Override
                public void close() {}
            };
        }

        @Override
        public Store copy(DatasetKey key, String runId) {
            return new ScriptedStore(new Script(ScriptClock.REAL, parameters), searchTimeout, key.events());
        }

        /** The script begins anew in each process: what it stores is the process's own. */
        @Override
        public Store join(DatasetKey key, String name) {
            return copy(key, name);
        }

        @Override
        public void close() {}
    }

    /** How long an answer takes, without chance: what a load test must measure can be worked out on paper. */
    private enum Behaviour {
        /** One row after 5 ms. */
        CONSTANT,
        /** One row: seven of ten answers after 20 ms, three of ten after 120 ms. */
        MIX,
        /** Eleven rows: the first after 100 ms, then one each millisecond. */
        SLOW_FIRST_ROW,
        /** As constant, but that for the last two of every ten seconds nothing goes on: what is under way has to wait. */
        STALL;

        private static final long MILLI = 1_000_000;
        private static final long CONSTANT_NANOS = 5 * MILLI;
        private static final int ROWS = 11;
        private static final long PERIOD_NANOS = 10_000 * MILLI;
        private static final long STALL_NANOS = 2_000 * MILLI;
        private static final Map<SearchName, Behaviour> OF_SEARCHES =
                Map.of(SearchName.HAWAT1, MIX, SearchName.HAWAT3, SLOW_FIRST_ROW, SearchName.TEXT, STALL);

        /**
         * How one answer goes.
         *
         * @param called when it was asked for, on a monotonic clock
         * @param number how many answers of this behaviour were asked for before, 0 or more
         * @param origin when the first period of ten seconds began, on the same clock
         */
        AnswerSchedule answering(long called, long number, long origin) {
            return switch (this) {
                case CONSTANT -> AnswerSchedule.of(called, CONSTANT_NANOS);
                case MIX -> AnswerSchedule.of(called, (number % 10 < 7 ? 20 : 120) * MILLI);
                case SLOW_FIRST_ROW ->
                    new AnswerSchedule(called + 100 * MILLI, called + (100 + ROWS - 1) * MILLI, ROWS);
                case STALL -> AnswerSchedule.of(called, stalled(Math.floorMod(called - origin, PERIOD_NANOS)));
            };
        }

        private static long stalled(long intoPeriod) {
            long stallAfter = PERIOD_NANOS - STALL_NANOS - intoPeriod;
            if (stallAfter >= CONSTANT_NANOS) {
                return CONSTANT_NANOS;
            }
            return CONSTANT_NANOS + (stallAfter >= 0 ? STALL_NANOS : PERIOD_NANOS - intoPeriod);
        }

        /** The behaviour that a search shows. */
        static Behaviour of(SearchName search) {
            return OF_SEARCHES.getOrDefault(search, CONSTANT);
        }
    }

    /**
     * What all sessions of one run follow. It counts how long answers were to take, by search: where one comes later than that, the machine
     * woke its thread up late. With so many places it counts the searches that it works on, and those that wait for one, too. Thread-safe,
     * but for reading its counters.
     *
     * <p>The parameters of the run say how fast it goes, so that two variants differ by exactly what is known:
     *
     * <ul>
     *   <li>{@code delay=500us} or {@code delay=10%}: how much longer each answer takes; 0 unless given.
     *   <li>{@code median=5ms}: answers take times drawn from a log-normal distribution with this median in place of those of
     *       {@link Behaviour}; the same ones in the same order in each run.
     *   <li>{@code sigma=0.4}: the standard deviation of their logarithm, 0 to 2.
     *   <li>{@code seed=1}: what they are drawn from.
     *   <li>{@code workers=8}: how many searches the server works on at once, others wait there for one of them to end; all of
     *       them unless given.
     * </ul>
     */
    public static final class Script implements Counters {
        private static final String TIME = "\\d{1,9}(?:\\.\\d{1,6})?(?:us|ms|s)";
        private static final Map<String, String> KNOWN = Map.of(
                "delay", TIME + "|\\d{1,9}(?:\\.\\d{1,6})?%",
                "median", TIME,
                "sigma", "[01](?:\\.\\d{1,6})?|2(?:\\.0{1,6})?",
                "workers", "[1-9]\\d{0,3}",
                "seed", "\\d{1,18}");
        /** Odd, near the golden ratio: neighbouring numbers lead to seeds far apart. */
        private static final long STEP = 0x9E37_79B9_7F4A_7C15L;

        private final ScriptClock waiting;
        private final long originNanos;
        /** 0 for the times of {@link Behaviour}. */
        private final long medianNanos;

        private final double sigma;
        private final long seed;
        /** How much longer an answer takes, as a part of its time. */
        private final double delayRatio;

        private final long delayNanos;
        private final Optional<ScriptPlaces> places;
        private final Map<Object, AtomicLong> asked = new ConcurrentHashMap<>();
        private final Map<String, StatementTime> answered = new ConcurrentHashMap<>();
        private final Map<String, Long> sessions = new HashMap<>();

        /**
         * A script that begins now, by this clock.
         *
         * @param parameters are not refused
         */
        public Script(ScriptClock waiting, Map<String, String> parameters) {
            this.waiting = waiting;
            this.originNanos = waiting.nanos();
            this.medianNanos = nanos(parameters.getOrDefault("median", "0s"));
            this.sigma = Double.parseDouble(parameters.getOrDefault("sigma", "0.4"));
            this.seed = Long.parseLong(parameters.getOrDefault("seed", "1"));
            String delay = parameters.getOrDefault("delay", "0s");
            boolean relative = delay.endsWith("%");
            this.delayRatio = relative ? Double.parseDouble(delay.substring(0, delay.length() - 1)) / 100 : 0;
            this.delayNanos = relative ? 0 : nanos(delay);
            this.places = Optional.ofNullable(parameters.get("workers"))
                    .map(workers -> new ScriptPlaces(Integer.parseInt(workers), originNanos));
        }

        private static long nanos(String time) {
            return Durations.parse(time).orElseThrow().toNanos();
        }

        /** Why these are no parameters of a script; empty if they are. */
        static Optional<String> refusal(Map<String, String> parameters) {
            return parameters.entrySet().stream()
                    .filter(parameter -> !parameter.getValue().matches(KNOWN.getOrDefault(parameter.getKey(), "(?!)")))
                    .findFirst()
                    .map(wrong -> "'" + wrong.getKey() + "=" + wrong.getValue()
                            + "' is not understood (allowed: delay=500us or delay=10%, median=5ms, sigma=0.4 from 0 to 2,"
                            + " seed=1, workers=8 from 1 to 9999)");
        }

        /**
         * How the next answer to such a search goes.
         *
         * @param deadlineNanos when whoever asks for it gives up
         */
        AnswerSchedule next(SearchName search, long calledNanos, long deadlineNanos) {
            return places.map(limited -> limited.answer(calledNanos, deadlineNanos, start -> next(search, start)))
                    .orElseGet(() -> next(search, calledNanos));
        }

        /** How it goes where there is a place for it at once. */
        AnswerSchedule next(SearchName search, long calledNanos) {
            Behaviour behaviour = Behaviour.of(search);
            boolean isDrawn = medianNanos > 0;
            long number = asked.computeIfAbsent(isDrawn ? search : behaviour, unused -> new AtomicLong())
                    .getAndIncrement();
            AnswerSchedule answering = isDrawn
                    ? AnswerSchedule.of(calledNanos, drawn(search, number))
                    : behaviour.answering(calledNanos, number, originNanos);
            return new AnswerSchedule(
                    calledNanos + delayed(answering.firstRowNanos() - calledNanos),
                    calledNanos + delayed(answering.lastRowNanos() - calledNanos),
                    answering.rows());
        }

        /** The time of one answer without the delay. */
        long drawn(SearchName search, long number) {
            long stream = seed * STEP + search.name().hashCode();
            double normal = new SplittableRandom((stream * STEP + number) * STEP).nextGaussian();
            return Math.round(medianNanos * Math.exp(sigma * normal));
        }

        private long delayed(long nanos) {
            return Math.round(nanos * (1 + delayRatio)) + delayNanos;
        }

        /** Counts an answer that has come, and how long it was to take. */
        void answered(SearchName search, long nanos) {
            answered.merge(search.name(), new StatementTime(1, 0, nanos), StatementTime::plus);
        }

        @Override
        public CounterReading read() {
            places.ifPresent(limited -> SessionState.add(limited.at(waiting.nanos()), sessions));
            return new CounterReading(List.of(), List.of(), sessions).with(answered);
        }

        @Override
        public StatementSource statements() {
            return StatementSource.of("the script", "how long the answers were to take");
        }

        @Override
        public List<String> gaps() {
            return List.of();
        }
    }

    /** The clock that answers come by. Thread-safe. */
    public interface ScriptClock {
        /** The machine's own clock. */
        ScriptClock REAL = new ScriptClock() {
            /** A parked thread wakes up some tens of microseconds late, so the last stretch is spent awake. */
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

        /** Returns at this instant and not before, unless somebody gave up and unparked the thread. */
        void until(long instant, BooleanSupplier givenUp);
    }

    /**
     * The places of a server that works on so many searches at once; others wait for one, first come, first served. A search that
     * would get none before it is given up leaves the queue, and one that is given up leaves its place. Thread-safe.
     *
     * <p>Nothing waits in here: how long each answer takes is known from the start, and so is when its place is free again.
     */
    static final class ScriptPlaces {
        /** Those that have ended are forgotten now and then, also where nobody asks. */
        private static final int MOST_VISITS = 20_000;

        private final PriorityQueue<Long> free = new PriorityQueue<>();
        private final List<Visit> visits = new ArrayList<>();

        /** @param places how many, at least 1 */
        ScriptPlaces(int places, long nowNanos) {
            for (int i = 0; i < places; i++) {
                free.add(nowNanos);
            }
        }

        /** From when to when a search is there, and when it got its place. */
        private record Visit(long calledNanos, long startNanos, long endNanos) {}

        /**
         * When the rows of an answer come.
         *
         * @param calledNanos when it was asked for
         * @param deadlineNanos when whoever asked gives up
         * @param work how the answer goes from when there is a place for it
         */
        synchronized AnswerSchedule answer(long calledNanos, long deadlineNanos, LongFunction<AnswerSchedule> work) {
            long first = free.remove();
            long start = first - calledNanos > 0 ? first : calledNanos;
            AnswerSchedule schedule = work.apply(start);
            boolean served = deadlineNanos - start > 0;
            long end = Math.min(schedule.lastRowNanos(), deadlineNanos);
            free.add(served ? end : first);
            if (visits.size() >= MOST_VISITS) {
                visits.removeIf(visit -> calledNanos - visit.endNanos() >= 0);
            }
            visits.add(new Visit(calledNanos, start, end));
            return schedule;
        }

        /** How many searches are being worked on, and how many wait, by the names of their states. */
        synchronized Map<String, Long> at(long nanos) {
            long working = 0;
            long waiting = 0;
            for (Iterator<Visit> each = visits.iterator(); each.hasNext(); ) {
                Visit visit = each.next();
                if (nanos - visit.endNanos() >= 0) {
                    each.remove();
                } else if (nanos - visit.startNanos() >= 0) {
                    working++;
                } else {
                    waiting++;
                }
            }
            return Map.of("running", working, "queue", waiting);
        }
    }

    /** Hands over rows at the instants of the script. Every row is the same one and answers nothing. */
    public static final class ScriptedSession implements SearchSession {
        /** An event, since users read the rows that they see to search for something in them. */
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
                await(called, answer.rowNanos(row));
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

        /** Takes as long as the script says, and stores nothing. */
        @Override
        public void store(Search search, Summary.Hours summary, String trend) {
            long unused = count(search);
        }

        @Override
        public Plan explain(Search search) {
            String text = "answers come by the clock: " + Behaviour.of(search.name());
            return new Plan(text, Plan.Format.TEXT, List.of(), false, false, Optional.empty());
        }

        @Override
        public Plan explain(Search search, Summary summary) {
            return explain(search);
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
                throw new SearchException(Kind.CANCELLED, "", "the search was cancelled");
            }
            if (instant - deadline > 0) {
                throw new SearchException(
                        Kind.TIMEOUT, "", "the search took longer than " + timeout.toMillis() + " ms");
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
    private static final class ScriptedStore implements Store {
        private final Script script;
        private final Duration searchTimeout;
        private final long loaded;
        private final Set<String> fed = ConcurrentHashMap.newKeySet();

        ScriptedStore(Script script, Duration searchTimeout, long loaded) {
            this.script = script;
            this.searchTimeout = searchTimeout;
            this.loaded = loaded;
        }

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
        public void createTrends() {}

        /** As empty as all other answers. */
        @Override
        public List<Summary.Line> trendLines(String trend, Field field) {
            return List.of();
        }

        @Override
        public void close() {}
    }

    /**
     * When the rows of one answer come: evenly between the first and the last. Instants are of a monotonic clock. Immutable.
     *
     * @param rows 1 or more
     */
    record AnswerSchedule(long firstRowNanos, long lastRowNanos, int rows) {

        /** One row after this time. */
        static AnswerSchedule of(long calledNanos, long nanos) {
            return new AnswerSchedule(calledNanos + nanos, calledNanos + nanos, 1);
        }

        /** When a row comes; 0 is the first. */
        long rowNanos(int row) {
            return rows == 1 ? firstRowNanos : firstRowNanos + (lastRowNanos - firstRowNanos) * row / (rows - 1);
        }
    }
}
