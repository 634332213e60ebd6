package siemload.load;

import java.time.Duration;
import java.util.Optional;
import siemload.dataset.SeededRandom;
import siemload.scenario.AnalystGroup;

/**
 * Where in its work a user is when the load begins. A user who is met amidst an investigation has seen nothing yet, so that
 * its first action is a new search. Immutable.
 *
 * @param action the number of the next action, 0 or more
 * @param actionsLeft how many actions of the current investigation are still to come, 1 or more
 * @param delay how long the user still waits before the next one
 */
record UserStart(long action, int actionsLeft, Duration delay) {
    private static final long STARTS = 4;

    /** A user who comes now, and begins after a think time. */
    static UserStart arriving(UserWaits waits) {
        UserWaits.DrawnInvestigation first = waits.firstInvestigation();
        return new UserStart(0, first.actions(), first.delay());
    }

    /**
     * A user who has worked for ever, met at a random instant, so that a population is in its steady state from the first
     * second on. Which investigation is met and where in it is in proportion to the waits there (Cox, Renewal Theory, 1962,
     * chapter 5); answers are taken to come at once, as against waits they nearly do.
     */
    static UserStart amidstWork(UserWaits waits) {
        AnalystGroup.Investigation kind = waits.group().investigation();
        long pause = kind.pause().mean().toNanos();
        long think = kind.thinkTime().mean().toNanos();
        double longest = pause + (kind.maxActions() - 1.0) * think;
        if (longest == 0) {
            return arriving(waits);
        }
        SeededRandom random = SeededRandom.of(waits.seed(), STARTS);
        int actions;
        double length;
        do {
            actions = waits.actions(random);
            length = pause + (actions - 1.0) * think;
        } while (random.nextDouble() * longest >= length);
        double instant = random.nextDouble() * length;
        double point = random.nextDouble();
        if (instant < pause) {
            return new UserStart(0, actions, kind.pause().remaining(point));
        }
        int done = 1 + Math.min(actions - 2, (int) ((instant - pause) / think));
        return new UserStart(0, actions - done, kind.thinkTime().remaining(point));
    }

    /**
     * A user who came some time before the load begins, did one investigation, and may have left since: answers are taken to
     * have come at once.
     *
     * @return empty where the user has left
     */
    static Optional<UserStart> arrived(UserWaits waits, Duration before) {
        UserWaits.DrawnInvestigation only = waits.firstInvestigation();
        Duration next = only.delay();
        for (int action = 0; action < only.actions(); action++) {
            if (next.compareTo(before) > 0) {
                return Optional.of(new UserStart(action, only.actions() - action, next.minus(before)));
            }
            next = next.plus(waits.thinkTime(action + 1));
        }
        return Optional.empty();
    }
}
