package siemload.query;

import java.time.Duration;
import java.time.Instant;
import siemload.config.YamlRecords.Key;

/** The summary of a search's events. Values are compared and ordered by {@link Field#order}. Immutable. */
public sealed interface Summary {

    /** The field by which events are grouped. */
    Field field();

    /** The summary in words: {@code summed up by category: the 10 most frequent}. */
    default String words() {
        String how = this instanceof TopList top
                ? "the " + top.size() + " most frequent"
                : this instanceof Timeline timeline ? "in " + timeline.steps() + " steps" : "by the hour";
        return "summed up by " + field().label() + ": " + how;
    }

    /** The number of events over time by the values of a field: each pair of step and value with events is a row. */
    sealed interface OverTime extends Summary {

        /** The length of a step for this window: whole seconds, 1 or more. The first step starts with the window. */
        default Duration step(Window window) {
            if (this instanceof Timeline line) {
                long seconds = Duration.between(window.from(), window.until()).toSeconds() + 1;
                return Duration.ofSeconds(Math.max(1, (seconds + line.steps - 1) / line.steps));
            }
            return Hours.HOUR;
        }
    }

    /**
     * The number of events over time by the values of a field. The search's window is divided into steps of equal length from its start;
     * each pair of step and value with events is a row, ordered by time, then by value. The window must have bounds.
     *
     * @param steps the largest number of steps, 1 or more; Hawat's charts have at most 200
     */
    record Timeline(
            @Key("timeline") Field field,
            @Key(allowed = "1 to 1000", standard = "200") int steps) implements OverTime {}

    /**
     * The number of events of each hour by the values of a field, ordered by hour, then by value. The window starts with a whole hour; the
     * last hour of the window may be incomplete.
     */
    record Hours(Field field) implements OverTime {
        /** The length of a step. */
        public static final Duration HOUR = Duration.ofHours(1);
    }

    /** The most frequent values of a field, at most {@code size}, most events first; equally frequent ones are ordered by value. */
    record TopList(
            @Key("topList") Field field,
            @Key(allowed = "1 to 1000", standard = "20") int size) implements Summary {}

    /**
     * One line of a summary.
     *
     * @param from the start of the step, in whole microseconds; the window's start for a top list
     * @param events the number of events of the step that have the value, 1 or more
     */
    record Line(Instant from, String value, long events) {}
}
