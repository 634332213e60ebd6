package siemload.scenario.rate;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import siemload.config.Durations;
import siemload.config.ValueType;
import siemload.scenario.rate.SegmentRate.After;
import siemload.scenario.rate.SegmentRate.Segment;

/**
 * Rates as people write them:
 *
 * <pre>
 * 200/s                                              also 30/m and 100/h; of events also 200
 * ramp from 50/s to 500/s in 5m                      and 500/s from then on
 * steps 100/s for 1m, 200/s for 1m                   and the last one from then on; or ..., repeated
 * as captured x 2                                    as the data set was recorded, twice as fast; of events alone
 * day from 50/s to 400/s in 24h starting at 9h       the trough at 0h, the peak in the middle; both ends may be left out
 * </pre>
 *
 * Stateless and thread-safe.
 */
public final class RateText {
    private static final String EXAMPLES = "200/s, ramp from 50/s to 500/s in 5m, steps 100/s for 1m, 200/s for 1m,"
            + " day from 50/s to 400/s in 24h";

    private static final String AMOUNT = "([0-9_.]+/[smh])";
    private static final String TIME = "([0-9a-zA-Z.]+)";
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,10}(_[0-9]{3})*(\\.[0-9]{1,9})?");
    private static final Pattern RAMP = Pattern.compile("ramp from " + AMOUNT + " to " + AMOUNT + " in " + TIME);
    private static final Pattern STEPS = Pattern.compile("steps (.+?)(, ?repeated)?");
    private static final Pattern STEP = Pattern.compile(AMOUNT + " for " + TIME);
    private static final Pattern DAY = Pattern.compile(
            "day from " + AMOUNT + " to " + AMOUNT + "(?: in " + TIME + ")?(?: starting at " + TIME + ")?");
    private static final Pattern CAPTURED = Pattern.compile("as captured(?: x ([0-9_.]+))?");

    private static final Duration LONGEST = Duration.ofDays(3660);
    private static final int MOST_TIMES = 1_000_000;
    private static final int MOST_STEPS = 1_000;
    private static final int MOST_CHARACTERS = 20_000;
    /** The straight lines of a day: a quarter of an hour each, where it has 24 hours. */
    private static final int PARTS_OF_DAY = 96;

    private final double mostPerSecond;

    private RateText(double mostPerSecond) {
        this.mostPerSecond = mostPerSecond;
    }

    /**
     * The rates of one thing.
     *
     * @param mostPerSecond the highest rate that is let through
     */
    public static ValueType<Rate> type(double mostPerSecond) {
        return ValueType.of(
                "rate, for example " + EXAMPLES,
                new ConstantRate(1),
                text -> new RateText(mostPerSecond).parse(tidy(text)));
    }

    /** The rates of events, which may be written as a number, and, where some were captured, come as they did then. */
    public static ValueType<Rate> ofEvents(double mostPerSecond) {
        ValueType<Double> number = ValueType.number(0, mostPerSecond);
        return ValueType.of("rate, for example 200, as captured, " + EXAMPLES, new ConstantRate(1), text -> {
            Matcher captured = CAPTURED.matcher(tidy(text));
            return captured.matches()
                    ? captured(captured.group(1))
                    : text.matches("[-+0-9_.eE]+")
                            ? new ConstantRate(number.parse(text))
                            : new RateText(mostPerSecond).parse(tidy(text));
        });
    }

    private static Rate captured(@Nullable String times) {
        double factor = times == null ? 1 : number(times);
        require(
                factor > 0 && factor <= MOST_TIMES,
                times + " times is out of range (allowed: above 0, up to " + MOST_TIMES + ")");
        return new CapturedRate(factor, Optional.empty());
    }

    private static String tidy(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }

    /** A constant rate as it is written. */
    static String perSecond(double perSecond) {
        return BigDecimal.valueOf(perSecond)
                        .setScale(9, RoundingMode.HALF_EVEN)
                        .stripTrailingZeros()
                        .toPlainString() + "/s";
    }

    private Rate parse(String text) {
        require(
                text.length() <= MOST_CHARACTERS,
                "the rate has " + text.length() + " characters (allowed: " + MOST_CHARACTERS + ")");
        Matcher ramp = RAMP.matcher(text);
        Matcher steps = STEPS.matcher(text);
        Matcher day = DAY.matcher(text);
        Rate rate;
        if (ramp.matches()) {
            Segment slope = new Segment(amount(ramp.group(1)), amount(ramp.group(2)), seconds(time(ramp.group(3))));
            rate = new SegmentRate(List.of(slope), After.HELD, text);
        } else if (steps.matches()) {
            rate = steps(steps, text);
        } else if (day.matches()) {
            rate = day(day);
        } else {
            require(text.matches(AMOUNT), "'" + shown(text) + "' is not a rate (write for example " + EXAMPLES + ")");
            rate = new ConstantRate(amount(text));
        }
        return rate.dueUntil((double) LONGEST.toSeconds()) == 0 ? ConstantRate.NONE : rate;
    }

    private Rate steps(Matcher match, String text) {
        List<Segment> steps = new ArrayList<>();
        for (String step : match.group(1).split(", ?", -1)) {
            Matcher matcher = STEP.matcher(step);
            require(matcher.matches(), "'" + shown(step) + "' is no step (write for example 100/s for 1m)");
            double rate = amount(matcher.group(1));
            steps.add(new Segment(rate, rate, seconds(time(matcher.group(2)))));
        }
        require(steps.size() <= MOST_STEPS, steps.size() + " steps are too many (allowed: " + MOST_STEPS + ")");
        return new SegmentRate(steps, match.group(2) == null ? After.HELD : After.REPEATED, text);
    }

    /** A wave, as days and nights make it: the trough is at the start of each day, and between it and the peak the rate follows a cosine. */
    private Rate day(Matcher match) {
        double trough = amount(match.group(1));
        double peak = amount(match.group(2));
        require(
                trough <= peak,
                "a day goes from its trough to its peak, but " + perSecond(trough) + " is more than "
                        + perSecond(peak));
        Duration day = match.group(3) == null ? Duration.ofDays(1) : time(match.group(3));
        String written = match.group(4) == null ? "0s" : match.group(4);
        Duration start = Durations.parse(written)
                .filter(time -> time.compareTo(day) < 0)
                .orElseThrow(() -> new IllegalArgumentException("'" + shown(written) + "' is no time of a day of "
                        + Durations.format(day) + " (allowed: from 0s to less than that)"));
        double[] wave = new double[PARTS_OF_DAY + 1];
        List<Segment> parts = new ArrayList<>();
        for (int i = 0; i <= PARTS_OF_DAY; i++) {
            double turn = 2 * Math.PI * (seconds(start) / seconds(day) + (double) i / PARTS_OF_DAY);
            wave[i] = Math.max(0, (trough + peak) / 2 - (peak - trough) / 2 * Math.cos(turn));
            if (i > 0) {
                parts.add(new Segment(wave[i - 1], wave[i], seconds(day) / PARTS_OF_DAY));
            }
        }
        return new SegmentRate(
                parts,
                After.REPEATED,
                "day from " + perSecond(trough) + " to " + perSecond(peak) + " in " + Durations.format(day)
                        + (start.isZero() ? "" : " starting at " + Durations.format(start)));
    }

    private double amount(String text) {
        double perUnit = number(text.substring(0, text.length() - 2));
        double perSecond = switch (text.charAt(text.length() - 1)) {
            case 's' -> perUnit;
            case 'm' -> perUnit / 60;
            default -> perUnit / 3600;
        };
        require(
                perSecond <= mostPerSecond,
                shown(text) + " is too fast (allowed: up to " + perSecond(mostPerSecond) + ")");
        return perSecond;
    }

    private static double number(String text) {
        require(NUMBER.matcher(text).matches(), "'" + shown(text) + "' is not a number (write for example 200 or 0.5)");
        return Double.parseDouble(text.replace("_", ""));
    }

    private static Duration time(String text) {
        return Durations.parse(text)
                .filter(time -> time.compareTo(Duration.ofMillis(1)) >= 0 && time.compareTo(LONGEST) <= 0)
                .orElseThrow(() -> new IllegalArgumentException(
                        "'" + shown(text) + "' is not a duration (allowed: 1ms to 3660d, for example 30s, 5m, 24h)"));
    }

    private static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }

    private static void require(boolean isGood, String why) {
        if (!isGood) {
            throw new IllegalArgumentException(why);
        }
    }

    private static String shown(String text) {
        return text.length() > 100 ? text.substring(0, 100) + "..." : text;
    }
}
