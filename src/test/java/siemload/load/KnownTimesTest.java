package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongUnaryOperator;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import siemload.database.SearchSession;
import siemload.database.scripted.ScriptedPlugin.Script;
import siemload.database.scripted.ScriptedPlugin.ScriptClock;
import siemload.database.scripted.ScriptedPlugin.ScriptedSession;
import siemload.measure.LatencyRecorder;
import siemload.measure.RunClock;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.results.MicrosSummary;
import siemload.results.RunResult.SearchResult;
import siemload.run.answers.AnswerSampler;
import siemload.scenario.LoadModel;
import siemload.scenario.Rate;

/**
 * Workers, recorder and histograms measure a database whose times are known, while searches arrive at a constant rate, due
 * whatever became of those before. The clock stands still while a thread works, so that nothing here depends on the
 * machine, and what is measured must be what is worked out on paper, for every percentile of every time.
 */
@Timeout(120)
class KnownTimesTest {
    private static final Duration PHASE = Duration.ofSeconds(20);
    private static final double MILLI = 1e3;
    private static final long NANOS = 1_000_000;
    /** So many that nobody ever waits for one. */
    private static final int PLENTY = 1_200;

    /**
     * Of ten seconds two are a stall. Who is due {@code x} before its end gets an answer after {@code x} + 5 ms, and who is
     * under way when it begins after 2.005 s. So the share of answers that take longer than {@code t} is (2.010 s - t) /
     * 10 s: 1 % take longer than 1.910 s, 5 % than 1.510 s, 10 % than 1.010 s. On average it is 0.0005 x 2.005 s + 0.2 x
     * 1.005 s + 0.7995 x 5 ms = 206 ms.
     */
    @Test
    void aStallIsInThePercentilesAsItIsForRealUsers() {
        SearchResult measured = measure(SearchName.TEXT, PLENTY, 500);

        assertThat(measured.count()).isEqualTo(10_000);
        assertAgrees(measured.responseTimeMicros(), 5, 206, 5, 1_010, 1_510, 1_910, 2_000, 2_005);
        assertAgrees(measured.workerWaitMicros(), 0, 0, 0, 0, 0, 0, 0, 0);
    }

    @Test
    void whoWaitsForAWorkerDuringAStallHasWaitedForTheAnswer() {
        List<QueueTheory.Visit> theory = QueueTheory.visits(arrivals(PHASE, 500), 20, KnownTimesTest::endWithStalls);

        SearchResult measured = measure(SearchName.TEXT, 20, 500);

        assertAgrees(measured.responseTimeMicros(), theory, visit -> visit.lastRow() - visit.due());
        assertAgrees(measured.serviceTimeMicros(), theory, visit -> visit.lastRow() - visit.taken());
        assertAgrees(measured.workerWaitMicros(), theory, visit -> visit.taken() - visit.due());
        assertAgrees(measured.firstEventMicros(), theory, visit -> visit.lastRow() - visit.taken());
        // Only 40 of 10,000 searches are under way in a stall: a percentile of the service time hardly sees it.
        assertThat(measured.serviceTimeMicros().p99()).isLessThan(6_000);
        assertThat(measured.responseTimeMicros().p99()).isGreaterThan(1_900_000);
    }

    /** When users of a constant rate arrive: their instants in nanoseconds from the start. */
    private static List<Long> arrivals(Duration phase, int perSecond) {
        LoadModel.Open users = new LoadModel.Open(Rate.constant(perSecond));
        return LongStream.range(0, phase.toSeconds() * perSecond)
                .map(users::dueNanos)
                .boxed()
                .toList();
    }

