package siemload.database.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Target;
import siemload.database.Target.ServerUse;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.TargetPlugin.EmbeddedServer.EmbeddedOptions;
import siemload.database.Variant;
import siemload.database.sql.FirstColumn;
import siemload.query.Paging;

/** Tests on H2 which tables are dropped and which stay. */
final class OracleOwnershipTest {
    private static final DatasetKey KEY = new DatasetKey("00c0117ac7000001", "smoke", 0);
    private static final Variant VARIANT =
            new Variant("arc_event", Partitions.DAY, IndexSet.NONE, Hint.NONE, Paging.OFFSET);

    private String url;
    private Target target;

    @BeforeEach
    void startServer() {
        ServerAddress address = new H2Plugin()
                .startEmbedded(new EmbeddedOptions(Path.of(""), 1, Map.of()))
                .address();
        url = address.url();
        target = new H2Plugin().connect(address, new TargetOptions(VARIANT, Duration.ofSeconds(5), 1));
    }

    @AfterEach
    void close() {
        target.close();
    }

    @Test
    void tablesOfAKilledRunAreDroppedByTheNextAndThoseOfALivingOneStay() throws SQLException {
        target.emptyStore("killed");
        String killed = onlyPrefix();
        target.emptyStore("living");
        kill(killed);
        target.emptyStore("next");
        assertThat(tables()).hasSize(6).noneMatch(table -> table.startsWith(killed));
    }

    @Test
    void aTableThatTookTheNameOfOneOfOursIsNotDropped() throws SQLException {
        Store store = target.emptyStore("replaced");
        String table = onlyPrefix() + "_ADDR";
        execute("DROP TABLE " + table);
        execute("CREATE TABLE " + table + " (theirs INT)");
        store.close();
        assertThat(tables()).containsExactly(table);
    }

    @Test
    void tablesOfOthersAreLeftAlone() throws SQLException {
        execute("CREATE TABLE sl_00c0117ac7000001_0badcafe_event (theirs INT)");
        target.emptyStore("run").close();
        assertThat(tables()).containsExactly("SL_00C0117AC7000001_0BADCAFE_EVENT");
    }

    @Test
    void nothingIsMadeByLooking() throws SQLException {
        assertThat(target.holds(KEY)).isFalse();
        target.discard(KEY);
        ServerUse use = target.use().orElseThrow();
        assertThat(use.gaps())
                .contains("v$session (GRANT SELECT ON v_$session)")
                .hasSize(3);
        assertThat(use.isBusy()).isFalse();
        assertThat(strings("SELECT table_name FROM user_tables")).isEmpty();
    }

    @Test
    void aTableWithTheNameOfTheRegistryThatIsSomethingElseIsRefused() throws SQLException {
        execute("CREATE TABLE siemload_tables (prefix INT)");
        assertThatExceptionOfType(TargetException.class)
                .isThrownBy(() -> target.holds(KEY))
                .withMessageContaining("cannot read siemload's registry: ");
        assertThat(strings("SELECT column_name FROM information_schema.columns WHERE table_name = 'SIEMLOAD_TABLES'"))
                .containsExactly("PREFIX");
    }

    /** Makes a run look killed: its process on this machine gets a start time that no living process has. */
    private void kill(String name) throws SQLException {
        execute("UPDATE siemload_tables SET holder = REGEXP_REPLACE(holder, '[0-9]+$', '0'), beat = beat + 1"
                + " WHERE name = '" + name + "'");
    }

    /** The start of the only tables' names. */
    private String onlyPrefix() throws SQLException {
        return tables().get(0).replaceFirst("_[A-Z]+$", "");
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = H2Plugin.connect(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private List<String> tables() throws SQLException {
        return strings("SELECT table_name FROM user_tables WHERE table_name LIKE 'SL\\_%' ORDER BY table_name");
    }

    private List<String> strings(String sql) throws SQLException {
        try (Connection connection = H2Plugin.connect(url)) {
            return FirstColumn.of(connection, sql);
        }
    }
}
