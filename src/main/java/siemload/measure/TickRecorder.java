package siemload.measure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongUnaryOperator;
import siemload.results.Outcome;
import siemload.results.RunResult.ScheduleResult;

/**
 * Takes what becomes of the ticks of tasks that search by the clock, group by group, and counts those that were due in the
 * measured phase. How many that were is reckoned from the timetable, so that none is lost unnoticed. Thread-safe.
 */
public final class TickRecorder {
    private final RunClock clock;
    private final Map<String, Group> groups = new ConcurrentSkipListMap<>();

    TickRecorder(RunClock clock) {
        this.clock = clock;
    }

    /**
     * Makes a group known.
     *
     * @param dueBefore how many of its ticks are due before an instant of the monotonic clock
     */
    public void expect(String name, int tasks, Duration every, LongUnaryOperator dueBefore) {
        groups.put(name, new Group(clock, name, tasks, every, dueBefore, new Tally()));
    }

    /** The group with this name, which must be known. */
    public Group of(String name) {
        Group group = groups.get(name);
        if (group == null) {
            throw new IllegalArgumentException("no group of tasks is called " + name);
        }
        return group;
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
    public record Group(
            RunClock clock, String name, int tasks, Duration every, LongUnaryOperator dueBefore, Tally ticks) {

        /** Notes that a task was still at the tick before when this one was due. */
        public void missed(long dueNanos) {
            count("missed", dueNanos, 1);
        }

        /** Notes that a task has begun with a tick. */
        public void started(long dueNanos) {
            count("started", dueNanos, 1);
        }

        /** Notes that a task has crashed at a tick: nobody knows what would have become of it. */
        public void lost(long dueNanos) {
            count("started", dueNanos, -1);
        }

        private void count(String what, long dueNanos, long more) {
            if (clock.measures(dueNanos)) {
                ticks.add(what, more);
            }
        }

        /** Notes that a tick has ended, whose search was due when the tick was. */
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
}