    private static SearchResult measure(SearchName name, int workers, int perSecond) {
        VirtualTime time = new VirtualTime(workers);
        Script script = new Script(time, Map.of());
        LatencyRecorder recorder = recorder();
        List<SearchSession> sessions = new ArrayList<>();
        Stream.generate(() -> new ScriptedSession(script, Duration.ofMinutes(10)))
                .limit(workers)
                .forEach(sessions::add);
        AnswerSampler noChecks = new AnswerSampler(0, Instant.EPOCH);
        SearchWorkers.Answering store = SearchWorkers.Answering.by(() -> sessions.get(0));
        try (SearchWorkers searchWorkers = new SearchWorkers(sessions, recorder, noChecks, time::nanos, store)) {
            for (long due : arrivals(PHASE, perSecond)) {
                time.goOnTo(due);
                time.submitted();
                SearchRequest request = request(name, due);
                searchWorkers.submit(request, answer -> time.answered());
            }
            time.goOnToTheEnd();
        }
        return recorder.results().get(0);
    }

    private static LatencyRecorder recorder() {
        return new LatencyRecorder(RunClock.startingAt(0, Duration.ZERO, PHASE));
    }

    private static SearchRequest request(SearchName name, long due) {
        Search search = new Search(name, Window.ALWAYS, List.of(), Order.NEWEST_FIRST, new Page.Numbered(100, 1));
        return new SearchRequest(search, due, 0, "");
    }

    /** When 5 ms of work end that begin at an instant, if nothing goes on from 8 s to 10 s and from 18 s to 20 s. */
    private static long endWithStalls(long taken) {
        for (long stall : List.of(8_000 * NANOS, 18_000 * NANOS)) {
            long over = stall + 2_000 * NANOS;
            if (taken >= stall && taken < over) {
                return over + 5 * NANOS;
            }
            if (taken < stall && taken + 5 * NANOS > stall) {
                return taken + 5 * NANOS + 2_000 * NANOS;
            }
        }
        return taken + 5 * NANOS;
    }

    private static void assertAgrees(
            MicrosSummary measured, List<QueueTheory.Visit> theory, ToLongFunction<QueueTheory.Visit> time) {
        assertAgrees(
                measured,
                QueueTheory.percentileMicros(theory, 0, time) / MILLI,
                QueueTheory.meanMicros(theory, time) / MILLI,
                QueueTheory.percentileMicros(theory, 50, time) / MILLI,
                QueueTheory.percentileMicros(theory, 90, time) / MILLI,
                QueueTheory.percentileMicros(theory, 95, time) / MILLI,
                QueueTheory.percentileMicros(theory, 99, time) / MILLI,
                QueueTheory.percentileMicros(theory, 99.9, time) / MILLI,
                QueueTheory.percentileMicros(theory, 100, time) / MILLI);
    }

    /** In the order of the summary, in milliseconds. */
    private static void assertAgrees(MicrosSummary measured, double... millis) {
        double[] micros = {
            measured.min(), measured.mean(), measured.p50(), measured.p90(),
            measured.p95(), measured.p99(), measured.p999(), measured.max()
        };
        String[] names = {"min", "mean", "p50", "p90", "p95", "p99", "p999", "max"};
        for (int i = 0; i < micros.length; i++) {
            assertThat(micros[i] / MILLI).as(names[i]).isCloseTo(millis[i], onePercentOf(millis[i]));
        }
    }

    private static Offset<Double> onePercentOf(double millis) {
        return within(millis / 100);
    }

    /**
     * What a queue in front of some servers does to those who wait in it, worked out without threads or clocks: who comes first
     * is served first, by the server that is free first (Kiefer and Wolfowitz 1955). Times are nanoseconds.
     */
    private static final class QueueTheory {
        private QueueTheory() {}

        /** When one was due, when a server took it, and when its rows came. */
        record Visit(long due, long taken, long lastRow) {}

        /**
         * The visits of those who come at these instants.
         *
         * @param lastRow when the last row comes of what is taken at an instant
         */
        static List<QueueTheory.Visit> visits(List<Long> arrivals, int servers, LongUnaryOperator lastRow) {
            PriorityQueue<Long> free = new PriorityQueue<>();
            for (int i = 0; i < servers; i++) {
                free.add(Long.MIN_VALUE);
            }
            List<QueueTheory.Visit> visits = new ArrayList<>();
            for (long due : arrivals) {
                long taken = Math.max(due, free.remove());
                Visit visit = new Visit(due, taken, lastRow.applyAsLong(taken));
                free.add(visit.lastRow());
                visits.add(visit);
            }
            return visits;
        }

