package siemload.database.postgresql.load;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import siemload.database.postgresql.layout.DayPartition;
import siemload.database.postgresql.layout.Layout;
import siemload.database.postgresql.load.PostgresqlBulkLoad.Commits;
import siemload.event.SecurityEvent;

/**
 * Tells each event of a load which table it goes into. COPY can freeze rows only in a partition itself, which its own transaction
 * has made; so a data set's events are sorted by day here, and into tables that are there the server sorts them. Used by one thread.
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
     * Events for one table, or for one of its partitions.
     *
     * @param partition empty for the table as a whole
     */
    record Batch(Optional<DayPartition> partition, List<SecurityEvent> events) {
        /** Comes after the last one: it has no events, as no other has. */
        static final Batch END = new Batch(Optional.empty(), List.of());

        Batch {
            events = List.copyOf(events);
        }

        boolean isEnd() {
            return events.isEmpty();
        }
    }

    /** In their order, but for the days, which are those of the first event of each. */
    List<Batch> split(List<SecurityEvent> events) {
        if (!byDay || events.isEmpty()) {
            return List.of(new Batch(Optional.empty(), events));
        }
        Map<DayPartition, List<SecurityEvent>> byPartition = new LinkedHashMap<>();
        for (SecurityEvent event : events) {
            byPartition
                    .computeIfAbsent(place(event), unused -> new ArrayList<>())
                    .add(event);
        }
        List<Batch> batches = new ArrayList<>();
        byPartition.forEach((partition, some) -> batches.add(new Batch(Optional.of(partition), some)));
        return batches;
    }

    /** The first days get partitions, as many as there may be. */
    private DayPartition place(SecurityEvent event) {
        DayPartition day = DayPartition.at(event.detectTime());
        boolean fits = known.contains(day) || (known.size() < DayPartition.MOST_DAYS && known.add(day));
        return fits ? day : DayPartition.OTHER;
    }
}
