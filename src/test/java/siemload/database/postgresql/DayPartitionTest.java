package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

final class DayPartitionTest {
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
}
