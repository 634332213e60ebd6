package siemload.measure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import siemload.results.Outcome;
import siemload.results.RunResult.ScheduleResult;

/**
 * Takes what becomes of the ticks of tasks that search by the clock, group by group, and counts those that were due in the
 * measured phase. How many that were is reckoned from the timetable, so that none is lost unnoticed. Thread-safe.
 */
public final class TickRecorder {
    private static final String MISSED = "missed";

    private final RunClock clock;
    private final Map<String, Group> groups = new ConcurrentSkipListMap<>();
    private final Queue<Tick> ended = new ConcurrentLinkedQueue<>();

    TickRecorder(RunClock clock) {
        this.clock = clock;
    }

    /**
     * A tick that has ended, or was missed.
     *
     * @param dueNanos when it was due, on the monotonic clock
     * @param outcome the label of an {@link Outcome}, or {@code missed}
     * @param latenessMicros 0 where it was missed; so are the others
     */
    record Tick(
            String group,
            int task,
            long dueNanos,
            String outcome,
            long latenessMicros,
            long responseMicros,
            long rows) {}

    /**
     * Makes a group known.
     *
     * @param dueBefore how many of its ticks are due before an instant of the monotonic clock
     */
    public void expect(String name, int tasks, Duration every, LongUnaryOperator dueBefore) {
        groups.put(name, new Group(name, tasks, every, dueBefore));
    }

    /** The group with this name, which must be known. */
    public Group of(String name) {
        Group group = groups.get(name);
        if (group == null) {
            throw new IllegalArgumentException("no group of tasks is called " + name);
        }
        return group;
    }

    /** Whether nothing is done by the clock. */
    boolean isEmpty() {
        return groups.isEmpty();
    }

    /** Hands over the ticks that have ended since the last call, in any phase; for one reader only. */
    void take(Consumer<Tick> taker) {
        for (Tick tick = ended.poll(); tick != null; tick = ended.poll()) {
            taker.accept(tick);
        }
    }

    /**
     * What run.json holds, sorted by name.
     *
     * @param endNanos when the load ended, which may be before the end of the measured phase
     */
    public List<ScheduleResult> results(long endNanos) {
        return groups.values().stream().map(group -> group.result(endNanos)).toList();
    }

    /** The ticks of one group. */
    public final class Group {
        private final String name;
        private final int tasks;
        private final Duration every;
        private final LongUnaryOperator dueBefore;
        private final Tally ticks = new Tally();

        private Group(String name, int tasks, Duration every, LongUnaryOperator dueBefore) {
            this.name = name;
            this.tasks = tasks;
            this.every = every;
            this.dueBefore = dueBefore;
        }

        /** Notes that a task was still at the tick before when this one was due. */
        public void missed(int task, long dueNanos) {
            if (clock.measures(dueNanos)) {
                ticks.count(MISSED).increment();
            }
            ended.add(new Tick(name, task, dueNanos, MISSED, 0, 0, 0));
        }

        /** Notes that a task has begun with a tick. */
        public void started(long dueNanos) {
            if (clock.measures(dueNanos)) {
                ticks.count("started").increment();
            }
        }

        /** Notes that a task has crashed at a tick: nobody knows what would have become of it. */
        public void lost(long dueNanos) {
            if (clock.measures(dueNanos)) {
                ticks.count("started").decrement();
            }
        }

        /**
         * Notes that a tick has ended.
         *
         * @param first its first search, which was due when the tick was
         * @param last its last one, which may be the same
         */
        public void done(int task, Sample first, Sample last) {
            long responseNanos = last.end() - first.intendedStart();
            long latenessNanos = first.taken() - first.intendedStart();
            if (clock.measures(first.intendedStart())) {
                ticks.count("run").increment();
                if (last.outcome() != Outcome.OK) {
                    ticks.count("failed").increment();
                }
                ticks.times("lateness").recordNanos(latenessNanos);
                ticks.times("responseTime").recordNanos(responseNanos);
            }
            ended.add(new Tick(
                    name,
                    task,
                    first.intendedStart(),
                    last.outcome().label(),
                    latenessNanos / 1000,
                    responseNanos / 1000,
                    first.rows()));
        }

        private ScheduleResult result(long endNanos) {
            long until = clock.isOver(endNanos) ? clock.endNanos() : endNanos;
            return new ScheduleResult(
                    name,
                    tasks,
                    every.toNanos() / 1e9,
                    new ScheduleResult.TickCounts(
                            Math.max(0, dueBefore.applyAsLong(until) - dueBefore.applyAsLong(clock.measureNanos())),
                            ticks.count("run").sum(),
                            ticks.count("failed").sum(),
                            ticks.count(MISSED).sum(),
                            ticks.count("started").sum() - ticks.count("run").sum()),
                    ticks.times("lateness").summary(),
                    ticks.times("responseTime").summary());
        }
    }
}
