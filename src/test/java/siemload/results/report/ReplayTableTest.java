package siemload.results.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.results.LateStarts;
import siemload.results.MicrosSummary;
import siemload.results.ReplayResult;
import siemload.results.ReplayedStatement;

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
}
