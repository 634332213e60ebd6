package siemload.database.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SqlStatementTest {

    @Test
    void valuesAreWrittenInTheirOrder() {
        List<String> values = List.of("'$1'", "7");

        assertThat(SqlStatement.written("SELECT ? WHERE a = ?", values::get)).isEqualTo("SELECT '$1' WHERE a = 7");
    }

    @Test
    void questionMarksOfLiteralsAndCommentsAreNoPlacesOfValues() {
        assertThat(SqlStatement.written(
                        "SELECT '$[*] ? (@ > 1)', 'it''s ?' -- the server's ?\n WHERE a = ?", List.of("7")::get))
                .isEqualTo("SELECT '$[*] ? (@ > 1)', 'it''s ?' -- the server's ?\n WHERE a = 7");
    }
}
