package siemload.dataset.format;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import siemload.event.IdeaTime;

/**
 * Reads the times of events: RFC 3339, milliseconds since 1970, and {@code MMM dd [yyyy] HH:mm:ss[.SSS] [zone]} as CEF and
 * RFC 3164 have them. Years 1970 to 9999. Immutable and thread-safe.
 *
 * @param zone of times that name none
 * @param latest for times without a year: they are of the last year in which they are at most a day after this
 */
record EventTimes(ZoneId zone, Instant latest) {
    private static final Instant END = Instant.parse("9999-12-31T23:59:59Z");

    private static final List<String> MONTHS =
            List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");
    private static final DateTimeFormatter NAMED_ZONE = DateTimeFormatter.ofPattern("zzz", Locale.ENGLISH);

    Optional<Instant> parse(JsonNode value) {
        if (value.isIntegralNumber() && value.canConvertToLong()) {
            return plausible(Instant.ofEpochMilli(value.longValue()));
        }
        return value.isTextual() ? parse(value.textValue()) : Optional.empty();
    }

    Optional<Instant> parse(String text) {
        if (text.isEmpty() || text.length() > 64) {
            return Optional.empty();
        }
        if (text.length() <= 15 && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return plausible(Instant.ofEpochMilli(Long.parseLong(text)));
        }
        Optional<Instant> time =
                Character.isDigit(text.charAt(0)) ? IdeaTime.parse(text).or(() -> local(text)) : written(text);
        return time.flatMap(EventTimes::plausible);
    }

    /** An instant that a plain 0 or a bad factor did not make. */
    private static Optional<Instant> plausible(Instant time) {
        return time.isAfter(Instant.EPOCH) && !time.isAfter(END) ? Optional.of(time) : Optional.empty();
    }

    private Optional<Instant> local(String text) {
        try {
            return Optional.of(LocalDateTime.parse(text).atZone(zone).toInstant());
        } catch (DateTimeException notATime) {
            return Optional.empty();
        }
    }

    private Optional<Instant> written(String text) {
        List<String> words = new ArrayList<>(List.of(text.strip().split(" +", 6)));
        try {
            int month = MONTHS.indexOf(words.remove(0).toLowerCase(Locale.ROOT)) + 1;
            int day = Integer.parseInt(words.remove(0));
            boolean hasYear = words.get(0).indexOf(':') < 0;
            int year = hasYear ? Integer.parseInt(words.remove(0)) : 0;
            LocalTime time = LocalTime.parse(words.remove(0));
            ZoneId used = words.isEmpty() ? zone : zone(words.remove(0));
            if (!words.isEmpty()) {
                return Optional.empty();
            }
            return Optional.of(hasYear ? at(year, month, day, time, used) : inLastYear(month, day, time, used));
        } catch (DateTimeException | NumberFormatException | IndexOutOfBoundsException notATime) {
            return Optional.empty();
        }
    }

    /** The last one in which there was such a day: 29 February comes every four years, or after eight. */
    private Instant inLastYear(int month, int day, LocalTime time, ZoneId used) {
        Instant limit = latest.plus(Duration.ofDays(1));
        int year = limit.atZone(used).getYear();
        while (!isDay(year, month, day) || at(year, month, day, time, used).isAfter(limit)) {
            year--;
        }
        return at(year, month, day, time, used);
    }

    /** @throws DateTimeException if no year has it */
    private static boolean isDay(int year, int month, int day) {
        return MonthDay.of(month, day).isValidYear(year);
    }

    private static Instant at(int year, int month, int day, LocalTime time, ZoneId zone) {
        return LocalDate.of(year, month, day).atTime(time).atZone(zone).toInstant();
    }

    private static ZoneId zone(String written) {
        boolean offset = written.charAt(0) == '+' || written.charAt(0) == '-';
        return offset ? ZoneId.of(written) : NAMED_ZONE.parse(written, ZoneId::from);
    }
}
