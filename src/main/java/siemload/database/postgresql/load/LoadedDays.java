package siemload.database.postgresql.load;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import siemload.database.postgresql.layout.DayPartition;
import siemload.database.postgresql.layout.Layout;
import siemload.database.postgresql.load.PostgresqlBulkLoad.Commits;
import siemload.event.SecurityEvent;

/**
 * Tells each event of a load which table it goes into. COPY can freeze rows only in a partition itself, which its own transaction
 * has made; so a data set's events are sorted by day here, and into tables that are there the server sorts them. Used by one thread,
 * but for {@link #split}.
 */
final class LoadedDays {
    private final boolean byDay;
    private final Set<DayPartition> known = new HashSet<>();

    private LoadedDays(boolean byDay) {
        this.byDay = byDay;
    }

    static LoadedDays of(Layout layout, Commits commits) {
        return new LoadedDays(layout.isByDay() && commits == Commits.AT_END);
    }

    /**
     * The events of each day, in their order; the days in that of their first events. Called by any thread, by several at once.
     *
     * @return all events under no day where they go into the tables as a whole
     */
    Map<Optional<DayPartition>, List<SecurityEvent>> split(List<SecurityEvent> events) {
        if (events.isEmpty()) {
            return Map.of();
        }
        if (!byDay) {
            return Map.of(Optional.empty(), events);
        }
        return events.stream()
                .collect(Collectors.groupingBy(
                        event -> Optional.of(DayPartition.at(event.detectTime())),
                        LinkedHashMap::new,
                        Collectors.toList()));
    }

    /** Where events of a day go, in the order of the load: the first days get partitions, as many as there may be. */
    Optional<DayPartition> place(Optional<DayPartition> day) {
        return day.map(each -> known.contains(each) || (known.size() < DayPartition.MOST_DAYS && known.add(each))
                ? each
                : DayPartition.OTHER);
    }
}
