package siemload.compare;

import com.fasterxml.jackson.annotation.JsonValue;
import siemload.compare.statistics.Interval;
import siemload.config.Choices;
import siemload.config.Property;

/** What of a load grows until an objective is missed. */
public enum VariedLoad {
    USERS(Property.USERS, "users", 100_000),
    EVENTS_PER_SECOND(Property.EPS, "events/s", 10_000_000),
    ARRIVALS(Property.ARRIVALS, "arrivals/s", 10_000);

    /** The property that sets it. */
    @SuppressWarnings("ImmutableEnumChecker") // It is.
    final Property<?> property;

    /** What is counted, for people. */
    final String unit;
    /** The most that the property takes. */
    final double limit;

    VariedLoad(Property<?> property, String unit, double limit) {
        this.property = property;
        this.unit = unit;
        this.limit = limit;
    }

    /** Whether there are no halves of it. */
    boolean isWhole() {
        return this == USERS;
    }

    /** The nearest load that is run: a whole number, or three digits of a rate. */
    double rounded(double load) {
        return isWhole() ? Math.rint(load) : Double.parseDouble(Interval.significant(load, 3));
    }

    /** A number of it as options have it: {@code 80}, {@code 0.25}; whole numbers have all of their digits. */
    static String number(double load) {
        return Interval.significant(load, load == Math.rint(load) ? 0 : 3);
    }

    /** So much of it, for people: {@code 80 users}. */
    String words(double load) {
        return number(load) + " " + (load == 1 && isWhole() ? "user" : unit);
    }

    /** The name in options and results: {@code eventsPerSecond}. */
    @JsonValue
    String label() {
        return Choices.camelCase(this);
    }

    /**
     * The loads among which the largest that meets the objectives is looked for: from the smallest, above 0, to the largest that is
     * tried. Immutable.
     *
     * @param start where the search begins
     */
    public record Range(VariedLoad varied, double least, double start, double most) {
        /** The load of the range that is run next to this one. */
        double within(double load) {
            return Math.min(most, Math.max(least, varied.rounded(load)));
        }
    }
}
