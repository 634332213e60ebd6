package siemload.load;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import siemload.dataset.SeededRandom;
import siemload.load.UserRoster.UserWaits.Investigation;
import siemload.run.LoadRun.Shard;
import siemload.scenario.AnalystGroup;
import siemload.scenario.Distribution;
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
            if (number >= 0 && waits.group().load() instanceof LoadModel.Open open) {
                // By the timetable, not when Gatling came round to it: a generator that stalls must not delay the
                // clock, too.
                return Timetable.ofArrivals(loadNanos, open.arrivals()).dueNanos(number);
            }
            // Where several processes begin at an agreed instant, Gatling starts users before it.
            long now = System.nanoTime();
            return number < 0 || now - loadNanos < 0 ? loadNanos : now;
        }
    }

    /** Those who came by the same timetable before the start, user -1 last. */
    static List<Member> earlier(AnalystGroup group, LoadModel.Open open, long seed, Shard shard) {
        long longestWait = group.investigation().thinkTime().at(LONGEST_WAIT).toNanos();
        double longestStay = group.investigation().actions().max() * (longestWait / 1e9);
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

    /**
     * How long one user's investigations are, how long the user waits between actions, and where in its work the user is when the load
     * begins. What is drawn for action {@code n} depends on the seed and {@code n} alone. Immutable.
     *
     * @param seed of this user alone
     */
    record UserWaits(AnalystGroup group, long seed) {
        private static final long WAITS = 1;
        private static final long STARTS = 4;

        /**
         * An investigation, or what is left of it: who is met amidst one has seen nothing yet, so that the first action is a new search.
         *
         * @param action the number of the next action, 0 or more
         * @param actions how many are still to come, 1 or more
         * @param delay how long the user waits before the next one
         */
        record Investigation(long action, int actions, Duration delay) {}

        /** The one whose first action is {@code action}, after a pause. */
        Investigation investigation(long action) {
            return drawn(action, group.investigation().pause());
        }

        /** That of a user who comes now, and begins after a think time. */
        Investigation arriving() {
            return drawn(0, group.investigation().thinkTime());
        }

        /**
         * That of a user who has worked for ever, met at a random instant, so that a population is in its steady state from the first
         * second on. Which investigation is met and where in it is in proportion to the waits there (Cox, Renewal Theory, 1962,
         * chapter 5); answers are taken to come at once, as against waits they nearly do.
         */
        Investigation amidstWork() {
            AnalystGroup.Investigation kind = group.investigation();
            long pause = kind.pause().mean().toNanos();
            long think = kind.thinkTime().mean().toNanos();
            double longest = pause + (kind.actions().max() - 1.0) * think;
            if (longest == 0) {
                return arriving();
            }
            SeededRandom random = SeededRandom.of(seed, STARTS);
            int actions;
            double length;
            do {
                actions = actions(random);
                length = pause + (actions - 1.0) * think;
            } while (random.nextDouble() * longest >= length);
            double instant = random.nextDouble() * length;
            double point = random.nextDouble();
            if (instant < pause) {
                return new Investigation(0, actions, kind.pause().remaining(point));
            }
            int done = 1 + Math.min(actions - 2, (int) ((instant - pause) / think));
            return new Investigation(0, actions - done, kind.thinkTime().remaining(point));
        }

        /**
         * That of a user who came some time before the load begins, does one, and may have left since; answers are taken to have come at
         * once.
         *
         * @return empty where the user has left
         */
        Optional<Investigation> arrived(Duration before) {
            Investigation only = arriving();
            Duration next = only.delay();
            for (int action = 0; action < only.actions(); action++) {
                if (next.compareTo(before) > 0) {
                    return Optional.of(new Investigation(action, only.actions() - action, next.minus(before)));
                }
                next = next.plus(thinkTime(action + 1));
            }
            return Optional.empty();
        }

        /** The think time before an action within an investigation. */
        Duration thinkTime(long action) {
            return group.investigation().thinkTime().at(random(action).nextDouble());
        }

        private Investigation drawn(long action, Distribution wait) {
            SeededRandom random = random(action);
            int actions = actions(random);
            return new Investigation(action, actions, wait.at(random.nextDouble()));
        }

        private int actions(SeededRandom random) {
            AnalystGroup.Investigation kind = group.investigation();
            return kind.actions().min()
                    + random.nextInt(kind.actions().max() - kind.actions().min() + 1);
        }

        private SeededRandom random(long action) {
            return SeededRandom.of(SeededRandom.mix(seed, WAITS), action);
        }
    }
}
