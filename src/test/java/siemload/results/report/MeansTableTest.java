package siemload.results.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.results.MicrosSummary;
import siemload.results.StatementMeans;

/** Then and now of a scenario that was learnt from counts. */
class MeansTableTest {

    @Test
    void meansStandBesideMeansAndNoPercentileBesideThem() {
        StringBuilder text = new StringBuilder();
        MeansTable.append(text, List.of());
        MeansTable.append(
                text,
                List.of(
                        StatementMeans.of(
                                "accounts_1",
                                700,
                                1,
                                new StatementMeans.CountedTimes(1_234, 2_000, 500, 1_000, 9_000),
                                new MicrosSummary(1_500, 3_000, 2_100, 2_200, 2_300, 2_400, 2_500, 12_000)),
                        StatementMeans.of(
                                "branches_1",
                                0,
                                2,
                                new StatementMeans.CountedTimes(3, 2_000, -1, -1, -1),
                                MicrosSummary.NONE)));

        assertThat(text.toString()).isEqualTo("""
                learnt from counts, times in ms  then mean  now mean  now/then  then count  stddev   min   max  now count   min   max
                accounts_1                            2.00      3.00      1.50       1,234    0.50  1.00  9.00        701  1.50  12.0
                branches_1                            2.00         -         -           3       -     -     -          2     -     -
                then: the server's own time, as it has counted it, with planning only where it counts that; now: from begin to last row, network included
                counts have no percentiles: now/then is of means, which a few slow executions move more than a median; -: the counts do not tell

                """);
    }
}
