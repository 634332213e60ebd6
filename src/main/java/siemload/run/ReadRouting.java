package siemload.run;

import java.util.List;
import java.util.stream.LongStream;
import siemload.scenario.AnalystGroup;

/**
 * Who searches where, in a load whose searches are answered by several replicas. Users and tasks have numbers, counted on from group to
 * group, and number {@code n} searches on replica {@code n mod count}: nothing but the number decides, so that it is the same
 * replica whichever process has the user. Immutable.
 *
 * @param groups of the scenario, in their order
 * @param count how many there are to search on, 1 or more: the run's own store, or replicas
 */
public record ReadRouting(List<AnalystGroup> groups, int count) {
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
                        .mapToLong(group ->
                                there(shard, replica, first(group), group.load().defaultWorkers()))
                        .sum();
        return Math.toIntExact(Math.max(1, workers));
    }

    private long there(Shard shard, int replica, long first, int users) {
        return LongStream.range(0, users)
                .filter(user -> shard.has(user) && replica(first + user) == replica)
                .count();
    }
}
