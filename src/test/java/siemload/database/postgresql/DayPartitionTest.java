package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import siemload.query.Window;

final class DayPartitionTest {

    @Test
    void aDayBeginsAtMidnightInUtc() {
        assertThat(at("2016-06-06T00:00:00Z").of("events")).isEqualTo("events_20160606");
        assertThat(at("2016-06-06T23:59:59.999999999Z").of("events_json")).isEqualTo("events_json_20160606");
        assertThat(at("2016-06-07T00:00:00Z").of("events")).isEqualTo("events_20160607");
    }

    @Test
    void timesBeyondFourDigitsOfAYearHaveNoDay() {
        assertThat(at("0001-01-01T00:00:00Z").isOfOneDay()).isTrue();
        assertThat(at("9999-12-31T23:59:59Z").isOfOneDay()).isTrue();
        assertThat(at("0000-12-31T23:59:59Z")).isEqualTo(DayPartition.OTHER);
        assertThat(at("+10000-01-01T00:00:00Z")).isEqualTo(DayPartition.OTHER);
        assertThat(DayPartition.at(Instant.MIN)).isEqualTo(DayPartition.OTHER);
        assertThat(DayPartition.at(Instant.MAX)).isEqualTo(DayPartition.OTHER);
    }

    @Test
    void aTimeTouchesTheDaysOfItsFirstAndItsLastInstant() {
        Instant evening = Instant.parse("2016-06-12T23:30:00Z");
        assertThat(DayPartition.during(new Window(evening, evening.plus(Duration.ofHours(1)))))
                .extracting(DayPartition::name)
                .containsExactly("20160612", "20160613");
        assertThat(DayPartition.during(new Window(evening, Instant.parse("2016-06-13T00:00:00Z"))))
                .extracting(DayPartition::name)
                .containsExactly("20160612");
    }

    private static DayPartition at(String time) {
        return DayPartition.at(Instant.parse(time));
    }
}
