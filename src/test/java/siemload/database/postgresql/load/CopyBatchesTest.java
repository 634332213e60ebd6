package siemload.database.postgresql.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import siemload.database.postgresql.layout.DayPartition;
import siemload.database.postgresql.layout.Layout;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

final class CopyBatchesTest {
    private static final Optional<DayPartition> FIRST = Optional.of(new DayPartition("20160606"));
    private static final Optional<DayPartition> SECOND = Optional.of(new DayPartition("20160607"));

    @Test
    void batchesTogetherHaveTheRowsOfAllEventsInTheirOrder() throws SQLException {
        List<SecurityEvent> events = events(2_000, 300);

        List<CopyBatch> batches = batches(Map.of(Optional.empty(), events));

        assertThat(batches).hasSizeGreaterThan(3).allMatch(batch -> batch.memoryBytes() < 600_000);
        assertThat(batches.stream().mapToLong(CopyBatch::jsonBytes).sum()).isEqualTo(jsonBytes(events));
        for (int table = 0; table < 2; table++) {
            CopyBuffer all = new CopyBuffer(8);
            CopyFormat format = CopyFormat.of(Layout.MENTAT.tables().get(table));
            events.forEach(event -> format.rows(event, all));
            int number = table;
            List<CopyBuffer> parts =
                    batches.stream().map(batch -> batch.rows().get(number)).toList();
            assertThat(SentRows.of(parts)).isEqualTo(SentRows.of(List.of(all)));
        }
    }

    @Test
    void aBatchOfLargeEventsHasFewOfThem() {
        assertThat(batches(Map.of(Optional.empty(), events(70, 100_000))))
                .hasSize(3)
                .allMatch(batch -> batch.memoryBytes() < 32 * 600_000);
    }

    @Test
    void noBatchHasEventsOfTwoDays() {
        Map<Optional<DayPartition>, List<SecurityEvent>> byDay = new LinkedHashMap<>();
        byDay.put(SECOND, events(1, 10));
        byDay.put(FIRST, events(2, 10));

        assertThat(batches(byDay))
                .allMatch(batch -> batch.memoryBytes() < 10_000)
                .extracting(CopyBatch::day)
                .containsExactly(SECOND, FIRST);
        CopyBatches none = new CopyBatches(Layout.MENTAT, Map.of());
        assertThat(none.hasNext()).isFalse();
        assertThatThrownBy(none::next).isInstanceOf(NoSuchElementException.class);
    }

    private static List<CopyBatch> batches(Map<Optional<DayPartition>, List<SecurityEvent>> byDay) {
        List<CopyBatch> batches = new ArrayList<>();
        new CopyBatches(Layout.MENTAT, byDay).forEachRemaining(batches::add);
        return batches;
    }

    private static List<SecurityEvent> events(int count, int descriptionLength) {
        return IntStream.range(0, count)
                .mapToObj(number -> new SecurityEvent(
                        "event " + number,
                        Instant.EPOCH.plusSeconds(number),
                        List.of("Test"),
                        "x".repeat(descriptionLength),
                        List.of(),
                        List.of(),
                        List.of(),
                        Map.of()))
                .toList();
    }

    private static long jsonBytes(List<SecurityEvent> events) {
        IdeaWriter writer = new IdeaWriter();
        return events.stream().mapToLong(event -> writer.toBytes(event).length).sum();
    }
}
