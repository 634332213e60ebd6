package siemload.database.postgresql;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
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

    /** The days whose years have four digits. */
    private static final Window DAYS =
            new Window(Instant.parse("0001-01-01T00:00:00Z"), Instant.parse("+10000-01-01T00:00:00Z"));

    /** That of the day of an event, be it there or not; the other one where the year has not four digits. */
    static DayPartition at(Instant detectTime) {
        return DAYS.contains(detectTime) ? of(LocalDate.ofInstant(detectTime, ZoneOffset.UTC)) : OTHER;
    }

    /** Those of the days that a time touches, from the first one on. */
    static List<DayPartition> during(Window times) {
        LocalDate first = LocalDate.ofInstant(times.from(), ZoneOffset.UTC);
        LocalDate last = LocalDate.ofInstant(times.until().minusNanos(1), ZoneOffset.UTC);
        return first.datesUntil(last.plusDays(1)).map(DayPartition::of).toList();
    }

    private static DayPartition of(LocalDate day) {
        return new DayPartition(day.format(DateTimeFormatter.BASIC_ISO_DATE));
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
        return Map.of("table", table, "partition", of(table), "day", name);
    }
}
