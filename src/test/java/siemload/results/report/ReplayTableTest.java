package siemload.results.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.results.LateStarts;
import siemload.results.MicrosSummary;
import siemload.results.PlanThen;
import siemload.results.ReplayResult;
import siemload.results.ReplayedStatement;
import siemload.results.RunResult;
import siemload.results.SearchKind;

/** Then and now, side by side. */
class ReplayTableTest {
    private static MicrosSummary micros(long p50, long p95, long p99, long max) {
        return new MicrosSummary(1, p50, p50, p95, p95, p99, max, max);
    }

    @Test
    void theTimesOfEachStatementStandSideBySide() {
        StringBuilder text = new StringBuilder();
        ReplayTable.append(
                text,
                List.of(new ReplayResult(
                        "day.jsonl.gz",
                        2,
                        1_300,
                        0,
                        1_204,
                        1_204,
                        new LateStarts(12, micros(2_100, 4_000, 40_000, 40_000)),
                        new LateStarts(0, MicrosSummary.NONE),
                        List.of(
                                ReplayedStatement.of(
                                        "accounts_1",
                                        1_200,
                                        2,
                                        micros(1_000, 2_000, 3_000, 4_000),
                                        micros(1_500, 2_500, 3_500, 40_000)),
                                ReplayedStatement.of(
                                        "branches_1", 0, 2, micros(1_000, 2_000, 3_000, 4_000), MicrosSummary.NONE)),
                        "")));

        assertThat(text.toString()).isEqualTo("""
                replay of day.jsonl.gz at speed 2: 1,204 of 1,300 recorded executions were due, 1,204 have ended
                late by more than 1 ms: 12 for the database (p50 2.10, p99 40.0, max 40.0 ms)
                                        0 for the load generator

                replayed, times in ms  count  then p50   p95   p99   max  now p50   p95   p99   max  now/then
                accounts_1             1,202      1.00  2.00  3.00  4.00     1.50  2.50  3.50  40.0      1.50
                branches_1                 2      1.00  2.00  3.00  4.00        -     -     -     -         -
                then: the server's own time, by its log; now: from begin to last row, network included
                late for the database: the session was still at the statement before; now/then: of medians

                """);
    }

    @Test
    void statementsOfALearntScenarioStandInTheSameTable() {
        StringBuilder text = new StringBuilder();
        ReplayTable.appendLearnt(text, List.of());
        ReplayTable.appendLearnt(
                text,
                List.of(ReplayedStatement.of(
                        "accounts_1", 7, 0, micros(1_000, 2_000, 3_000, 4_000), micros(1, 2, 3, 4))));

        assertThat(text.toString()).isEqualTo("""
                learnt, times in ms  count  then p50   p95   p99   max  now p50   p95   p99   max  now/then
                accounts_1               7      1.00  2.00  3.00  4.00     0.00  0.00  0.00  0.00      0.00
                then: the server's own time, by its log; now: from begin to last row, network included
                then: of all that the log has; now/then: of medians

                """);
    }

    private static RunResult.PlanRecord now(String statement, String shape) {
        SearchKind kind = new SearchKind(statement, "statement", "unsorted");
        return new RunResult.PlanRecord(kind, shape, shape, "", "", 0, 0, List.of());
    }

    private static ReplayedStatement then(String name, PlanThen... plans) {
        return ReplayedStatement.of(name, 1, 0, micros(1, 1, 1, 1), micros(1, 1, 1, 1))
                .with(List.of(plans));
    }

    @Test
    void thePlanOfNowStandsBesideTheCommonestOfThen() {
        StringBuilder text = new StringBuilder();
        ReplayedPlans.append(
                text,
                List.of(
                        then("a_1", new PlanThen("field index a_pkey", 1_190), new PlanThen("table a", 12)),
                        then("a_2", new PlanThen("field index a_pkey", 3), new PlanThen("table a", 2)),
                        then("a_3", new PlanThen("field index a_pkey", 3)),
                        then("a_4", new PlanThen("table a", 1)),
                        then("a_5")),
                List.of(
                        now("a_1", "field index a_pkey"),
                        now("a_2", "table a"),
                        now("a_3", "table a"),
                        now("a_4", ""),
                        now("a_5", "table a")));

        assertThat(text.toString()).isEqualTo("""
                plans  times then  then                now
                a_1         1,190  field index a_pkey  field index a_pkey  the same
                               12  table a
                a_2             3  field index a_pkey  table a             was rarer
                                2  table a
                a_3             3  field index a_pkey  table a             ANOTHER
                a_4             1  table a             -
                then: as often as the log has them, which may not be of each execution; now: of one example, before the load

                """);
    }
}
