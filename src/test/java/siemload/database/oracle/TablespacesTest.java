package siemload.database.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import siemload.database.TargetException;

final class TablespacesTest {
    private static final String URL = "jdbc:oracle:thin:@//db.example:1521/FREEPDB1";

    @Test
    void indexesAndDataCanBeApart() {
        String url = URL + "?siemload.data=siem_data&oracle.net.x=1&siemload.indexes=SIEM_IX";
        assertThat(Tablespaces.of(url).clauses())
                .containsEntry("data_tablespace", "TABLESPACE SIEM_DATA")
                .containsEntry("index_tablespace", "TABLESPACE SIEM_IX")
                .containsEntry("key_tablespace", "USING INDEX TABLESPACE SIEM_IX");
        assertThat(Tablespaces.withoutThem(url)).isEqualTo(URL + "?oracle.net.x=1");
    }

    @Test
    void aNameThatIsNoneIsRefused() {
        assertThatThrownBy(() -> Tablespaces.of(URL + "?siemload.data=a;b"))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("'a;b'");
        assertThatThrownBy(() -> Tablespaces.of(URL + "?siemload.index=a"))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("siemload.indexes");
    }
}
