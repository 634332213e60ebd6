package siemload.database.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import siemload.database.DatasetKey;
import siemload.database.EmbeddedOptions;
import siemload.database.ServerUse;
import siemload.database.TargetException;
import siemload.database.registry.Claim;
import siemload.database.registry.Entry;
import siemload.database.registry.Entry.Purpose;

/** Which tables are dropped, and which stay, on H2. */
final class TableGroupsTest {
    private static final DatasetKey KEY = new DatasetKey("00c0117ac7000001", "smoke", 0);

    private OracleConnections connections;
    private TableGroups groups;

    @BeforeEach
    void startServer() {
        String url = new H2Plugin()
                .startEmbedded(new EmbeddedOptions(Path.of(""), 0, 1))
                .address()
                .url();
        Duration seconds = Duration.ofSeconds(5);
        connections = new OracleConnections(silence -> H2Dialect.connect(url), seconds, seconds);
        groups = new TableGroups(connections, new Tablespaces("", ""));
    }

    @AfterEach
    void close() {
        groups.close();
    }

    @Test
    void tablesOfAKilledRunAreDroppedByTheNextAndThoseOfALivingOneStay() throws SQLException {
        Claim killed = groups.create(Purpose.RUN, KEY.fingerprint(), "killed");
        Claim living = groups.create(Purpose.RUN, KEY.fingerprint(), "living");
        kill(killed);
        groups.sweep();
        assertThat(tables()).hasSize(3).allMatch(table -> table.startsWith(living.name()));
    }

    @Test
    void aTableThatTookTheNameOfOneOfOursIsNotDropped() throws SQLException {
        Claim claim = groups.create(Purpose.RUN, KEY.fingerprint(), "replaced");
        execute("DROP TABLE " + claim.name() + "_ADDR");
        execute("CREATE TABLE " + claim.name() + "_ADDR (theirs INT)");
        claim.release();
        assertThat(tables()).containsExactly(claim.name() + "_ADDR");
    }

    @Test
    void tablesOfOthersAreNamedAndLeftAlone() throws SQLException {
        execute("CREATE TABLE sl_00c0117ac7000001_0badcafe_event (theirs INT)");
        groups.create(Purpose.RUN, KEY.fingerprint(), "run").release();
        assertThat(groups.strangers()).containsExactly("table SL_00C0117AC7000001_0BADCAFE_EVENT");
        assertThat(tables()).containsExactly("SL_00C0117AC7000001_0BADCAFE_EVENT");
    }

    @Test
    void ofTwoLoadsAtOnceTheFirstThatIsCompleteIsKept() throws SQLException {
        Claim first = groups.create(Purpose.LOADING, KEY.fingerprint(), "smoke");
        Claim second = groups.create(Purpose.LOADING, KEY.fingerprint(), "smoke");
        assertThat(groups.kept(KEY)).isEmpty();
        groups.keep(second, KEY, 0);
        groups.keep(first, KEY, 0);
        assertThat(groups.kept(KEY)).map(Entry::name).hasValue(second.name());
        assertThat(tables()).hasSize(3).allMatch(table -> table.startsWith(second.name()));
    }

    @Test
    void aDataSetOfWhichEventsAreMissingIsNotKept() throws SQLException {
        Claim claim = groups.create(Purpose.LOADING, KEY.fingerprint(), "smoke");
        DatasetKey larger = new DatasetKey(KEY.fingerprint(), "smoke", 11);
        assertThatExceptionOfType(TargetException.class)
                .isThrownBy(() -> groups.keep(claim, larger, 10))
                .withMessageContaining("has 11 events, but 10 are in " + claim.name() + "_EVENT");
        assertThat(groups.kept(KEY)).isEmpty();
    }

    @Test
    void nothingIsMadeByLooking() throws SQLException {
        assertThat(groups.kept(KEY)).isEmpty();
        assertThat(groups.strangers()).isEmpty();
        groups.sweep();
        ServerUse use = OracleServerUse.at(connections);
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
                .isThrownBy(() -> groups.kept(KEY))
                .withMessageContaining("SIEMLOAD_TABLES in this schema is not siemload's registry");
        assertThat(strings("SELECT column_name FROM information_schema.columns WHERE table_name = 'SIEMLOAD_TABLES'"))
                .containsExactly("PREFIX");
    }

    /** Its process is gone: one of this machine with a start that no living one has. */
    private void kill(Claim claim) throws SQLException {
        execute("UPDATE siemload_tables SET holder = REGEXP_REPLACE(holder, '[0-9]+$', '0'), beat = beat + 1"
                + " WHERE name = '" + claim.name() + "'");
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = connections.open();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private List<String> tables() throws SQLException {
        return strings("SELECT table_name FROM user_tables WHERE table_name LIKE 'SL\\_%' ORDER BY table_name");
    }

    private List<String> strings(String sql) throws SQLException {
        List<String> strings = new ArrayList<>();
        try (Connection connection = connections.open();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                strings.add(rows.getString(1));
            }
        }
        return strings;
    }
}
