package siemload.database.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.database.SearchException;
import siemload.database.SearchException.Kind;
import siemload.database.ServerAddress;

final class OracleErrorsTest {
    private static final OracleDialect ORACLE = new OracleDialect(new ServerAddress("", "", ""));
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    @ParameterizedTest
    @CsvSource({
        "3113, CONNECTION, ORA-03113",
        "3114, CONNECTION, ORA-03114",
        "3135, CONNECTION, ORA-03135",
        "12541, CONNECTION, ORA-12541",
        "17002, CONNECTION, ORA-17002",
        "1017, REFUSED, ORA-01017",
        "1031, REFUSED, ORA-01031",
        "942, REFUSED, ORA-00942",
        "1653, REFUSED, ORA-01653",
        "12899, OTHER, ORA-12899",
    })
    void anErrorHasAKindAndACode(int number, Kind kind, String code) {
        SearchException e = ORACLE.inRun(error(number, "words"), Duration.ZERO, TIMEOUT);
        assertThat(e.kind()).isEqualTo(kind);
        assertThat(e.code()).isEqualTo(code);
    }

    @Test
    void aCancelledStatementIsATimeoutFromTheTimeoutOn() {
        SQLException cancelled = error(1_013, "ORA-01013: user requested cancel of current operation");
        assertThat(ORACLE.inRun(cancelled, Duration.ofMillis(999), TIMEOUT).kind())
                .isEqualTo(Kind.CANCELLED);
        assertThat(ORACLE.inRun(cancelled, TIMEOUT, TIMEOUT).kind()).isEqualTo(Kind.TIMEOUT);
    }

    private static SQLException error(int number, String message) {
        return new SQLException(message, "99999", number);
    }
}
