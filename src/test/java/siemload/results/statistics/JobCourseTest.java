package siemload.results.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.results.JobItem;
import siemload.results.statistics.JobCourse.SteadyPart;

class JobCourseTest {
    private static final JobItem.Slot SLOT = new JobItem.Slot(1, 1);

    @Test
    void theSteadyPartLastsFromTheFirstTimeThatAllPlacesAreTakenToTheLastStart() {
        // Two at a time, 10 s each; the second session comes 4 s late: 0-10, 4-14, 10-20, 14-24.
        JobCourse course = JobCourse.of(List.of(item(0, 10), item(4, 14), item(10, 20), item(14, 24)), 2);

        assertThat(course.mostInFlight()).isEqualTo(2);
        assertThat(course.fullMicros()).isEqualTo(seconds(4));
        assertThat(course.lastStartMicros()).isEqualTo(seconds(14));
        assertThat(course.durationMicros()).isEqualTo(seconds(24));
        // In these 10 s lie 6 of 10 s of the first, all of the second, 4 of 10 s of the third, nothing of the last one.
        SteadyPart steady = course.steady().orElseThrow();
        assertThat(steady.itemsPerMinute()).isCloseTo(12, within(1e-9));
        assertThat(steady.itemMicros()).isEqualTo(10e6);
        assertThat(steady.littleItemsPerMinute()).isCloseTo(12, within(1e-9));
        assertThat(steady.holds()).isTrue();
    }

    @Test
    void whereNoItemIsLeftWhenAllPlacesAreTakenThereIsNoSteadyPart() {
        JobCourse few = JobCourse.of(List.of(item(0, 10), item(1, 11)), 3);
        JobCourse justEnough = JobCourse.of(List.of(item(0, 10), item(1, 11)), 2);

        assertThat(few.mostInFlight()).isEqualTo(2);
        assertThat(few.steady()).isEmpty();
        assertThat(justEnough.steady()).isEmpty();
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
    void placesThatStayEmptyBreakLittlesLaw() {
        // One at a time, 10 s each, with 10 s between them: half of what one place could do.
        JobCourse course = JobCourse.of(List.of(item(0, 10), item(20, 30), item(40, 50), item(60, 70)), 1);

        SteadyPart steady = course.steady().orElseThrow();
        assertThat(steady.itemsPerMinute()).isCloseTo(3, within(1e-9));
        assertThat(steady.littleItemsPerMinute()).isCloseTo(6, within(1e-9));
        assertThat(steady.littleFactor()).isCloseTo(0.5, within(1e-9));
        assertThat(steady.holds()).isFalse();
    }

    @Test
    void aJobWithoutItemsTookNoTime() {
        assertThat(JobCourse.of(List.of(), 5).durationMicros()).isZero();
    }

    /** Whoever is free takes the next item at once: then nothing but the lengths of the first and last items can tell both apart. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void aQueueThatIsNeverEmptyKeepsToLittlesLaw(long seed) {
        Random random = new Random(seed);
        int slots = 1 + random.nextInt(20);
        List<JobItem> items = worked(50 * slots, slots, number -> 900_000 + random.nextInt(200_000));

        JobCourse course = JobCourse.of(items, slots);

        assertThat(course.mostInFlight()).isEqualTo(slots);
        SteadyPart steady = course.steady().orElseThrow();
        assertThat(steady.holds())
                .as("factor %s, seed %s", steady.littleFactor(), seed)
                .isTrue();
        assertThat(course.fullMicros() + steady.micros()).isEqualTo(course.lastStartMicros());
        assertThat(course.lastStartMicros()).isLessThan(course.durationMicros());
    }

    /** The items in the order of their numbers, each on the session that is free first. */
    private static List<JobItem> worked(int count, int slots, IntToLongFunction micros) {
        long[] free = new long[slots];
        List<JobItem> items = new ArrayList<>();
        for (int number = 1; number <= count; number++) {
            Arrays.sort(free);
            long end = free[0] + micros.applyAsLong(number);
            items.add(new JobItem(number, SLOT, 0, free[0], end, 1, 0));
            free[0] = end;
        }
        return items;
    }

    private static JobItem item(long startSecond, long endSecond) {
        return new JobItem(1, SLOT, 0, seconds(startSecond), seconds(endSecond), 1, 0);
    }

    private static long seconds(long count) {
        return count * 1_000_000;
    }
}
