package siemload.measure.monitor;

import java.util.Map;
import siemload.database.Counters.StatementSource;
import siemload.database.Counters.StatementTime;

/**
 * How long the server worked on each statement in the measured phase. Immutable.
 *
 * @param source where that comes from, or why there is none
 * @param times by what {@link siemload.database.SearchSession#statement} calls them
 */
public record StatementTimes(StatementSource source, Map<String, StatementTime> times) {

    public StatementTimes {
        times = Map.copyOf(times);
    }

    /** None, and why, for people. */
    static StatementTimes none(String why) {
        return new StatementTimes(StatementSource.none(why), Map.of());
    }
}
