package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import siemload.dataset.Popularity;
import siemload.load.Analyst.DrawnSearches;
import siemload.load.UserSession.TaskSession;
import siemload.query.Order;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.scenario.AnalystGroup;
import siemload.scenario.AnalystGroup.ResultReading;
import siemload.scenario.AnalystGroup.Weights;
import siemload.scenario.AnalystGroup.WindowLength;
import siemload.scenario.LoadModel;
import siemload.scenario.LoadModel.Scheduled.Criteria;

class ScheduledTaskTest {
    private static final long START = 5_000_000_000L;

    @Test
    void aTaskWithFixedCriteriaMovesItsWindowAlone() {
        LongFunction<SearchRequest> task = task(3, Criteria.FIXED);
        Search first = task.apply(0).search();
        Search third = task.apply(2).search();

        assertThat(third.criteria()).isEqualTo(first.criteria());
        assertThat(third.name()).isEqualTo(first.name());
        assertThat(third.window().until()).isEqualTo(first.window().until().plusSeconds(20));
        assertThat(third.window().from()).isEqualTo(first.window().from().plusSeconds(20));
        assertThat(first.window().until()).isEqualTo(Fixtures.NOON.plusSeconds(2));
    }

    @Test
    void drawnCriteriaChangeFromTickToTickAndAreTheSameInEachRun() {
        List<Search> ticks = searches(task(3, Criteria.DRAWN));

        assertThat(ticks.stream().map(Search::criteria).distinct()).hasSizeGreaterThan(1);
        assertThat(searches(task(3, Criteria.DRAWN))).isEqualTo(ticks);
    }

    private static List<Search> searches(LongFunction<SearchRequest> task) {
        return LongStream.range(0, 20)
                .mapToObj(tick -> task.apply(tick).search())
                .toList();
    }

    private static LongFunction<SearchRequest> task(int number, Criteria criteria) {
        LoadModel.Scheduled schedule = new LoadModel.Scheduled(
                20, Duration.ofSeconds(10), Duration.ofSeconds(2), LoadModel.Scheduled.Spread.TOGETHER, criteria);
        AnalystGroup group = new AnalystGroup(
                "rules",
                schedule,
                AnalystGroup.Investigation.OF_TASKS,
                new AnalystGroup.Searched(
                        new Weights<>(Map.of(WindowLength.last(Duration.ofMinutes(6)), 1.0)),
                        new Weights<>(Map.of(SearchName.HAWAT1, 1.0, SearchName.HAWAT3, 1.0)),
                        new Weights<>(Map.of(Popularity.HOT, 1.0)),
                        new Weights<>(Map.of(Order.NEWEST_FIRST, 1.0)),
                        10,
                        new ResultReading.Paged(100, 0, 50, 0),
                        0));
        DrawnSearches searches = new DrawnSearches(group, Fixtures.draw(), LoadEngine.dataClock(START, Fixtures.NOON));
        return new TaskSession.Task(schedule, number, searches, 42, START)::at;
    }
}
