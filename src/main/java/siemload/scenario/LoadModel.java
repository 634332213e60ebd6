package siemload.scenario;

import static siemload.config.YamlRecords.Misfit.require;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import siemload.config.ValueType;
import siemload.config.YamlRecords.By;
import siemload.config.YamlRecords.Key;

/** The source of searches: users, a schedule, or a log. Immutable. */
@By(
        value = "load",
        standard = "closed",
        of = {LoadModel.Closed.class, LoadModel.Open.class, LoadModel.Scheduled.class})
public sealed interface LoadModel {

    /** The highest default number of workers for arriving users and replayed sessions, only a few of which are busy at a time. */
    int MOST_WORKERS = 64;

    /** Returns the default number of workers. */
    default int defaultWorkers() {
        if (this instanceof Scheduled tasks) {
            return tasks.spread == Scheduled.Spread.TOGETHER ? tasks.tasks : Math.min(tasks.tasks, 20);
        } else if (this instanceof Replayed replayed) {
            return Math.min(replayed.recording.openAtOnce(), MOST_WORKERS);
        }
        return this instanceof Closed closed ? closed.users : MOST_WORKERS;
    }

    /**
     * Divides a total in proportion to some numbers, by largest remainders. The parts are in the order of the numbers, each at least 1.
     *
     * @param written the given numbers, at least one, each 1 or more
     * @throws IllegalArgumentException if there are more numbers than the total
     */
    static List<Integer> spread(int total, List<Integer> written) {
        String few = total + " is too small for " + written.size() + " groups (allowed: one or more for each group)";
        ValueType.require(total >= written.size(), few);
        long sum = written.stream().mapToLong(Integer::longValue).sum();
        List<Integer> spread = new ArrayList<>();
        written.forEach(users -> spread.add((int) ((long) total * users / sum)));
        int left = total - spread.stream().mapToInt(Integer::intValue).sum();
        IntStream.range(0, written.size())
                .boxed()
                .sorted(Comparator.comparing(group -> -((long) total * written.get(group) % sum)))
                .limit(left)
                .forEach(group -> spread.set(group, spread.get(group) + 1));
        for (int empty = spread.indexOf(0); empty >= 0; empty = spread.indexOf(0)) {
            int largest = spread.indexOf(Collections.max(spread));
            spread.set(largest, spread.get(largest) - 1);
            spread.set(empty, 1);
        }
        return spread;
    }

    /** A fixed number of users, 1 or more, who each wait for an answer before they continue. */
    record Closed(@Key(allowed = "1 to 100000") int users) implements LoadModel {
        static List<Closed> shares(int total, Map<String, Closed> written) {
            return spread(total, written.values().stream().map(Closed::users).toList()).stream()
                    .map(Closed::new)
                    .toList();
        }
    }

    /**
     * Users who arrive, however long answers take, do one investigation each, and leave.
     *
     * @param arrivals how many users arrive per second; above 0 at some time
     */
    record Open(@Key(allowed = "arrivals") Rate arrivals) implements LoadModel {
        public Open {
            require(!arrivals.isNone(), "arrivals", "no user ever arrives (allowed: a rate above 0)");
        }

        /**
         * Returns when a user arrives, counted from 0, in nanoseconds from the start of the warm-up. User 0 arrives as soon as the rate is
         * above 0; users with negative numbers came before the start.
         */
        public long dueNanos(long user) {
            return arrivals.nanosOf(Double.MIN_VALUE + user);
        }

        /** Returns how many users arrive before an instant, in nanoseconds from the start of the warm-up. */
        public long dueBefore(long nanos) {
            return Math.max(0, (long) Math.ceil(arrivals.dueUntil(nanos / 1e9) - Double.MIN_VALUE));
        }

        static List<Open> shares(double total, Map<String, Open> written) {
            written.forEach((group, one) -> {
                String changing = "users of group " + group + " arrive at a rate that changes with time, "
                        + one.arrivals + " (write a constant rate, for example 2/s)";
                ValueType.require(one.arrivals.isConstant(), changing);
            });
            double factor = total
                    / written.values().stream()
                            .mapToDouble(one -> one.arrivals.mean(0, 1))
                            .sum();
            return written.values().stream()
                    .map(one -> new Open(Rate.constant(one.arrivals.mean(0, 1) * factor)))
                    .toList();
        }
    }

    /**
     * Scheduled tasks: reports, detection rules, polled views. Each task has a tick in every period, however long answers take. A tick that
     * comes while the task is still busy with its previous tick is missed, since schedulers do not run a task twice at once.
     *
     * @param tasks how many tasks; with 0, the group is left out
     * @param every the period, above 0
     * @param offset when the first tick of the first task is due, from the start of the warm-up; 0 or more
     * @param criteria whether a task's search is the same each time
     */
    record Scheduled(
            @Key(allowed = "0 to 100000") int tasks,
            @Key(allowed = "1ms to 30d") Duration every,
            @Key(allowed = "0s to 1d", standard = "0s") Duration offset,
            @Key(standard = "together") Spread spread,
            @Key(standard = "fixed") Criteria criteria)
            implements LoadModel {
        /** How tasks are spread over their period. */
        public enum Spread {
            /** All tasks are due at the same instants. */
            TOGETHER,
            /** Tasks are due at equal intervals within the period. */
            EVEN
        }

        /** The searches of a task. */
        public enum Criteria {
            /** The same search at each tick, over a window that ends at the tick. */
            FIXED,
            /** A search drawn anew for each tick. */
            DRAWN
        }

        /** Returns when a tick of a task is due, both counted from 0, in nanoseconds from the start of the warm-up. */
        public long dueNanos(int task, long tick) {
            return Math.addExact(firstNanos(task), Math.multiplyExact(tick, every.toNanos()));
        }

        /** Returns how many ticks of all tasks are due before an instant, in nanoseconds from the start of the warm-up. */
        public long dueBefore(long nanos) {
            long due = 0;
            for (int task = 0; task < tasks; task++) {
                due += Math.max(0, -Math.floorDiv(firstNanos(task) - nanos, every.toNanos()));
            }
            return due;
        }

        private long firstNanos(int task) {
            long within = spread == Spread.EVEN ? (long) ((double) every.toNanos() * task / tasks) : 0;
            return offset.toNanos() + within;
        }
    }

    /**
     * The statements of recorded sessions are executed again, at the recorded intervals divided by the speed. A session executes one
     * statement at a time: a statement that is due while an earlier one is running waits for its end.
     *
     * @param speed as a multiple of the recorded speed, above 0
     */
    record Replayed(QueryRecording recording, double speed) implements LoadModel {
        /** The time before the first statement, in which the recording is read ahead. */
        public static final Duration LEAD = Duration.ofSeconds(1);

        private static final Duration SHORTEST = Duration.ofSeconds(1);

        /** Returns when an execution with this recorded start is due, in nanoseconds from the start of the first execution. */
        public long dueNanos(long offsetMicros) {
            return (long) (offsetMicros * 1_000.0 / speed);
        }

        /** Returns how long the replay takes if the database is as fast as when recorded; in whole milliseconds, at least a second. */
        public Duration length() {
            Duration whole = Duration.ofMillis(dueNanos(recording.micros()) / 1_000_000 + 1);
            return whole.compareTo(SHORTEST) < 0 ? SHORTEST : whole;
        }
    }
}
