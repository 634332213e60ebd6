package siemload.event;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Optional;

/** Timestamps in IDEA: RFC 3339, years 1 to 9999. Thread-safe. */
public final class IdeaTime {
    private static final long FIRST_SECOND =
            Instant.parse("0001-01-01T00:00:00Z").getEpochSecond();
    private static final long LAST_SECOND =
            Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();

    /** The position at which the usual form, {@code 2016-06-06T12:00:00Z}, may continue with a point and up to nine digits. */
    private static final int FRACTION = 19;

    private IdeaTime() {}

    /** Formats like {@link Instant#toString}, but faster: in UTC, with 0, 3, 6 or 9 digits after the second, as needed. */
    public static String format(Instant time) {
        if (!isInRange(time)) {
            return time.toString();
        }
        LocalDateTime utc = LocalDateTime.ofEpochSecond(time.getEpochSecond(), 0, ZoneOffset.UTC);
        int nanos = time.getNano();
        int digits = nanos == 0 ? 0 : nanos % 1_000_000 == 0 ? 3 : nanos % 1_000 == 0 ? 6 : 9;
        byte[] text = new byte[digits == 0 ? FRACTION + 1 : FRACTION + 2 + digits];
        number(text, 0, 4, utc.getYear(), '-');
        number(text, 5, 2, utc.getMonthValue(), '-');
        number(text, 8, 2, utc.getDayOfMonth(), 'T');
        number(text, 11, 2, utc.getHour(), ':');
        number(text, 14, 2, utc.getMinute(), ':');
        number(text, 17, 2, utc.getSecond(), digits == 0 ? 'Z' : '.');
        if (digits > 0) {
            number(text, FRACTION + 1, digits, nanos / (digits == 3 ? 1_000_000 : digits == 6 ? 1_000 : 1), 'Z');
        }
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    private static void number(byte[] text, int from, int digits, int value, char behind) {
        int rest = value;
        for (int i = from + digits - 1; i >= from; i--) {
            text[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        text[from + digits] = (byte) behind;
    }

    /**
     * Reads a date, {@code T} or a blank, a time and an offset ({@code Z}, {@code +02:00}, {@code +0200}). Each line of a recording has a
     * time or more, so this method makes no objects for the parts of a time.
     */
    public static Optional<Instant> parse(String text) {
        int end = text.length();
        if (end < FRACTION - 2
                || text.charAt(4) != '-'
                || text.charAt(7) != '-'
                || " Tt".indexOf(text.charAt(10)) < 0
                || text.charAt(13) != ':') {
            return Optional.empty();
        }
        boolean hasSecond = text.charAt(16) == ':';
        int fraction = Math.min(end, hasSecond ? FRACTION : 16);
        int zone = fraction;
        if (hasSecond && zone < end && text.charAt(zone) == '.') {
            do {
                zone++;
            } while (zone < end && text.charAt(zone) >= '0' && text.charAt(zone) <= '9');
        }
        int hour = digits(text, 11, 13);
        int minute = digits(text, 14, 16);
        int second = hasSecond ? digits(text, 17, fraction) : 0;
        int nanos = zone == fraction
                ? 0
                : zone == fraction + 1 ? -1 : digits(text, fraction + 1, Math.min(zone, fraction + 10));
        for (int i = zone - fraction - 1; nanos > 0 && i < 9; i++) {
            nanos *= 10;
        }
        if ((hour | minute | second | nanos) < 0 || hour > 23 || minute > 59 || second > 60) {
            return Optional.empty();
        }
        try {
            boolean isUtc = zone == end - 1 && (text.charAt(zone) == 'Z' || text.charAt(zone) == 'z');
            int ahead = isUtc ? 0 : ZoneOffset.of(text.substring(zone)).getTotalSeconds();
            LocalDate day = LocalDate.of(digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10));
            long seconds = day.toEpochDay() * 86_400 + hour * 3_600L + minute * 60L + second - ahead;
            return second == 60 && !isBehindLeapSecond(seconds)
                    ? Optional.empty()
                    : Optional.of(Instant.ofEpochSecond(seconds, nanos)).filter(IdeaTime::isInRange);
        } catch (DateTimeException noTime) {
            return Optional.empty();
        }
    }

    /** Returns whether July or January begins at this second; a leap second (60) just before such a second is read as that second. */
    public static boolean isBehindLeapSecond(long seconds) {
        LocalDate day = LocalDate.ofEpochDay(Math.floorDiv(seconds, 86_400L));
        return Math.floorMod(seconds, 86_400L) == 0 && day.getDayOfMonth() == 1 && day.getMonthValue() % 6 == 1;
    }

    private static boolean isInRange(Instant time) {
        return time.getEpochSecond() >= FIRST_SECOND && time.getEpochSecond() <= LAST_SECOND;
    }

    /** The value of at most 9 digits; {@link Integer#MIN_VALUE} if one of the characters is not a digit. */
    private static int digits(String text, int from, int to) {
        int number = 0;
        for (int i = from; i < to; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return Integer.MIN_VALUE;
            }
            number = number * 10 + digit;
        }
        return number;
    }
}
