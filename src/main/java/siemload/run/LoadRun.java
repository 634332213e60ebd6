package siemload.run;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import siemload.database.Store;
import siemload.database.Target.Replica;
import siemload.dataset.FeedEvents;
import siemload.measure.LatencyRecorder;
import siemload.measure.RunClock;
import siemload.measure.monitor.RunMonitor;
import siemload.run.answers.FeedLedger;
import siemload.run.answers.FeedLedger.Batches;
import siemload.scenario.AnalystGroup;

/**
 * What goes on around a load: its start, the look at each second, and what becomes of what was measured. A run that is {@link CompleteRun
 * complete} watches the server and writes results; an injector hands over what it measured.
 * Thread-safe.
 */
public interface LoadRun {

    /** What the load works on. */
    Bench bench();

    default RunHost host() {
        return bench().host();
    }

    /** What was decided before a server was touched. */
    default RunPlan plan() {
        return bench().plan();
    }

    /** What its feeder feeds. */
    default FeedEvents feed() {
        return plan().source().feed();
    }

    /** All that was fed into the store, by what was fed now; to be called when the load has ended. */
    default Batches fed(Batches now) {
        return now;
    }

    /**
     * When the load begins, on the monotonic clock: at once, or at an instant on which all its parts have agreed, which this
     * waits for.
     *
     * @throws siemload.database.TargetException if it does not come, or cannot be reached any more
     */
    default long awaitStart(long nowNanos) {
        return nowNanos;
    }

    /**
     * Starts to watch the load.
     *
     * @return hears of the end of each second, on the monotonic clock; it may end the process in good order, where the load does harm
     * @throws siemload.config.ConfigException if what is seen cannot be written
     */
    LongConsumer watch(Load load);

    /**
     * Stops watching; to be called when all sessions of the load are closed, and its last second has ended.
     *
     * @param endNanos when the load ended
     */
    RunMonitor.Seen seen(long endNanos);

    /** Writes the results, or hands them over, and gives everything back. */
    void finish(LoadOutcome measured);

    /**
     * A load that is being made.
     *
     * @param processes of this machine that make it beside this one: they are no other programs
     * @param interrupted whether the process is asked to stop; asked again and again
     */
    record Load(
            RunClock clock,
            LatencyRecorder searches,
            FeedLedger ledger,
            Set<Long> processes,
            BooleanSupplier interrupted) {
        public Load {
            processes = Set.copyOf(processes);
        }
    }

    /**
     * Who searches where, in a load whose searches are answered by several replicas. Users and tasks have numbers, counted on from group to
     * group, and number {@code n} searches on replica {@code n mod count}: nothing but the number decides, so that it is the same
     * replica whichever process has the user. Immutable.
     *
     * @param groups of the scenario, in their order
     * @param count how many there are to search on, 1 or more: the run's own store, or replicas
     */
    record ReadRouting(List<AnalystGroup> groups, int count) {
        public ReadRouting {
            groups = List.copyOf(groups);
        }

        /** The number of the first user of a group; those who came before the start have smaller ones. */
        public long first(AnalystGroup group) {
            return groups.stream()
                    .takeWhile(earlier -> !earlier.name().equals(group.name()))
                    .mapToLong(earlier -> earlier.load().defaultWorkers())
                    .sum();
        }

        /** The index of the replica on which the user of this number searches, from 0. */
        public int replica(long number) {
            return Math.floorMod(number, count);
        }

        /**
         * How many workers a process has for a replica: one for each of its users who search there, or its share of so many as the user
         * has asked for; one at least.
         *
         * @param shard of the process
         * @param asked how many workers were asked for, of all processes and replicas; 0 where nothing was said
         */
        int workers(Shard shard, int replica, int asked) {
            long workers = asked > 0
                    ? there(shard, replica, 0, asked)
                    : groups.stream()
                            .mapToLong(group -> there(
                                    shard, replica, first(group), group.load().defaultWorkers()))
                            .sum();
            return Math.toIntExact(Math.max(1, workers));
        }

        private long there(Shard shard, int replica, long first, int users) {
            return LongStream.range(0, users)
                    .filter(user -> shard.has(user) && replica(first + user) == replica)
                    .count();
        }

        /**
         * Where the searches of a load are answered: by the store of the run itself, or by a replica of it. Immutable.
         *
         * @param replica that has the store; empty for the run's own
         */
        public record ReadStore(Store store, Optional<Replica> replica) {}
    }

    /**
     * What a run was given to work with.
     *
     * @param workers connections that search
     * @param workersEnough whether they are as many as the users take who search at once, or more
     * @param databaseCpus how many CPUs the database may use; 0 where nothing but its machine limits it
     * @param inProcess whether there is no server: what takes time takes the load generator's own
     */
    record LoadLimits(int workers, boolean workersEnough, double databaseCpus, boolean inProcess) {}

    /**
     * Which part of a load one of several processes makes. Users, and batches of the feeder, have numbers, and number {@code n}
     * belongs to shard {@code n mod count}: nothing but the number decides, so that all shards together are what one process
     * would make alone. Immutable.
     *
     * @param index from 0 to below the count
     * @param count how many shards there are, 1 or more
     */
    record Shard(int index, int count) {
        /** All of it, in one process. */
        public static final Shard WHOLE = new Shard(0, 1);

        /** @throws IllegalArgumentException if there is no such shard */
        public Shard {
            if (count < 1 || index < 0 || index >= count) {
                throw new IllegalArgumentException("no shard " + index + " of " + count);
            }
        }

        /** Whether it is all of the load. */
        public boolean isWhole() {
            return count == 1;
        }

        /** Whether a number is one of this shard; numbers below 0 belong to shards, too. */
        public boolean has(long number) {
            return Math.floorMod(number, (long) count) == index;
        }

        /** The number of the {@code nth} thing of this shard, from 0. */
        public long number(long nth) {
            return index + nth * count;
        }

        /** How many of the numbers from 0 to below a limit are of this shard. */
        public long below(long limit) {
            return Math.max(0, -Math.floorDiv(index - limit, (long) count));
        }

        /** How many of so many things this shard has. */
        public int of(int all) {
            return Math.toIntExact(below(all));
        }
    }
}
