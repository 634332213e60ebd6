package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import siemload.database.postgresql.PostgresqlBulkLoad.LoadedDays;
import siemload.event.SecurityEvent;

final class DayPartitionTest {
    private static final Instant START = Instant.parse("2016-06-06T12:00:00Z");

    @Test
    void timesBeyondFourDigitsOfAYearHaveNoDay() {
        assertThat(at("0001-01-01T00:00:00Z").isOfOneDay()).isTrue();
        assertThat(at("9999-12-31T23:59:59Z").isOfOneDay()).isTrue();
        assertThat(at("0000-12-31T23:59:59Z")).isEqualTo(DayPartition.OTHER);
        assertThat(at("+10000-01-01T00:00:00Z")).isEqualTo(DayPartition.OTHER);
        assertThat(DayPartition.at(Instant.MIN)).isEqualTo(DayPartition.OTHER);
        assertThat(DayPartition.at(Instant.MAX)).isEqualTo(DayPartition.OTHER);
    }

    private static DayPartition at(String time) {
        return DayPartition.at(Instant.parse(time));
    }

    @Test
    void daysBeyondTheLastThatGetsAPartitionLieTogether() {
        LoadedDays days = new LoadedDays(true);
        List<SecurityEvent> many = IntStream.range(0, DayPartition.MOST_DAYS + 2)
                .mapToObj(day -> event("e" + day, day))
                .toList();
        List<DayPartition> places =
                days.split(many).keySet().stream().map(days::place).toList();
        assertThat(places).hasSize(DayPartition.MOST_DAYS + 2);
        assertThat(places.subList(0, DayPartition.MOST_DAYS)).doesNotContain(DayPartition.OTHER);
        assertThat(places.subList(DayPartition.MOST_DAYS, places.size())).containsOnly(DayPartition.OTHER);
        DayPartition sixth = new DayPartition("20160611");
        assertThat(days.place(sixth)).isEqualTo(sixth);
    }

    private static SecurityEvent event(String id, int day) {
        Instant time = START.plus(Duration.ofDays(day));
        return new SecurityEvent(id, time, List.of("Test"), "", List.of(), List.of(), List.of(), Map.of());
    }
}
