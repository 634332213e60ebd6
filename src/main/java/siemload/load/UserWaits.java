package siemload.load;

import java.time.Duration;
import siemload.dataset.SeededRandom;
import siemload.scenario.AnalystGroup;

/**
 * How long one user's investigations are, and how long the user waits between actions. What is drawn for action {@code n}
 * depends on the seed and {@code n} alone. Immutable.
 *
 * @param seed of this user alone
 */
record UserWaits(AnalystGroup group, long seed) {
    private static final long WAITS = 1;

    /** The number of actions of an investigation, and the wait before the first of them. */
    record DrawnInvestigation(int actions, Duration delay) {}

    /** The investigation whose first action is {@code action}, after a pause. */
    DrawnInvestigation investigation(long action) {
        SeededRandom random = random(action);
        return new DrawnInvestigation(
                actions(random), group.investigation().pause().at(random.nextDouble()));
    }

    /** The investigation of a user who has just come: it begins after a think time. */
    DrawnInvestigation firstInvestigation() {
        SeededRandom random = random(0);
        return new DrawnInvestigation(
                actions(random), group.investigation().thinkTime().at(random.nextDouble()));
    }

    /** The think time before an action within an investigation. */
    Duration thinkTime(long action) {
        return group.investigation().thinkTime().at(random(action).nextDouble());
    }

    /** A number of actions as investigations have them. */
    int actions(SeededRandom random) {
        AnalystGroup.Investigation kind = group.investigation();
        return kind.minActions() + random.nextInt(kind.maxActions() - kind.minActions() + 1);
    }

    private SeededRandom random(long action) {
        return SeededRandom.of(SeededRandom.mix(seed, WAITS), action);
    }
}
