package siemload.target.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import siemload.target.EmbeddedOptions;
import siemload.target.EmbeddedServer;

/** On H2, whose row locks are like Oracle's. */
final class RegistryTest {
    private static final String FINGERPRINT = "00c0117ac7000001";

    private Connections connections;
    private Registry registry;

    @BeforeEach
    void startServer() {
        EmbeddedServer server = new H2Plugin().startEmbedded(new EmbeddedOptions(Path.of(""), 0, 1));
        connections =
                new Connections(silence -> H2Dialect.connect(server.address().url()), Duration.ofSeconds(5));
        registry = new Registry(connections, new Tablespaces("", ""));
    }

    @Test
    void tablesOfAKilledRunAreDroppedByTheNextAndThoseOfALivingOneStay() throws SQLException {
        Registry.Claim killed = claimWithTables();
        Registry.Claim living = claimWithTables();
        killed.guard().rollback();
        makeOlder(killed);
        killed.guard().close();
        living.guard().rollback();
        makeOlder(living);
        lock(living);
        try (Registry.Claim next = registry.claim("run", FINGERPRINT, "next")) {
            assertThat(prefixes())
                    .containsExactlyInAnyOrder(
                            living.tables().prefix(), next.tables().prefix());
            assertThat(tables())
                    .hasSize(3)
                    .allSatisfy(table ->
                            assertThat(table).startsWith(living.tables().prefix()));
        }
    }

    @Test
    void tablesThatWereJustClaimedAreLeftAlone() throws SQLException {
        Registry.Claim young = claimWithTables();
        young.guard().close();
        registry.claim("run", FINGERPRINT, "next").close();
        assertThat(prefixes()).contains(young.tables().prefix());
    }

    @Test
    void keptTablesTakeThePlaceOfEarlierOnes() throws SQLException {
        Registry.Claim earlier = claimWithTables();
        registry.keep(earlier, FINGERPRINT);
        Registry.Claim later = claimWithTables();
        registry.keep(later, FINGERPRINT);
        assertThat(registry.kept(FINGERPRINT)).hasValue(later.tables());
        assertThat(prefixes()).containsExactly(later.tables().prefix());
    }

    private Registry.Claim claimWithTables() throws SQLException {
        Registry.Claim claim = registry.claim("run", FINGERPRINT, "a run");
        try (Connection connection = connections.open()) {
            claim.tables().create(connection);
        }
        return claim;
    }

    private void makeOlder(Registry.Claim claim) throws SQLException {
        try (Connection connection = connections.open()) {
            execute(
                    connection,
                    "UPDATE siemload_tables SET created = created - INTERVAL '2' MINUTE WHERE prefix = '"
                            + claim.tables().prefix() + "'");
        }
    }

    private static void lock(Registry.Claim claim) throws SQLException {
        execute(
                claim.guard(),
                "SELECT prefix FROM siemload_tables WHERE prefix = '"
                        + claim.tables().prefix() + "' FOR UPDATE");
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private List<String> prefixes() throws SQLException {
        return strings("SELECT prefix FROM siemload_tables");
    }

    private List<String> tables() throws SQLException {
        return strings("SELECT table_name FROM information_schema.tables WHERE table_name LIKE 'SL\\_%'");
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
