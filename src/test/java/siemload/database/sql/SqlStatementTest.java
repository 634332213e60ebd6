package siemload.database.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SqlStatementTest {

    @Test
    void questionMarksOfLiteralsAndCommentsAreNoPlacesOfValues() {
        assertThat(SqlStatement.written(
                        "SELECT '$[*] ? (@ > 1)', 'it''s ?' -- the server's ?\n WHERE a = ?", List.of("7")::get))
                .isEqualTo("SELECT '$[*] ? (@ > 1)', 'it''s ?' -- the server's ?\n WHERE a = 7");
    }
}
