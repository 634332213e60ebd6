package siemload.load;

import java.time.Duration;
import java.util.Optional;
import siemload.dataset.SeededRandom;
import siemload.scenario.AnalystGroup;
import siemload.scenario.Distribution;

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
        double longest = pause + (kind.maxActions() - 1.0) * think;
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
        return kind.minActions() + random.nextInt(kind.maxActions() - kind.minActions() + 1);
    }

    private SeededRandom random(long action) {
        return SeededRandom.of(SeededRandom.mix(seed, WAITS), action);
    }
}
