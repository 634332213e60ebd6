package siemload.database.postgresql;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import siemload.query.Window;

/**
 * One partition of each table of a layout by day: that of a day in UTC, or the one of all days that have none, so that no event is
 * without a place. Immutable.
 *
 * @param name what its tables' names end with: {@code 20160606}, or {@code other}; empty for the tables as a whole
 */
record DayPartition(String name) {
    /** That of all days without one. */
    static final DayPartition OTHER = new DayPartition("other");
    /** No partition, but all of them. */
    static final DayPartition WHOLE = new DayPartition("");

    /**
     * How many days get one, at most: each takes locks of every search without a window, and of whoever makes them in one
     * transaction, and a server has room for some thousands.
     */
    static final int MOST_DAYS = 366;

    /** The days whose years have four digits. */
    private static final Window DAYS =
            new Window(Instant.parse("0001-01-01T00:00:00Z"), Instant.parse("+10000-01-01T00:00:00Z"));

    /** That of the day of an event, be it there or not; the other one where the year has not four digits. */
    static DayPartition at(Instant detectTime) {
        return DAYS.contains(detectTime) ? of(day(detectTime)) : OTHER;
    }

    /** Those of the days that a time touches, from the first one on. */
    static List<DayPartition> during(Window times) {
        List<DayPartition> days = new ArrayList<>();
        LocalDate end = day(times.until().minusNanos(1));
        for (LocalDate day = day(times.from()); !day.isAfter(end) && days.size() < MOST_DAYS; day = day.plusDays(1)) {
            days.add(of(day));
        }
        return days;
    }

    private static DayPartition of(LocalDate day) {
        return new DayPartition(day.format(DateTimeFormatter.BASIC_ISO_DATE));
    }

    private static LocalDate day(Instant time) {
        return LocalDate.ofInstant(time, ZoneOffset.UTC);
    }

    boolean isOfOneDay() {
        return !equals(OTHER) && !equals(WHOLE);
    }

    /** The name of its part of a table. */
    String of(String table) {
        return equals(WHOLE) ? table : table + "_" + name;
    }

    /** The parts of the statement that creates its part of a table. */
    Map<String, String> parts(String table) {
        return isOfOneDay()
                ? Map.of(
                        "table", table, "partition", of(table), "from", start(day()), "until", start(day().plusDays(1)))
                : Map.of("table", table, "partition", of(table));
    }

    private LocalDate day() {
        return LocalDate.parse(name, DateTimeFormatter.BASIC_ISO_DATE);
    }

    /** A literal, since no value can be bound here. */
    private static String start(LocalDate day) {
        return "'" + SqlText.timestamp(day.atStartOfDay().toInstant(ZoneOffset.UTC)) + "'";
    }
}
