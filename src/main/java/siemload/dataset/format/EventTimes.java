package siemload.dataset.format;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.text.ParsePosition;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import siemload.config.ValueType;
import siemload.event.EventLineReader;
import siemload.event.IdeaTime;

/**
 * Reads the times of events. A time as text has the form of RFC 3339, also with a blank, without seconds or without a zone; or {@code MMM d
 * [yyyy] HH:mm:ss[.SSS] [zone] [yyyy]} as in CEF and RFC 3164; or {@code d/MMM/yyyy:HH:mm:ss} as in web servers' logs. A number is in
 * seconds, milliseconds, microseconds or nanoseconds since 1970, depending on its size. An abbreviation of a zone is a fixed offset, never
 * a region with summer time. Thread-safe.
 */
final class EventTimes {
    /** The units of times as numbers; each unit is a thousandth of the unit before it. */
    static final List<String> UNITS = List.of("seconds", "milliseconds", "microseconds", "nanoseconds");

    /** The zones of abbreviations with one meaning; mapping files define abbreviations with several meanings. */
    private static final Map<String, ZoneOffset> ABBREVIATIONS = Mapping.named("zones").entrySet().stream()
            .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, one -> ZoneOffset.of(one.getValue())));
    /** IST means the time of India, Ireland or Israel, CST that of Chicago, China or Cuba, and so on. */
    private static final Set<String> AMBIGUOUS = Set.of("IST", "CST", "AST", "SST", "GST", "AMT", "ECT", "PYT", "WST");

    private static final List<String> MONTHS =
            List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");
    private static final Pattern WRITTEN = Pattern.compile(
            "(?:[A-Za-z]{3}, ?|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) +)?"
                    + "(?:(\\d{4})[-/](\\d\\d)[-/](\\d\\d)(?:[Tt]| +)|(?:(\\d{4}) +)?([A-Za-z]{3}) +(\\d{1,2})(?:,? (\\d{4}))? +"
                    + "|(\\d{1,2})[ /-]([A-Za-z]{3})[ /-](\\d{4})[ :])"
                    + "(\\d{1,2}):(\\d\\d)(?::(\\d\\d)(?:[.,](\\d{1,9})\\d*)?)?(?: (\\d{4}))? *(?!\\d{4}$)\\(?(\\S*?)\\)?(?: +(\\d{4}))?");
    private static final Pattern DATE_OF_POWERSHELL = Pattern.compile("/Date\\((-?\\d{1,15})(?:[+-]\\d{4})?\\)/");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,20}(?:\\.\\d{1,9}\\d*)?(?:[eE]\\+?\\d{1,2})?");
    private static final Pattern OFFSET = Pattern.compile("((UTC|GMT)[+-]\\d|[+-]\\d\\d)\\d?(:?\\d\\d)?|utc|gmt");
    private static final Set<String> REGIONS = ZoneId.getAvailableZoneIds();
    private static final List<ChronoField> PARTS_OF_TIMES =
            List.of(ChronoField.HOUR_OF_AMPM, ChronoField.MINUTE_OF_HOUR, ChronoField.SECOND_OF_MINUTE);
    /** A sample time that each pattern must write and read back. */
    private static final ZonedDateTime SAMPLE = ZonedDateTime.parse("2016-11-24T22:33:44Z");

    private static final int LONGEST = 64;
    private static final int MOST_PATTERNS = 100;
    private static final int NANO_DIGITS = 9;

    private final ZoneId zone;
    private final Map<String, ZoneOffset> zones;
    private final Instant modified;
    private final Instant last;
    /** The forms of times, by the patterns that occur in events. */
    private final Map<String, Optional<Form>> forms = new ConcurrentHashMap<>();

    /**
     * @param zone the zone of times without a zone
     * @param zones abbreviations of zones, in addition to the known ones
     * @param modified the last change of the file: a time without a year is in the last year that puts it at most a day after the change
     */
    EventTimes(ZoneId zone, Map<String, ZoneOffset> zones, Instant modified) {
        this.zone = zone;
        this.zones = new HashMap<>(ABBREVIATIONS);
        this.zones.putAll(zones);
        this.modified = modified;
        this.last = EventLineReader.lastTime(modified);
    }

    EventTimes in(ZoneId other) {
        return new EventTimes(other, zones, modified);
    }

    /** A form in which times are written: a pattern, and its part before a zone's abbreviation if one follows. */
    record Form(DateTimeFormatter pattern, Optional<DateTimeFormatter> beforeZone) {
        private static final Pattern ZONE = Pattern.compile("((?:[^'z]|'[^']*')*)z{1,4}(.*)");
        private static final Pattern WEEK_YEAR = Pattern.compile("(?:[^'wY]|'[^']*')*Y(?:[^'w]|'[^']*')*");
        private static final Pattern ZONE_IN_TEXT = Pattern.compile("(?: ?((?!\\d)[\\w+:/-]+))?");

        static final ValueType<Form> TYPE = ValueType.ofTimes(
                "a pattern of times",
                new Form(DateTimeFormatter.ISO_OFFSET_DATE_TIME, Optional.empty()),
                Form::of,
                "dd.MM.uuuu HH:mm:ss, without Y, which counts weeks");

        /** Makes a form; throws {@link IllegalArgumentException} if the text is not a pattern of {@link DateTimeFormatter}. */
        static Form of(String pattern) {
            if (WEEK_YEAR.matcher(pattern).matches()) {
                throw new IllegalArgumentException(pattern);
            }
            Matcher zone = ZONE.matcher(pattern);
            if (!zone.matches()) {
                return new Form(formatter(pattern), Optional.empty());
            }
            String before = zone.group(1).stripTrailing();
            return new Form(formatter(before + zone.group(2)), Optional.of(formatter(before)));
        }

        private static DateTimeFormatter formatter(String pattern) {
            return new DateTimeFormatterBuilder()
                    .parseCaseInsensitive()
                    .parseLenient()
                    .appendPattern(pattern)
                    .toFormatter(Locale.ENGLISH);
        }
    }

    /** Returns whether this may be the time of a recorded event. */
    boolean isPlausible(Instant time) {
        return EventLineReader.isPlausible(time, last);
    }

    /** Returns whether a word after a time in a header names the time's zone. */
    static boolean isZone(String word) {
        return ABBREVIATIONS.containsKey(word)
                || AMBIGUOUS.contains(word)
                || OFFSET.matcher(word).matches()
                || (word.indexOf('/') > 0 && REGIONS.contains(word));
    }

    /** Reads a time of 1970 to 9999 in any known form; empty for other values, and for numbers that are plausible in no unit. */
    Optional<Instant> parse(JsonNode value) {
        return value.isNumber() ? number(value.decimalValue(), -1) : parse(value.isTextual() ? value.textValue() : "");
    }

    Optional<Instant> parse(String written) {
        String text = written.strip();
        if (text.isEmpty() || text.length() > LONGEST) {
            return Optional.empty();
        }
        if (NUMBER.matcher(text).matches()) {
            return number(new BigDecimal(text), -1);
        }
        return IdeaTime.parse(text).or(() -> written(text)).filter(time -> time.isAfter(Instant.EPOCH));
    }

    /** Reads a time as a number in this unit, or as the digits of a number. */
    Optional<Instant> parse(JsonNode value, int digitsOfSecond) {
        String text = value.isNumber() || value.isTextual() ? value.asText().strip() : "";
        return NUMBER.matcher(text).matches() ? number(new BigDecimal(text), digitsOfSecond) : Optional.empty();
    }

    /** Reads a time by a pattern that the event itself contains, or in any known form if this pattern fails. */
    Optional<Instant> parseAs(String text, String pattern) {
        if (pattern.length() > LONGEST) {
            return parse(text);
        }
        if (forms.size() >= MOST_PATTERNS) {
            forms.clear();
        }
        return forms.computeIfAbsent(pattern, Form.TYPE::tryParse)
                .flatMap(known -> parse(text, known))
                .or(() -> parse(text));
    }

    /** Returns whether texts of this form are times: a form needs a day, a month and an hour. */
    boolean makesTime(Form form) {
        try {
            String text = form.pattern.format(SAMPLE);
            return parse(text, new Form(form.pattern, Optional.empty())).isPresent();
        } catch (DateTimeException unwritable) {
            return false;
        }
    }

    Optional<Instant> parse(String text, Form form) {
        String plain = text;
        String behind = "";
        try {
            if (form.beforeZone.isPresent()) {
                ParsePosition end = new ParsePosition(0);
                var unused = form.beforeZone.get().parseUnresolved(text, end);
                Matcher word = Form.ZONE_IN_TEXT.matcher(text).region(end.getIndex(), text.length());
                behind = word.lookingAt() && word.group(1) != null ? word.group(1) : "";
                plain = text.substring(0, end.getIndex()) + text.substring(word.end());
            }
            TemporalAccessor read = form.pattern.parse(plain);
            LocalDate date = read.query(TemporalQueries.localDate());
            LocalTime time = read.query(TemporalQueries.localTime());
            if (time == null && PARTS_OF_TIMES.stream().anyMatch(read::isSupported)) {
                return Optional.empty();
            }
            ZoneId named = read.query(TemporalQueries.zone());
            LocalTime clock = time == null ? LocalTime.MIDNIGHT : time;
            return zone(behind)
                    .map(written -> named == null ? written : named)
                    .map(used -> instant(Optional.ofNullable(date), MonthDay.from(read), clock, used))
                    .filter(found -> found.isAfter(Instant.EPOCH));
        } catch (DateTimeException notATime) {
            return Optional.empty();
        }
    }

    /** @param digitsOfSecond the decimal digits of a second in the number's unit; negative if the number's size determines the unit */
    private Optional<Instant> number(BigDecimal number, int digitsOfSecond) {
        long wholeDigits = (long) number.precision() - number.scale();
        if (number.signum() <= 0 || wholeDigits < 0 || wholeDigits > 19) {
            return Optional.empty();
        }
        // Each unit covers 1973 to 5138; nanoseconds start in 2001, since ticks of .NET have 18 digits.
        int digits = digitsOfSecond >= 0
                ? digitsOfSecond
                : wholeDigits <= 11 ? 0 : wholeDigits <= 14 ? 3 : wholeDigits <= 18 ? 6 : 9;
        BigInteger[] parts = number.movePointRight(NANO_DIGITS - digits)
                .toBigInteger()
                .divideAndRemainder(BigInteger.TEN.pow(NANO_DIGITS));
        return Optional.of(parts[0])
                .filter(seconds -> seconds.bitLength() < 38)
                .map(seconds -> Instant.ofEpochSecond(seconds.longValue(), parts[1].longValue()))
                .filter(time -> digitsOfSecond >= 0 ? time.getEpochSecond() <= 253_402_300_799L : isPlausible(time));
    }

    private Optional<Instant> written(String text) {
        Matcher parts = WRITTEN.matcher(text);
        if (!parts.matches()) {
            Matcher millis = DATE_OF_POWERSHELL.matcher(text);
            return millis.matches()
                    ? Optional.of(Instant.ofEpochMilli(Long.parseLong(millis.group(1))))
                    : Optional.empty();
        }
        try {
            boolean isIso = parts.group(1) != null;
            boolean isMonthFirst = parts.group(5) != null;
            String month = parts.group(isIso ? 2 : isMonthFirst ? 5 : 9);
            int number = isIso ? Integer.parseInt(month) : MONTHS.indexOf(month.toLowerCase(Locale.ROOT)) + 1;
            MonthDay monthDay = MonthDay.of(number, Integer.parseInt(parts.group(isIso ? 3 : isMonthFirst ? 6 : 8)));
            int year = isIso ? 1 : !isMonthFirst ? 10 : parts.group(7) == null ? 4 : 7;
            String behind = parts.group(15) == null ? parts.group(17) : parts.group(15);
            Optional<LocalDate> date = Optional.ofNullable(parts.group(year) == null ? behind : parts.group(year))
                    .map(written -> LocalDate.of(Integer.parseInt(written), number, monthDay.getDayOfMonth()));
            String fraction = parts.group(14) == null ? "" : parts.group(14);
            int second = parts.group(13) == null ? 0 : Integer.parseInt(parts.group(13));
            int leap = second == 60 ? 1 : 0;
            LocalTime time = LocalTime.of(
                    Integer.parseInt(parts.group(11)),
                    Integer.parseInt(parts.group(12)),
                    second - leap,
                    Integer.parseInt((fraction + "000000000").substring(0, NANO_DIGITS)));
            return zone(parts.group(16))
                    .map(named -> instant(date, monthDay, time, named).plusSeconds(leap))
                    .filter(read -> leap == 0 || IdeaTime.isBehindLeapSecond(read.getEpochSecond()));
        } catch (DateTimeException notATime) {
            return Optional.empty();
        }
    }

    /** Returns the zone of a name, or the default zone without a name; empty if the name is unknown or ambiguous. */
    private Optional<ZoneId> zone(String name) {
        if (name.isEmpty()) {
            return Optional.of(zone);
        }
        ZoneOffset known = zones.get(name.toUpperCase(Locale.ROOT));
        if (known != null) {
            return Optional.of(known);
        }
        try {
            return name.matches("[+-].*|(?:UTC|GMT)[+-].*|[A-Za-z]+/.*")
                    ? Optional.of(ZoneId.of(name))
                    : Optional.empty();
        } catch (DateTimeException unknown) {
            return Optional.empty();
        }
    }

    private Instant instant(Optional<LocalDate> date, MonthDay day, LocalTime time, ZoneId used) {
        return date.map(known -> known.atTime(time).atZone(used).toInstant())
                .orElseGet(() -> inLastYear(day, time, used));
    }

    /** Returns a time in the last year with this day: 29 February comes every four years, or after eight. */
    private Instant inLastYear(MonthDay day, LocalTime time, ZoneId used) {
        Instant limit = modified.plus(Duration.ofDays(1));
        for (int year = limit.atZone(used).getYear(); ; year--) {
            Instant at = day.atYear(year).atTime(time).atZone(used).toInstant();
            if (day.isValidYear(year) && !at.isAfter(limit)) {
                return at;
            }
        }
    }
}
