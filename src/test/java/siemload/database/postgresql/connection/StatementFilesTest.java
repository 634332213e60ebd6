package siemload.database.postgresql.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.database.sql.SqlStatement;

final class StatementFilesTest {

    @Test
    void valuesBecomePlacesInTheirOrderAndCastsStay() {
        SqlStatement template = FILES.read("mentat/condition-one-side-ip4.sql");
        assertThat(template.values()).containsExactly("address", "address", "port", "address", "address", "port");
        assertThat(template.sql())
                .startsWith("(e.source_ip4_hull && ?::int8range")
                .doesNotContain(":'");
    }

    @Test
    void partsAndIdentifiersArePutIn() {
        SqlStatement template = FILES.read("server/copy-database.sql", Map.of("database", "a\"b", "kept", "$1\\"));
        assertThat(template.sql()).isEqualTo("CREATE DATABASE \"a\"\"b\" TEMPLATE \"$1\\\"");
    }

    @Test
    void aMissingPartIsReported() {
        assertThatThrownBy(() -> FILES.read("mentat/count.sql", Map.of())).hasMessageContaining("conditions");
    }
}
