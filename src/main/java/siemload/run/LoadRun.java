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
 * The connection of a load to its run: the start, the end of each second, and the use of the measurements. A {@link CompleteRun complete}
 * run monitors the server and writes results; an injector reports its measurements. Thread-safe.
 */
public interface LoadRun {

    /** The server and the data of the load. */
    Bench bench();

    default RunHost host() {
        return bench().host();
    }

    /** The plan, which was made before a server was touched. */
    default RunPlan plan() {
        return bench().plan();
    }

    /** The events that the feeder inserts. */
    default FeedEvents feed() {
        return plan().source().feed();
    }

    /** All batches fed into the store, including those of this load; to be called when the load has ended. */
    default Batches fed(Batches now) {
        return now;
    }

    /**
     * The start of the load on the monotonic clock: at once, or at an instant on which all injectors have agreed, which this waits for.
     *
     * @throws siemload.database.TargetException if that instant is not agreed on, or is learned of too late
     */
    default long awaitStart(long nowNanos) {
        return nowNanos;
    }

    /**
     * Starts to monitor the load.
     *
     * @return receives the end of each second, on the monotonic clock; it may end the process in good order if the load does harm
     * @throws siemload.config.ConfigException if the files cannot be written
     */
    LongConsumer watch(Load load);

    /**
     * Stops monitoring; to be called when all sessions of the load are closed, and its last second has ended.
     *
     * @param endNanos when the load ended
     */
    RunMonitor.Seen seen(long endNanos);

    /** Writes or reports the results, and releases everything. */
    void finish(LoadOutcome measured);

    /**
     * A load in progress.
     *
     * @param processes further processes of this machine that make the load, and so do not count as other programs
     * @param interrupted whether the process is asked to stop; checked repeatedly
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
     * Assigns users to replicas. Users and tasks are numbered through all groups, and number {@code n} searches on replica {@code n mod
     * count}: only the number decides, so that the replica is the same whichever process has the user. Immutable.
     *
     * @param groups of the scenario, in order
     * @param count the number of replicas, or 1 for the run's own store
     */
    record ReadRouting(List<AnalystGroup> groups, int count) {
        public ReadRouting {
            groups = List.copyOf(groups);
        }

        /** The number of the first user of a group; users who came before the start have smaller numbers. */
        public long first(AnalystGroup group) {
            return groups.stream()
                    .takeWhile(earlier -> !earlier.name().equals(group.name()))
                    .mapToLong(earlier -> earlier.load().defaultWorkers())
                    .sum();
        }

        /** The index of the replica for the user of this number, from 0. */
        public int replica(long number) {
            return Math.floorMod(number, count);
        }

        /**
         * The number of a process's workers for a replica: one for each of its users there, or its share of the requested number; at least
         * one.
         *
         * @param shard of the process
         * @param asked the requested number of workers of all processes and replicas; 0 for the default
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
         * A store that answers searches of a load: the run's own, or a replica of it. Immutable.
         *
         * @param replica the replica that has the store; empty for the run's own store
         */
        public record ReadStore(Store store, Optional<Replica> replica) {}
    }

    /**
     * The resources of a run.
     *
     * @param workers connections that search
     * @param workersEnough whether they are enough for all users who search at once
     * @param databaseCpus how many CPUs the database may use; 0 if only its machine limits it
     * @param inProcess whether there is no server, so that the database's time is the load generator's own
     */
    record LoadLimits(int workers, boolean workersEnough, double databaseCpus, boolean inProcess) {}

    /**
     * The part of a load that one of several processes makes. Users, and batches of the feeder, have numbers, and number {@code n} belongs
     * to shard {@code n mod count}: only the number decides, so that all shards together make the same load as one process. Immutable.
     *
     * @param index from 0 to below the count
     * @param count how many shards there are, 1 or more
     */
    record Shard(int index, int count) {
        /** The whole load, in one process. */
        public static final Shard WHOLE = new Shard(0, 1);

        /** @throws IllegalArgumentException if there is no such shard */
        public Shard {
            if (count < 1 || index < 0 || index >= count) {
                throw new IllegalArgumentException("no shard " + index + " of " + count);
            }
        }

        /** Whether this is the whole load. */
        public boolean isWhole() {
            return count == 1;
        }

        /** Whether a number belongs to this shard; negative numbers belong to shards, too. */
        public boolean has(long number) {
            return Math.floorMod(number, (long) count) == index;
        }

        /** The {@code nth} number of this shard, from 0. */
        public long number(long nth) {
            return index + nth * count;
        }

        /** How many of the numbers from 0 up to a limit, excluded, belong to this shard. */
        public long below(long limit) {
            return Math.max(0, -Math.floorDiv(index - limit, (long) count));
        }

        /** How many of {@code all} things belong to this shard. */
        public int of(int all) {
            return Math.toIntExact(below(all));
        }
    }
}
