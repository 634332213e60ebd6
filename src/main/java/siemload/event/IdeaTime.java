package siemload.event;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.util.Locale;
import java.util.Optional;

/** Timestamps as IDEA writes them: RFC 3339, years 1 to 9999. Thread-safe. */
public final class IdeaTime {
    private static final int SECONDS_PER_DAY = 86_400;
    private static final long FIRST_SECOND = LocalDate.of(1, 1, 1).toEpochDay() * SECONDS_PER_DAY;
    private static final long LAST_SECOND = LocalDate.of(10_000, 1, 1).toEpochDay() * SECONDS_PER_DAY - 1;

    private static final long UNUSUAL = Long.MIN_VALUE;
    /** {@code 2016-06-06T12:00:00Z}, and the same with nine digits of a fraction. */
    private static final int SHORTEST = 20;

    private static final int LONGEST = 30;

    private static final DateTimeFormatter RFC_3339 = new DateTimeFormatterBuilder()
            .parseCaseInsensitive()
            .append(DateTimeFormatter.ISO_LOCAL_DATE)
            .appendPattern("[ ]['T']")
            .append(DateTimeFormatter.ISO_LOCAL_TIME)
            .optionalStart()
            .appendOffset("+HH:MM", "Z")
            .optionalEnd()
            .optionalStart()
            .appendOffset("+HHmm", "Z")
            .optionalEnd()
            .toFormatter(Locale.ROOT)
            .withResolverStyle(ResolverStyle.STRICT);

    private IdeaTime() {}

    /** The time in UTC, with as many digits after the second as it needs: none, 3, 6 or 9. */
    public static String format(Instant time) {
        long second = time.getEpochSecond();
        if (second < FIRST_SECOND || second > LAST_SECOND) {
            return time.toString();
        }
        int nanos = time.getNano();
        int digits = nanos == 0 ? 0 : nanos % 1_000_000 == 0 ? 3 : nanos % 1_000 == 0 ? 6 : 9;
        byte[] text = new byte[digits == 0 ? 20 : 21 + digits];
        date(text, Math.floorDiv(second, SECONDS_PER_DAY));
        timeOfDay(text, Math.floorMod(second, SECONDS_PER_DAY));
        if (digits > 0) {
            text[19] = '.';
            number(text, 20, digits, nanos / (digits == 3 ? 1_000_000 : digits == 6 ? 1_000 : 1));
        }
        text[text.length - 1] = 'Z';
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    /** Reads a date, {@code T} or a blank, a time and an offset ({@code Z}, {@code +02:00}, {@code +0200}). */
    public static Optional<Instant> parse(String text) {
        int length = text.length();
        boolean usual = length >= SHORTEST && length <= LONGEST && text.charAt(length - 1) == 'Z';
        long second = usual ? second(text) : UNUSUAL;
        long nanos = usual && second != UNUSUAL ? nanos(text) : UNUSUAL;
        return second == UNUSUAL || nanos == UNUSUAL
                ? parseAnyForm(text)
                : Optional.of(Instant.ofEpochSecond(second, nanos));
    }

    /** The second of a time in the form {@code 2016-06-06T12:00:00...}, on a day that every month has. */
    private static long second(String text) {
        int year = digits(text, 0, 4);
        int month = digits(text, 5, 7);
        int day = digits(text, 8, 10);
        int hour = digits(text, 11, 13);
        int minute = digits(text, 14, 16);
        int second = digits(text, 17, 19);
        boolean fits = text.charAt(4) == '-'
                && text.charAt(7) == '-'
                && text.charAt(10) == 'T'
                && text.charAt(13) == ':'
                && text.charAt(16) == ':'
                && (year | month | day | hour | minute | second) >= 0
                && year >= 1
                && month >= 1
                && month <= 12
                && day >= 1
                && day <= 28 + (month == 2 ? 0 : 2)
                && hour <= 23
                && minute <= 59
                && second <= 59;
        return fits ? epochDay(year, month, day) * SECONDS_PER_DAY + hour * 3_600L + minute * 60L + second : UNUSUAL;
    }

    /** The fraction between the second and the {@code Z}: none, or a point and 1 to 9 digits. */
    private static long nanos(String text) {
        int end = text.length() - 1;
        if (end == SHORTEST - 1) {
            return 0;
        }
        long fraction = text.charAt(SHORTEST - 1) == '.' && end > SHORTEST ? digits(text, SHORTEST, end) : -1;
        for (int i = end - SHORTEST; i < 9; i++) {
            fraction *= 10;
        }
        return fraction < 0 ? UNUSUAL : fraction;
    }

    /** The number that these characters are, at most 9; negative if one is no digit. */
    private static int digits(String text, int from, int to) {
        int number = 0;
        for (int i = from; i < to; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = number * 10 + digit;
        }
        return number;
    }

    /** The number of a day since 1970, after the same source as {@link #date}. */
    private static long epochDay(int year, int month, int day) {
        int shifted = month <= 2 ? year - 1 : year;
        int era = Math.floorDiv(shifted, 400);
        int yearOfEra = shifted - era * 400;
        int dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
        int dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
        return era * 146_097L + dayOfEra - 719_468;
    }

    private static Optional<Instant> parseAnyForm(String text) {
        try {
            return Optional.of(OffsetDateTime.parse(text, RFC_3339).toInstant())
                    .filter(time -> time.getEpochSecond() >= FIRST_SECOND && time.getEpochSecond() <= LAST_SECOND);
        } catch (DateTimeException notATime) {
            return Optional.empty();
        }
    }

    /** Year, month and day of a day number, after Howard Hinnant's "chrono-compatible low-level date algorithms". */
    private static void date(byte[] text, long epochDay) {
        long shifted = epochDay + 719_468;
        long era = Math.floorDiv(shifted, 146_097);
        int dayOfEra = (int) (shifted - era * 146_097);
        int yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        int dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        int monthFromMarch = (5 * dayOfYear + 2) / 153;
        int month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
        number(text, 0, 4, (int) (yearOfEra + era * 400) + (month <= 2 ? 1 : 0));
        text[4] = '-';
        number(text, 5, 2, month);
        text[7] = '-';
        number(text, 8, 2, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1);
    }

    private static void timeOfDay(byte[] text, int second) {
        text[10] = 'T';
        number(text, 11, 2, second / 3_600);
        text[13] = ':';
        number(text, 14, 2, second / 60 % 60);
        text[16] = ':';
        number(text, 17, 2, second % 60);
    }

    private static void number(byte[] text, int from, int digits, int value) {
        int rest = value;
        for (int i = from + digits - 1; i >= from; i--) {
            text[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }
}
