package siemload.load;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import siemload.dataset.SeededRandom;
import siemload.load.UserWaits.Investigation;
import siemload.run.LoadRun.Shard;
import siemload.scenario.AnalystGroup;
import siemload.scenario.LoadModel;

/**
 * Which users of a group this process has, in the order in which they come. The population is in its steady state from the
 * start: a fixed number of users is met amidst its work, and of users who come and go, first those are there who came before and
 * have not left. What a user does depends on its number in the group, never on which process has it. Thread-safe.
 */
final class UserRoster {
    private static final double LONGEST_WAIT = Math.nextDown(1.0);

    private final AnalystGroup group;
    private final long seed;
    private final Shard shard;
    private final List<Member> earlier;
    private final AtomicInteger started = new AtomicInteger();

    /** @param seed of this group alone */
    UserRoster(AnalystGroup group, long seed, Shard shard) {
        this.group = group;
        this.seed = seed;
        this.shard = shard;
        this.earlier = group.load() instanceof LoadModel.Open open ? earlier(group, open, seed, shard) : List.of();
    }

    /**
     * A user.
     *
     * @param number in the group, over all processes; below 0 for one who came before the start
     */
    record Member(long number, UserWaits waits, Investigation start) {

        /** When the user comes, for a load that starts at an instant of the monotonic clock. */
        long startNanos(long loadNanos) {
            if (waits.group().load() instanceof LoadModel.Open open) {
                // By the timetable, not when Gatling came round to it: a generator that stalls must not delay the
                // clock, too.
                return number < 0
                        ? loadNanos
                        : Timetable.ofArrivals(loadNanos, open.arrivals()).dueNanos(number);
            }
            // Where several processes begin at an agreed instant, Gatling starts users before it.
            long now = System.nanoTime();
            return now - loadNanos < 0 ? loadNanos : now;
        }
    }

    /** Those who came by the same timetable before the start, user -1 last. */
    static List<Member> earlier(AnalystGroup group, LoadModel.Open open, long seed, Shard shard) {
        long longestWait = group.investigation().thinkTime().at(LONGEST_WAIT).toNanos();
        double longestStay = group.investigation().maxActions() * (longestWait / 1e9);
        Timetable timetable = Timetable.ofArrivals(0, open.arrivals());
        long mayBeThere = (long) Math.ceil(-open.arrivals().dueUntil(-longestStay));
        return LongStream.rangeClosed(1, mayBeThere)
                .filter(user -> shard.has(-user))
                .mapToObj(user -> {
                    UserWaits waits = new UserWaits(group, SeededRandom.mix(seed, -user));
                    return waits.arrived(Duration.ofNanos(-timetable.dueNanos(-user)))
                            .map(start -> new Member(-user, waits, start));
                })
                .flatMap(Optional::stream)
                .toList();
    }

    /** How many users are there at the start who came earlier; 0 where they do not come and go. */
    int thereAtStart() {
        return earlier.size();
    }

    /** The next user that Gatling starts. */
    Member next() {
        int before = started.getAndIncrement();
        if (before < earlier.size()) {
            return earlier.get(before);
        }
        long user = shard.number(before - earlier.size());
        UserWaits waits = new UserWaits(group, SeededRandom.mix(seed, user));
        return new Member(user, waits, group.load() instanceof LoadModel.Open ? waits.arriving() : waits.amidstWork());
    }
}
