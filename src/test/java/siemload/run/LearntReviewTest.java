package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.query.StatementText;
import siemload.results.MicrosSummary;
import siemload.results.ReplayResult.PlanThen;
import siemload.results.ReplayResult.ReplayedStatement;
import siemload.results.SearchKind;
import siemload.results.SearchResult;
import siemload.run.RunOutcome.ThenAndNow;
import siemload.scenario.StatementPlan;
import siemload.scenario.StatementThen;
import siemload.scenario.ValueRows;
import siemload.scenario.replay.RecordedPlan;

/** Then and now of a scenario that was learnt from a log. */
class LearntReviewTest {
    private static final MicrosSummary SERVICE = new MicrosSummary(150, 350, 300, 400, 500, 600, 700, 800);
    private static final MicrosSummary WITH_WAITING = new MicrosSummary(950, 1, 2, 3, 4, 5, 6, 7);
    private static final StatementThen.Logged THEN = new StatementThen.Logged(100, 250.5, 200, 210, 220, 230, 240, 250);

    @Test
    void theServiceTimesOfNowStandBesideTheTimesOfThen() {
        StatementThen then = new StatementThen(
                THEN, List.of(new RecordedPlan("field index a_pkey", 7), new RecordedPlan("table a", 1)));

        List<ReplayedStatement> learnt = ThenAndNow.learnt(
                List.of(
                        plan("rare", Optional.of(then)),
                        plan("by_hand", Optional.empty()),
                        plan("often", Optional.of(then))),
                List.of(result("often", 20, 3), result("by_hand", 90, 0), result("rare", 4, 0)));

        assertThat(learnt)
                .extracting(ReplayedStatement::name, ReplayedStatement::count, ReplayedStatement::failed)
                .containsExactly(tuple("often", 23L, 3L), tuple("rare", 4L, 0L));
        ReplayedStatement often = learnt.get(0);
        assertThat(often.thenMicros()).isEqualTo(new MicrosSummary(100, 250.5, 200, 210, 220, 230, 240, 250));
        assertThat(often.nowMicros()).isEqualTo(SERVICE);
        assertThat(often.medianRatio()).isEqualTo(1.5);
        assertThat(often.plansThen())
                .containsExactly(new PlanThen("field index a_pkey", 7), new PlanThen("table a", 1));
    }

    @Test
    void whatWasNotAskedHasNoTimesOfNow() {
        ReplayedStatement alone = ThenAndNow.learnt(
                        List.of(plan("rare", Optional.of(new StatementThen(THEN, List.of())))), List.of())
                .get(0);
        assertThat(alone.count()).isZero();
        assertThat(alone.medianRatio()).isZero();
        assertThat(alone.nowMicros()).isEqualTo(MicrosSummary.NONE);
    }

    private static StatementPlan plan(String name, Optional<StatementThen> then) {
        StatementText text = StatementText.scan("SELECT 1").statement();
        return new StatementPlan(new Statement(new SearchName(name), text), Map.of(), ValueRows.NONE, then);
    }

    private static SearchResult result(String name, long ok, long ko) {
        SearchKind kind = new SearchKind(name, "statement", "unsorted");
        SearchResult.SearchTimes times = new SearchResult.SearchTimes(
                WITH_WAITING, SERVICE, WITH_WAITING, WITH_WAITING, WITH_WAITING, WITH_WAITING);
        return new SearchResult(kind, ok + ko, ok, ko, Map.of(), 0, 0, times);
    }
}
