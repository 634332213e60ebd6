package siemload.database.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.database.AccountRows;
import siemload.database.SearchException;
import siemload.database.TargetException;
import siemload.database.TransactionException;
import siemload.database.sql.AccountStatements.OfTable;
import siemload.database.sql.AccountStatements.Reading;

/** What is left of a transaction that failed before its commit. */
class SqlAccountSessionTest {
    private static final OfTable NONE = new OfTable("account", "", "", "");

    @ParameterizedTest
    @CsvSource({"TIMEOUT,CONFLICT", "CONNECTION,LOST", "REFUSED,REFUSED", "CANCELLED,REFUSED", "OTHER,REFUSED"})
    void aTransactionThatWaitedTooLongForARowIsTriedAgainAndARefusedOneIsNot(
            SearchException.Kind met, TransactionException.Kind told) {
        assertThat(failure(met, "57014").kind()).isEqualTo(told);
    }

    @Test
    void aCodeOfItsDatabaseMakesItAConflict() {
        assertThat(failure(SearchException.Kind.OTHER, "40P01").kind()).isEqualTo(TransactionException.Kind.CONFLICT);
    }

    private static TransactionException failure(SearchException.Kind met, String code) {
        RunConnection connection = new RunConnection(
                () -> {
                    throw new SQLException("of any kind");
                },
                new Meeting(met, code),
                Duration.ofSeconds(1));
        AccountStatements statements = new AccountStatements(NONE, NONE, NONE, "", "");
        try (SqlAccountSession session =
                new SqlAccountSession(connection, statements, Reading.BY_CHANGE, "40P01"::equals)) {
            return catchThrowableOfType(
                    TransactionException.class, () -> session.read(List.of(new AccountRows(1, 1, 1))));
        }
    }

    /** Every error is of this kind. */
    private record Meeting(SearchException.Kind kind, String code) implements SqlErrors {
        @Override
        public boolean isLost(SQLException e) {
            return kind == SearchException.Kind.CONNECTION;
        }

        @Override
        public SearchException inRun(SQLException e, Duration elapsed, Duration timeout) {
            return new SearchException(kind, code, "an error", e);
        }

        @Override
        public TargetException outsideRun(String tried, SQLException e) {
            return new TargetException(tried, e);
        }
    }
}
