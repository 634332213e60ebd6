package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import siemload.scenario.rate.ConstantRate;

class TimetableTest {

    @Test
    void aBatchIsDueWhenItsLastEventIs() {
        Timetable timetable = Timetable.ofBatches(1_000, 50, new ConstantRate(200));

        assertThat(timetable.dueNanos(0)).isEqualTo(1_000 + 250_000_000L);
        assertThat(timetable.dueNanos(3)).isEqualTo(1_000 + 1_000_000_000L);
    }

    @Test
    void roundingNeverAddsUp() {
        Timetable timetable = Timetable.ofBatches(0, 1, new ConstantRate(3));

        assertThat(timetable.dueNanos(2_999_999)).isEqualTo(1_000_000_000_000_000L);
    }

    @Test
    void usersArriveFromTheStartOn() {
        Timetable timetable = Timetable.ofArrivals(1_000, new ConstantRate(200));

        assertThat(timetable.dueNanos(0)).isEqualTo(1_000);
        assertThat(timetable.dueNanos(3)).isEqualTo(1_000 + 15_000_000L);
    }
}
