package siemload.results.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class JobCourseTest {
    @Test
    void theSteadyPartLastsFromTheFirstTimeThatAllPlacesAreTakenToTheLastStart() {
        // Two at a time, 10 s each; the second session comes 4 s late: 0-10, 4-14, 10-20, 14-24.
        JobCourse course = JobCourse.of(List.of(item(0, 10), item(4, 14), item(10, 20), item(14, 24)), 2);

        assertThat(course.mostInFlight()).isEqualTo(2);
        assertThat(course.fullMicros()).isEqualTo(seconds(4));
        assertThat(course.lastStartMicros()).isEqualTo(seconds(14));
        assertThat(course.durationMicros()).isEqualTo(seconds(24));
        // In these 10 s lie 6 of 10 s of the first, all of the second, 4 of 10 s of the third, nothing of the last one.
        assertThat(course.steadyItemsPerMinute()).isCloseTo(12, within(1e-9));
    }

    @Test
    void whereNoItemIsLeftWhenAllPlacesAreTakenThereIsNoSteadyPart() {
        JobCourse few = JobCourse.of(List.of(item(0, 10), item(1, 11)), 3);
        JobCourse justEnough = JobCourse.of(List.of(item(0, 10), item(1, 11)), 2);

        assertThat(few.mostInFlight()).isEqualTo(2);
        assertThat(few.steadyItemsPerMinute()).isZero();
        assertThat(justEnough.steadyItemsPerMinute()).isZero();
        assertThat(List.of(few.fullMicros(), justEnough.fullMicros())).containsOnly(seconds(1));
    }

    @Test
    void anItemThatStartsInTheMicrosecondInWhichAnotherOneEndsTakesItsPlace() {
        assertThat(JobCourse.of(List.of(item(0, 10), item(10, 20), item(20, 30)), 1)
                        .mostInFlight())
                .isEqualTo(1);
        assertThat(JobCourse.of(List.of(item(0, 10), item(9, 20), item(20, 30)), 1)
                        .mostInFlight())
                .isEqualTo(2);
    }

    @Test
    void aJobWithoutItemsTookNoTime() {
        assertThat(JobCourse.of(List.of(), 5).durationMicros()).isZero();
    }

    @Test
    void placesThatStayEmptyMakeNothing() {
        // One at a time, 10 s each, with 10 s between them: half of what one place could do.
        JobCourse course = JobCourse.of(List.of(item(0, 10), item(20, 30), item(40, 50), item(60, 70)), 1);

        assertThat(course.steadyItemsPerMinute()).isCloseTo(3, within(1e-9));
    }

    private static JobCourse.Item item(long startSecond, long endSecond) {
        return new JobCourse.Item(seconds(startSecond), seconds(endSecond));
    }

    private static long seconds(long count) {
        return count * 1_000_000;
    }
}
