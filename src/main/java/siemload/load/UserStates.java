package siemload.load;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import siemload.scenario.AnalystGroup;
import siemload.scenario.LoadModel;

/** The users of one group of this process, in the order in which Gatling starts them. Thread-safe. */
final class UserStates implements Supplier<UserState> {
    private final LoadEngine engine;
    private final AnalystGroup group;
    private final UserRoster roster;
    private final AtomicInteger started = new AtomicInteger();

    /** @param seed of this group alone */
    UserStates(LoadEngine engine, AnalystGroup group, long seed) {
        this.engine = engine;
        this.group = group;
        this.roster = new UserRoster(group, seed, engine.shard());
    }

    /** How many users are there at the start who came earlier; 0 where they do not come and go. */
    int thereAtStart() {
        return roster.thereAtStart();
    }

    /** The next user that Gatling starts. */
    @Override
    public UserState get() {
        UserRoster.Member user = roster.member(started.getAndIncrement());
        long number = engine.firstNumber(group) + user.number();
        return new UserState(
                number,
                engine.analyst(number, user.waits(), user.start()),
                group.maxRunning(),
                user.stay(),
                startNanos(user));
    }

    /**
     * Who arrives does so by the timetable, not when Gatling came round to it: a generator that stalls must not delay the clock,
     * too. Where several processes begin at an agreed instant, Gatling starts users before it.
     */
    private long startNanos(UserRoster.Member user) {
        long start = engine.startNanos();
        if (user.arrival().isPresent() && group.load() instanceof LoadModel.Open open) {
            return Timetable.ofArrivals(start, open.arrivals())
                    .dueNanos(user.arrival().getAsLong());
        }
        long now = System.nanoTime();
        return user.stay() == UserState.Stay.ONE_INVESTIGATION || now - start < 0 ? start : now;
    }
}
