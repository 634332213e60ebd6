package siemload.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduledTest {

    @ParameterizedTest
    @CsvSource({"TOGETHER, 1 1 1 1, 4", "EVEN, 1 3.5 6 8.5, 4"})
    void tasksLieInTheirPeriodAsTheyAreSpread(LoadModel.Scheduled.Spread spread, String firstTicks, int workers) {
        LoadModel.Scheduled rules = schedule(4, 10, 1, spread);

        assertThat(LongStream.range(0, 4).map(task -> rules.dueNanos((int) task, 0)))
                .containsExactly(Stream.of(firstTicks.split(" "))
                        .map(text -> seconds(Double.parseDouble(text)))
                        .toArray(Long[]::new));
        assertThat(rules.dueNanos(1, 2) - rules.dueNanos(1, 0)).isEqualTo(seconds(20));
        assertThat(rules.defaultWorkers()).isEqualTo(workers);
        assertThat(schedule(500, 300, 0, LoadModel.Scheduled.Spread.EVEN).defaultWorkers())
                .isEqualTo(20);
    }

    /** Counted one by one, from the instants alone. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 19, 500})
    void whatIsReckonedIsWhatIsCounted(int tasks) {
        LoadModel.Scheduled rules = schedule(tasks, 7, 3, LoadModel.Scheduled.Spread.EVEN);
        for (double until : new double[] {0.5, 3, 3.1, 9.99, 10, 10.01, 61.7}) {
            long counted = LongStream.range(0, tasks)
                    .flatMap(task -> LongStream.range(0, 20).map(tick -> rules.dueNanos((int) task, tick)))
                    .filter(due -> due < seconds(until))
                    .count();
            assertThat(rules.dueBefore(seconds(until))).as("until %s s", until).isEqualTo(counted);
        }
    }

    private static LoadModel.Scheduled schedule(int tasks, int every, int offset, LoadModel.Scheduled.Spread spread) {
        return new LoadModel.Scheduled(
                tasks,
                Duration.ofSeconds(every),
                Duration.ofSeconds(offset),
                spread,
                LoadModel.Scheduled.Criteria.FIXED);
    }

    private static long seconds(double seconds) {
        return Math.round(seconds * 1e9);
    }
}
