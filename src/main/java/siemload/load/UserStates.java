package siemload.load;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import siemload.dataset.SeededRandom;
import siemload.scenario.AnalystGroup;
import siemload.scenario.LoadModel;

/**
 * The users of one group, in the order in which Gatling starts them. The population is in its steady state from the start: a
 * fixed number of users is met amidst its work, and of users who come and go, first those are there who came before and have
 * not left. Thread-safe.
 */
final class UserStates implements Supplier<UserState> {
    private static final double LONGEST_WAIT = Math.nextDown(1.0);

    private final LoadEngine engine;
    private final AnalystGroup group;
    private final long seed;
    private final List<Earlier> earlier;
    private final AtomicInteger started = new AtomicInteger();

    /** @param seed of this group alone */
    UserStates(LoadEngine engine, AnalystGroup group, long seed) {
        this.engine = engine;
        this.group = group;
        this.seed = seed;
        this.earlier = group.load() instanceof LoadModel.Open open ? earlier(group, open, seed) : List.of();
    }

    /** A user who came before the start and is still there then. */
    record Earlier(UserWaits waits, UserStart start) {}

    /** Those who came by the same timetable before the start, user -1 last. */
    static List<Earlier> earlier(AnalystGroup group, LoadModel.Open open, long seed) {
        double longestStay = group.investigation().maxActions()
                * (group.investigation().thinkTime().at(LONGEST_WAIT).toNanos() / 1e9);
        Timetable timetable = Timetable.ofArrivals(0, open.arrivals());
        long mayBeThere = (long) Math.ceil(-open.arrivals().dueUntil(-longestStay));
        return LongStream.rangeClosed(1, mayBeThere)
                .mapToObj(user -> {
                    UserWaits waits = new UserWaits(group, SeededRandom.mix(seed, -user));
                    Duration before = Duration.ofNanos(-timetable.dueNanos(-user));
                    return UserStart.arrived(waits, before).map(start -> new Earlier(waits, start));
                })
                .flatMap(Optional::stream)
                .toList();
    }

    /** How many users are there at the start who came earlier; 0 where they do not come and go. */
    int thereAtStart() {
        return earlier.size();
    }

    /** The next user that Gatling starts. */
    @Override
    public UserState get() {
        int number = started.getAndIncrement();
        if (number < earlier.size()) {
            Earlier user = earlier.get(number);
            return state(user.waits(), user.start(), UserState.Stay.ONE_INVESTIGATION, engine.startNanos());
        }
        int user = number - earlier.size();
        UserWaits waits = new UserWaits(group, SeededRandom.mix(seed, user));
        if (group.load() instanceof LoadModel.Open open) {
            // By the timetable, not when Gatling came round to it: a generator that stalls must not delay the clock,
            // too.
            long due =
                    Timetable.ofArrivals(engine.startNanos(), open.arrivals()).dueNanos(user);
            return state(waits, UserStart.arriving(waits), UserState.Stay.ONE_INVESTIGATION, due);
        }
        return state(waits, UserStart.amidstWork(waits), UserState.Stay.WHOLE_RUN, System.nanoTime());
    }

    private UserState state(UserWaits waits, UserStart start, UserState.Stay stay, long startNanos) {
        return new UserState(engine.analyst(waits, start), group.quota().user(), stay, startNanos);
    }
}
