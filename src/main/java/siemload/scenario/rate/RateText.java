package siemload.scenario.rate;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.MatchResult;
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
 * 200/s                                              also 30/m and 100/h
 * ramp from 50/s to 500/s in 5m                      and 500/s from then on
 * steps 100/s for 1m, 200/s for 1m                   and the last one from then on; or ..., repeated
 * burst of 5000 in 2s every 1m beside 50/s           without beside: nothing in between
 * as captured x 2                                    as the data set was recorded, twice as fast; of feeders alone
 * day from 50/s to 400/s in 24h starting at 9h       the trough at 0h, the peak in the middle; both ends may be left out
 * </pre>
 *
 * Stateless and thread-safe.
 */
public final class RateText {
    static final String EXAMPLES = "200/s, ramp from 50/s to 500/s in 5m, steps 100/s for 1m, 200/s for 1m,"
            + " burst of 5000 in 2s every 1m beside 50/s, day from 50/s to 400/s in 24h";

    private static final String AMOUNT = "([0-9_.]+/[smh])";
    private static final String TIME = "([0-9a-zA-Z.]+)";
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,10}(_[0-9]{3})*(\\.[0-9]{1,9})?");
    private static final Pattern RAMP = Pattern.compile("ramp from " + AMOUNT + " to " + AMOUNT + " in " + TIME);
    private static final Pattern STEPS = Pattern.compile("steps (.+?)(, ?repeated)?");
    private static final Pattern STEP = Pattern.compile(AMOUNT + " for " + TIME);
    private static final Pattern BURST =
            Pattern.compile("burst of ([0-9_.]+) in " + TIME + " every " + TIME + "(?: beside " + AMOUNT + ")?");
    private static final Pattern DAY = Pattern.compile(
            "day from " + AMOUNT + " to " + AMOUNT + "(?: in " + TIME + ")?(?: starting at " + TIME + ")?");

    private static final Duration LONGEST = Duration.ofDays(3660);
    private static final Duration A_DAY = Duration.ofDays(1);
    private static final int MOST_TIMES = 1_000_000;
    private static final int MOST_STEPS = 1_000;
    private static final int MOST_CHARACTERS = 20_000;

    private static final Pattern CAPTURED = Pattern.compile("as captured(?: x ([0-9_.]+))?");

    private final double mostPerSecond;

    private RateText(double mostPerSecond) {
        this.mostPerSecond = mostPerSecond;
    }

    /**
     * The rates of things of which some were captured: these, too, may come as they did then.
     *
     * @param mostPerSecond the highest rate that is let through
     */
    public static ValueType<Rate> ofCaptured(double mostPerSecond) {
        return ValueType.of("rate, for example as captured, " + EXAMPLES, new ConstantRate(1), text -> {
            Matcher matcher = CAPTURED.matcher(tidy(text));
            return matcher.matches() ? captured(matcher.group(1)) : new RateText(mostPerSecond).parse(text);
        });
    }

    private static Rate captured(@Nullable String times) {
        double factor = times == null ? 1 : number(times);
        if (factor <= 0 || factor > MOST_TIMES) {
            throw new IllegalArgumentException(
                    times + " times is out of range (allowed: above 0, up to " + MOST_TIMES + ")");
        }
        return new CapturedRate(factor, Optional.empty());
    }

    private static String tidy(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }

    /**
     * The rates of one thing.
     *
     * @param mostPerSecond the highest rate that is let through
     */
    public static ValueType<Rate> type(double mostPerSecond) {
        return ValueType.of(
                "rate, for example " + EXAMPLES, new ConstantRate(1), text -> new RateText(mostPerSecond).parse(text));
    }

    /** A constant rate as it is written. */
    static String perSecond(double perSecond) {
        return plain(perSecond) + "/s";
    }

    /** A day as it is written. */
    static String day(DayRate rate) {
        String start = rate.startingAt().isZero() ? "" : " starting at " + Durations.format(rate.startingAt());
        return "day from " + perSecond(rate.trough()) + " to " + perSecond(rate.peak()) + " in "
                + Durations.format(rate.day()) + start;
    }

    private static String plain(double number) {
        return BigDecimal.valueOf(number)
                .setScale(9, RoundingMode.HALF_EVEN)
                .stripTrailingZeros()
                .toPlainString();
    }

    private Rate parse(String written) {
        String text = tidy(written);
        if (text.length() > MOST_CHARACTERS) {
            throw new IllegalArgumentException(
                    "the rate has " + text.length() + " characters (allowed: " + MOST_CHARACTERS + ")");
        }
        Rate rate = first(
                text,
                List.of(
                        new Form(RAMP, match -> ramp(match, text)),
                        new Form(STEPS, match -> steps(match, text)),
                        new Form(BURST, match -> burst(match, text)),
                        new Form(DAY, this::day),
                        new Form(Pattern.compile(AMOUNT), match -> new ConstantRate(amount(match.group(1))))));
        return rate.dueUntil((double) LONGEST.toSeconds()) == 0 ? ConstantRate.NONE : rate;
    }

    private record Form(Pattern pattern, Function<MatchResult, Rate> rate) {}

    private static Rate first(String text, List<Form> forms) {
        for (Form form : forms) {
            Matcher matcher = form.pattern().matcher(text);
            if (matcher.matches()) {
                return form.rate().apply(matcher.toMatchResult());
            }
        }
        throw new IllegalArgumentException("'" + shown(text) + "' is not a rate (write for example " + EXAMPLES + ")");
    }

    private Rate ramp(MatchResult match, String text) {
        Segment slope = new Segment(amount(match.group(1)), amount(match.group(2)), time(match.group(3)));
        return new SegmentRate(List.of(slope), After.HELD, text);
    }

    private Rate steps(MatchResult match, String text) {
        List<Segment> steps = new ArrayList<>();
        for (String step : match.group(1).split(", ?", -1)) {
            Matcher matcher = STEP.matcher(step);
            if (!matcher.matches()) {
                throw new IllegalArgumentException("'" + shown(step) + "' is no step (write for example 100/s for 1m)");
            }
            double rate = amount(matcher.group(1));
            steps.add(new Segment(rate, rate, time(matcher.group(2))));
        }
        if (steps.size() > MOST_STEPS) {
            throw new IllegalArgumentException(steps.size() + " steps are too many (allowed: " + MOST_STEPS + ")");
        }
        return new SegmentRate(steps, match.group(2) == null ? After.HELD : After.REPEATED, text);
    }

    private Rate burst(MatchResult match, String text) {
        double events = number(match.group(1));
        Duration burst = time(match.group(2));
        Duration period = time(match.group(3));
        double beside = match.group(4) == null ? 0 : amount(match.group(4));
        if (burst.compareTo(period) >= 0) {
            throw new IllegalArgumentException("a burst of " + Durations.format(burst) + " cannot begin every "
                    + Durations.format(period) + " (allowed: a burst shorter than that)");
        }
        double high = checked(beside + events / (burst.toNanos() / 1e9), text);
        return new SegmentRate(
                List.of(new Segment(high, high, burst), new Segment(beside, beside, period.minus(burst))),
                After.REPEATED,
                text);
    }

    private Rate day(MatchResult match) {
        double trough = amount(match.group(1));
        double peak = amount(match.group(2));
        if (trough > peak) {
            throw new IllegalArgumentException("a day goes from its trough to its peak, but " + perSecond(trough)
                    + " is more than " + perSecond(peak));
        }
        Duration day = match.group(3) == null ? A_DAY : time(match.group(3));
        Duration start = match.group(4) == null ? Duration.ZERO : start(match.group(4), day);
        return new DayRate(trough, peak, day, start);
    }

    private static Duration start(String text, Duration day) {
        return Durations.parse(text)
                .filter(start -> start.compareTo(day) < 0)
                .orElseThrow(() -> new IllegalArgumentException("'" + shown(text) + "' is no time of a day of "
                        + Durations.format(day) + " (allowed: from 0s to less than that)"));
    }

    private double amount(String text) {
        double perUnit = number(text.substring(0, text.length() - 2));
        return checked(
                switch (text.charAt(text.length() - 1)) {
                    case 's' -> perUnit;
                    case 'm' -> perUnit / 60;
                    default -> perUnit / 3600;
                },
                text);
    }

    private double checked(double perSecond, String text) {
        if (perSecond > mostPerSecond) {
            throw new IllegalArgumentException(
                    shown(text) + " is too fast (allowed: up to " + perSecond(mostPerSecond) + ")");
        }
        return perSecond;
    }

    private static double number(String text) {
        if (!NUMBER.matcher(text).matches()) {
            throw new IllegalArgumentException("'" + shown(text) + "' is not a number (write for example 200 or 0.5)");
        }
        return Double.parseDouble(text.replace("_", ""));
    }

    private static Duration time(String text) {
        return Durations.parse(text)
                .filter(time -> time.compareTo(Duration.ofMillis(1)) >= 0 && time.compareTo(LONGEST) <= 0)
                .orElseThrow(() -> new IllegalArgumentException(
                        "'" + shown(text) + "' is not a duration (allowed: 1ms to 3660d, for example 30s, 5m, 24h)"));
    }

    private static String shown(String text) {
        return text.length() > 100 ? text.substring(0, 100) + "..." : text;
    }
}
