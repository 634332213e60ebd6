package siemload.load;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import siemload.dataset.SeededRandom;
import siemload.run.Shard;
import siemload.scenario.AnalystGroup;
import siemload.scenario.LoadModel;

/**
 * Which users of a group this process has, in the order in which they come. The population is in its steady state from the
 * start: a fixed number of users is met amidst its work, and of users who come and go, first those are there who came before and
 * have not left. What a user does depends on its number in the group, never on which process has it. Immutable.
 */
final class UserRoster {
    private static final double LONGEST_WAIT = Math.nextDown(1.0);

    private final AnalystGroup group;
    private final long seed;
    private final Shard shard;
    private final List<Member> earlier;

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
     * @param arrival its number among those who arrive after the start; empty where it is there at the start
     */
    record Member(long number, UserWaits waits, UserStart start, UserState.Stay stay, OptionalLong arrival) {}

    /** Those who came by the same timetable before the start, user -1 last. */
    static List<Member> earlier(AnalystGroup group, LoadModel.Open open, long seed, Shard shard) {
        double longestStay = group.investigation().maxActions()
                * (group.investigation().thinkTime().at(LONGEST_WAIT).toNanos() / 1e9);
        Timetable timetable = Timetable.ofArrivals(0, open.arrivals());
        long mayBeThere = (long) Math.ceil(-open.arrivals().dueUntil(-longestStay));
        return LongStream.rangeClosed(1, mayBeThere)
                .filter(user -> shard.has(-user))
                .mapToObj(user -> {
                    UserWaits waits = new UserWaits(group, SeededRandom.mix(seed, -user));
                    Duration before = Duration.ofNanos(-timetable.dueNanos(-user));
                    return UserStart.arrived(waits, before).map(start -> thereAtStart(-user, waits, start));
                })
                .flatMap(Optional::stream)
                .toList();
    }

    private static Member thereAtStart(long number, UserWaits waits, UserStart start) {
        return new Member(number, waits, start, UserState.Stay.ONE_INVESTIGATION, OptionalLong.empty());
    }

    /** How many users are there at the start who came earlier; 0 where they do not come and go. */
    int thereAtStart() {
        return earlier.size();
    }

    /** The user who comes next after so many others of this process. */
    Member member(int before) {
        if (before < earlier.size()) {
            return earlier.get(before);
        }
        long user = shard.number(before - earlier.size());
        UserWaits waits = new UserWaits(group, SeededRandom.mix(seed, user));
        return group.load() instanceof LoadModel.Open
                ? new Member(
                        user, waits, UserStart.arriving(waits), UserState.Stay.ONE_INVESTIGATION, OptionalLong.of(user))
                : new Member(user, waits, UserStart.amidstWork(waits), UserState.Stay.WHOLE_RUN, OptionalLong.empty());
    }
}
