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

    /** Returns the server and the data of the load. */
    Bench bench();

    default RunHost host() {
        return bench().host();
    }

    /** Returns the plan, which was made before any server was contacted. */
    default RunPlan plan() {
        return bench().plan();
    }

    /** Returns the events that the feeder inserts. */
    default FeedEvents feed() {
        return plan().source().feed();
    }

    /** Returns all batches fed into the store, including those of this load; to be called when the load has ended. */
    default Batches fed(Batches now) {
        return now;
    }

    /**
     * Waits for the start of the load, and returns it on the monotonic clock: now, or an instant on which all injectors have agreed.
     *
     * @throws siemload.database.TargetException if the injectors agree on no instant, or the instant arrives too late
     */
    default long awaitStart(long nowNanos) {
        return nowNanos;
    }

    /**
     * Starts monitoring the load.
     *
     * @return a listener for the end of each second, on the monotonic clock; it may end the process in good order if the load does harm
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
     * @param processes further processes of this machine that generate the load, and so do not count as other programs
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
     * count}. Only the number decides, so the replica does not depend on the process that has the user. Immutable.
     *
     * @param groups the groups of the scenario, in order
     * @param count the number of replicas, or 1 for the run's own store
     */
    record ReadRouting(List<AnalystGroup> groups, int count) {
        public ReadRouting {
            groups = List.copyOf(groups);
        }

        /** Returns the number of the first user of a group; users who came before the start have smaller numbers. */
        public long first(AnalystGroup group) {
            return groups.stream()
                    .takeWhile(earlier -> !earlier.name().equals(group.name()))
                    .mapToLong(earlier -> earlier.load().defaultWorkers())
                    .sum();
        }

        /** Returns the index, from 0, of the replica for the user with this number. */
        public int replica(long number) {
            return Math.floorMod(number, count);
        }

        /**
         * Returns the number of a process's workers for a replica: one for each of its users there, or its share of the requested number;
         * at least one.
         *
         * @param shard the shard of the process
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
         * A store that answers searches of a load: the run's own store, or a replica of it. Immutable.
         *
         * @param replica the replica that has the store; empty for the run's own store
         */
        public record ReadStore(Store store, Optional<Replica> replica) {}
    }

    /**
     * The resources of a run.
     *
     * @param workers the number of connections that search
     * @param workersEnough whether the workers are enough for all users who search at once
     * @param databaseCpus how many CPUs the database may use; 0 if only its machine limits it
     * @param inProcess whether there is no server, so that the database's time is the load generator's own
     */
    record LoadLimits(int workers, boolean workersEnough, double databaseCpus, boolean inProcess) {}

    /**
     * The part of a load that one of several processes makes. Users, and batches of the feeder, have numbers, and number {@code n} belongs
     * to shard {@code n mod count}. Only the number decides, so all shards together make the same load as one process. Immutable.
     *
     * @param index the number of this shard, from 0 to {@code count - 1}
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

        /** Returns whether this shard is the whole load. */
        public boolean isWhole() {
            return count == 1;
        }

        /** Returns whether a number belongs to this shard; negative numbers belong to shards, too. */
        public boolean has(long number) {
            return Math.floorMod(number, (long) count) == index;
        }

        /** Returns the {@code nth} number of this shard, counted from 0. */
        public long number(long nth) {
            return index + nth * count;
        }

        /** Returns how many of the numbers from 0 to below a limit belong to this shard. */
        public long below(long limit) {
            return Math.max(0, -Math.floorDiv(index - limit, (long) count));
        }

        /** Returns how many of {@code all} users, workers or connections belong to this shard. */
        public int of(int all) {
            return Math.toIntExact(below(all));
        }
    }
}
