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
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
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

    private static final DateTimeFormatter WRITTEN = new DateTimeFormatterBuilder()
            .parseCaseInsensitive()
            .appendPattern("MMM d[ uuuu] ")
            .append(DateTimeFormatter.ISO_LOCAL_TIME)
            .appendPattern("[ xxx][ x][ zzz]")
            .toFormatter(Locale.ENGLISH)
            .withResolverStyle(ResolverStyle.STRICT);

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
        try {
            TemporalAccessor read = WRITTEN.parse(text.strip().replaceAll(" +", " "));
            ZoneId used =
                    Optional.ofNullable(read.query(TemporalQueries.zone())).orElse(zone);
            LocalTime time = LocalTime.from(read);
            Optional<LocalDate> date = Optional.ofNullable(read.query(TemporalQueries.localDate()));
            return Optional.of(date.map(day -> day.atTime(time).atZone(used).toInstant())
                    .orElseGet(() -> inLastYear(MonthDay.from(read), time, used)));
        } catch (DateTimeException notATime) {
            return Optional.empty();
        }
    }

    /** The last one in which there was such a day: 29 February comes every four years, or after eight. */
    private Instant inLastYear(MonthDay day, LocalTime time, ZoneId used) {
        Instant limit = latest.plus(Duration.ofDays(1));
        for (int year = limit.atZone(used).getYear(); ; year--) {
            Instant at = day.atYear(year).atTime(time).atZone(used).toInstant();
            if (day.isValidYear(year) && !at.isAfter(limit)) {
                return at;
            }
        }
    }
}
