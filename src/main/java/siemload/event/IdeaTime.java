package siemload.event;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.util.Locale;
import java.util.Optional;

/** Timestamps as IDEA writes them: RFC 3339, years 1 to 9999. Thread-safe. */
public final class IdeaTime {
    private static final long FIRST_SECOND =
            Instant.parse("0001-01-01T00:00:00Z").getEpochSecond();
    private static final long LAST_SECOND =
            Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();

    /** Where the usual form, {@code 2016-06-06T12:00:00Z}, may go on with a point and up to nine digits. */
    private static final int FRACTION = 19;

    private static final DateTimeFormatter RFC_3339 = new DateTimeFormatterBuilder()
            .parseCaseInsensitive()
            .append(DateTimeFormatter.ISO_LOCAL_DATE)
            .appendPattern("[ ]['T']")
            .append(DateTimeFormatter.ISO_LOCAL_TIME)
            .appendPattern("[XXX][X]")
            .toFormatter(Locale.ROOT)
            .withResolverStyle(ResolverStyle.STRICT);

    private IdeaTime() {}

    /** As {@link Instant#toString}, which takes longer: in UTC, with as many digits after the second as it needs: none, 3, 6 or 9. */
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

    /** Reads a date, {@code T} or a blank, a time and an offset ({@code Z}, {@code +02:00}, {@code +0200}). */
    public static Optional<Instant> parse(String text) {
        try {
            Instant time = isUsual(text)
                    ? usual(text)
                    : OffsetDateTime.parse(text, RFC_3339).toInstant();
            return isInRange(time) ? Optional.of(time) : Optional.empty();
        } catch (DateTimeException notATime) {
            return Optional.empty();
        }
    }

    /** Without objects for the parts of the time, since each line of a recording has one or more. */
    private static Instant usual(String text) {
        int hour = digits(text, 11, 13);
        int minute = digits(text, 14, 16);
        int second = digits(text, 17, FRACTION);
        int end = text.length() - 1;
        int nanos = end == FRACTION ? 0 : digits(text, FRACTION + 1, end);
        if ((hour | minute | second | nanos) < 0 || hour > 23 || minute > 59 || second > 59) {
            throw new DateTimeException("no time of day");
        }
        for (int i = end - FRACTION - 1; nanos > 0 && i < 9; i++) {
            nanos *= 10;
        }
        LocalDate day = LocalDate.of(digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10));
        return Instant.ofEpochSecond(day.toEpochDay() * 86_400 + hour * 3_600L + minute * 60L + second, nanos);
    }

    private static boolean isInRange(Instant time) {
        return time.getEpochSecond() >= FIRST_SECOND && time.getEpochSecond() <= LAST_SECOND;
    }

    /** Whether the signs of a time in UTC stand where most have them; what stands between them need not be digits. */
    private static boolean isUsual(String text) {
        int end = text.length() - 1;
        return end >= FRACTION
                && end != FRACTION + 1
                && end <= FRACTION + 10
                && text.charAt(end) == 'Z'
                && text.charAt(4) == '-'
                && text.charAt(7) == '-'
                && text.charAt(10) == 'T'
                && text.charAt(13) == ':'
                && text.charAt(16) == ':'
                && (end == FRACTION || text.charAt(FRACTION) == '.');
    }

    /** The number that these characters are, at most 9; one that no part of a time has if they are not all digits. */
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
