package siemload.database.postgresql.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import siemload.database.TargetException;

class PgbenchReportTest {
    private static final String HEAD = """
            pgbench (15.18 (Debian 15.18-0+deb12u1), server 18.6)
            transaction type: /tmp/searches.sql
            scaling factor: 1
            query mode: prepared
            number of clients: 1
            number of threads: 1
            maximum number of tries: 1
            duration: 3 s
            number of transactions actually processed: 243
            number of failed transactions: 0 (0.000%)
            latency average = 12.348 ms
            initial connection time = 5.127 ms
            tps = 80.984216 (without initial connection time)
            """;

    @Test
    void sinceVersion15FailuresStandBetween() {
        String said = HEAD + """
                statement latencies in milliseconds and failures:
                        12.251           0  SELECT 12.5 AS number,
                         0.097           0  WITH chosen AS (
                """;

        assertThat(PgbenchReport.meanMicros(said, 2)).containsExactly(12_251.0, 97.0);
    }

    @Test
    void beforeItTheStatementFollows() {
        String said = HEAD + """
                statement latencies in milliseconds:
                         1.500  SELECT 1;
                """;

        assertThat(PgbenchReport.meanMicros(said, 1)).containsExactly(1_500.0);
    }

    @Test
    void aReportWithoutTheTimeOfEachStatementIsNone() {
        assertUntold(HEAD, 1);
        assertUntold("", 1);
        assertUntold(HEAD + "statement latencies in milliseconds:\n         1.500  SELECT 1;\n", 2);
        assertUntold(HEAD + "statement latencies in milliseconds and failures:\n    0.000    9  SELECT 1;\n", 1);
    }

    private static void assertUntold(String said, int statements) {
        assertThatExceptionOfType(TargetException.class)
                .isThrownBy(() -> PgbenchReport.meanMicros(said, statements))
                .withMessageStartingWith("pgbench did not tell the times of " + statements + " statements: ");
    }
}