        /** Nearest rank, in microseconds: the smallest with at least that share of all at or below it. */
        static double percentileMicros(
                List<QueueTheory.Visit> visits, double percent, ToLongFunction<QueueTheory.Visit> time) {
            long[] sorted = visits.stream().mapToLong(time).sorted().toArray();
            int rank = (int) Math.ceil(percent / 100 * sorted.length);
            return sorted[Math.max(rank, 1) - 1] / 1e3;
        }

        static double meanMicros(List<QueueTheory.Visit> visits, ToLongFunction<QueueTheory.Visit> time) {
            return visits.stream().mapToLong(time).average().orElseThrow() / 1e3;
        }
    }

    /**
     * A clock that stands still while anybody works: it goes on, from one awaited instant to the next, only when every search
     * under way waits. So whatever real threads do by it takes exactly as long as the script says, however busy the machine.
     */
    private static final class VirtualTime implements ScriptClock {
        private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
        private static final Comparator<Sleeper> EARLIEST_FIRST = Comparator.comparingLong(
                        (Sleeper sleeper) -> sleeper.until)
                .thenComparingLong(sleeper -> sleeper.number);

        private final int workers;
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition changed = lock.newCondition();
        private final PriorityQueue<Sleeper> sleepers = new PriorityQueue<>(EARLIEST_FIRST);
        private long now;
        private long slept;
        private int running;

        /** @param workers how many searches can be under way at once */
        VirtualTime(int workers) {
            this.workers = workers;
        }

        private final class Sleeper {
            private final long until;
            private final long number = slept++;
            private final Condition wake = lock.newCondition();
            private boolean awake;

            Sleeper(long until) {
                this.until = until;
            }
        }

        @Override
        public long nanos() {
            lock.lock();
            try {
                return now;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void until(long instant, BooleanSupplier givenUp) {
            lock.lock();
            try {
                if (instant - now > 0) {
                    Sleeper sleeper = new Sleeper(instant);
                    sleepers.add(sleeper);
                    changed.signal();
                    await(sleeper.wake, () -> sleeper.awake, Long.MAX_VALUE);
                }
            } finally {
                lock.unlock();
            }
        }

        /** Notes that a search is handed to the workers. */
        void submitted() {
            count(1);
        }

        /** Notes that the answer to one has come. */
        void answered() {
            count(-1);
        }

        private void count(int more) {
            lock.lock();
            try {
                running += more;
                changed.signal();
            } finally {
                lock.unlock();
            }
        }

        /** Goes on to an instant. */
        void goOnTo(long instant) {
            lock.lock();
            try {
                wakeAllUntil(instant);
                now = instant;
            } finally {
                lock.unlock();
            }
        }

        /** Goes on until nobody waits any more. */
        void goOnToTheEnd() {
            lock.lock();
            try {
                wakeAllUntil(Long.MAX_VALUE);
            } finally {
                lock.unlock();
            }
        }

        private void wakeAllUntil(long instant) {
            awaitRest();
            while (!sleepers.isEmpty() && sleepers.peek().until <= instant) {
                Sleeper next = sleepers.remove();
                now = next.until;
                next.awake = true;
                next.wake.signal();
                awaitRest();
            }
        }

        /** Until every worker that has something to do waits for the clock. */
        private void awaitRest() {
            await(changed, () -> sleepers.size() == Math.min(running, workers), PATIENCE_NANOS);
        }

        private void await(Condition condition, BooleanSupplier met, long patienceNanos) {
            try {
                long left = patienceNanos;
                while (!met.getAsBoolean()) {
                    if (left <= 0) {
                        throw new IllegalStateException(
                                "no rest: " + running + " searches under way, " + sleepers.size() + " of them wait");
                    }
                    left = condition.awaitNanos(left);
                }
            } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", closed);
            }
        }
    }
}
