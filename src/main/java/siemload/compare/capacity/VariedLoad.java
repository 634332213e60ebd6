package siemload.compare.capacity;

import com.fasterxml.jackson.annotation.JsonValue;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import siemload.compare.statistics.DecisionText;
import siemload.config.Choices;
import siemload.config.Property;

/** What of a load grows until an objective is missed. */
public enum VariedLoad {
    USERS(Property.USERS, "users", 100_000),
    EVENTS_PER_SECOND(Property.EPS, "events/s", 10_000_000),
    ARRIVALS(Property.ARRIVALS, "arrivals/s", 10_000);

    private static final MathContext THREE_DIGITS = new MathContext(3, RoundingMode.HALF_UP);

    @SuppressWarnings("ImmutableEnumChecker") // It is.
    private final Property<?> property;

    private final String unit;
    private final double limit;

    VariedLoad(Property<?> property, String unit, double limit) {
        this.property = property;
        this.unit = unit;
        this.limit = limit;
    }

    /** The property that sets it. */
    public Property<?> property() {
        return property;
    }

    /** What is counted, for people: {@code users}, {@code events/s}. */
    public String unit() {
        return unit;
    }

    /** The most that the property takes. */
    double limit() {
        return limit;
    }

    /** Whether there are no halves of it. */
    boolean isWhole() {
        return this == USERS;
    }

    /** The nearest load that is run: a whole number, or three digits of a rate. */
    double rounded(double load) {
        return isWhole()
                ? Math.rint(load)
                : new BigDecimal(load).round(THREE_DIGITS).doubleValue();
    }

    /** A number of it as options have it: {@code 80}, {@code 0.25}; whole numbers have all of their digits. */
    public static String number(double load) {
        return DecisionText.significant(load, load == Math.rint(load) ? 0 : 3);
    }

    /** So much of it, for people: {@code 80 users}. */
    public String words(double load) {
        return number(load) + " " + (load == 1 && isWhole() ? "user" : unit);
    }

    /** The name in options and results: {@code eventsPerSecond}. */
    @JsonValue
    public String label() {
        return Choices.camelCase(this);
    }

    /**
     * The loads among which the largest that meets the objectives is looked for. Immutable.
     *
     * @param varied what grows
     * @param least the smallest load that is tried, above 0
     * @param start where the search begins, from {@code least} to {@code most}
     * @param most the largest load that is tried
     */
    public record Range(VariedLoad varied, double least, double start, double most) {

        /** The load of the range that is run next to this one. */
        double within(double load) {
            return Math.min(most, Math.max(least, varied.rounded(load)));
        }
    }
}
