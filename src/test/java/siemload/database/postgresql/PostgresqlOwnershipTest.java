package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.database.SearchSession;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Store.EventSink;
import siemload.database.Store.StoreKind;
import siemload.database.Target;
import siemload.database.TargetException;

/**
 * Databases of others stay as they are, whatever they are called; our own are found, and dropped when nobody uses them.
 * {@code -Drounds=50} loads and runs more often among those of others.
 */
@Tag("database")
@Tag("any-java")
final class PostgresqlOwnershipTest {
    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("ownership");

    private static final String PASSWORD = "ownership";
    private static final DatasetKey KEY = new DatasetKey("00000000000000aa", "owned", 10);

    @BeforeAll
    static void makeUsersAndDatabasesOfOthers() throws SQLException {
        for (String user : List.of("alice", "bob")) {
            SERVER.execute("DO $$BEGIN " + createRole(user) + "; EXCEPTION WHEN duplicate_object THEN NULL; END$$");
        }
        Map<String, String> others = Map.of(
                "siemload_run_of_the_year", "alice",
                "siemload_run_hawat-postgresql-20260101-000000_0badcafe", "bob",
                "siemload_data_00000000000000aa", "postgres",
                "siemload_data_00000000000000aa_12345678", "bob");
        List<String> there = SERVER.databases("siemload_");
        for (Map.Entry<String, String> other : others.entrySet()) {
            if (!there.contains(other.getKey())) {
                SERVER.execute("CREATE DATABASE \"" + other.getKey() + "\" OWNER " + other.getValue());
            }
        }
    }

    /** The password is hashed once alone, which is most of the processor time of connecting. */
    private static String createRole(String user) {
        return "SET scram_iterations = 1; CREATE ROLE " + user + " LOGIN CREATEDB PASSWORD '" + PASSWORD + "'";
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgres", "bob"})
    void noDatabaseOfOthersIsChangedByRunsAndLoads(String user) throws SQLException {
        Map<String, String> before = databases();
        for (int run = 0; run < Integer.getInteger("rounds", 2); run++) {
            try (Target target = connect(user)) {
                target.discard(KEY);
                load(target, KEY);
                try (Store store = target.copy(KEY, "run-" + run);
                        Store empty = target.emptyStore("empty-" + run)) {
                    assertThat(store.events()).isEqualTo(10);
                    assertThat(empty.events()).isZero();
                }
                target.discard(KEY);
            }
        }
        Map<String, String> after = databases();
        after.keySet().removeIf(database -> database.startsWith("siemload_registry_"));
        before.keySet().removeIf(database -> database.startsWith("siemload_registry_"));
        assertThat(after).isEqualTo(before);
    }

    @Test
    void aDatabaseThatTookTheNameOfOneOfOursIsNotDropped() throws SQLException {
        try (Target target = connect("bob")) {
            Store store = target.emptyStore("replaced");
            String database = SERVER.ofRun("replaced");
            SERVER.execute("DROP DATABASE \"" + database + "\" WITH (FORCE)");
            SERVER.execute("CREATE DATABASE \"" + database + "\" OWNER alice");
            store.close();
            assertThat(databases())
                    .hasEntrySatisfying(database, said -> assertThat(said).endsWith(" alice null"));
            SERVER.execute("DROP DATABASE \"" + database + "\"");
        }
    }

    @Test
    void ofTwoLoadsAtOnceWithDifferentUrlsTheFirstThatIsCompleteIsKeptAndOnlyThat() throws SQLException {
        DatasetKey key = new DatasetKey("00000000000000bb", "twice at once", 10);
        try (Target one = connect("bob");
                Target other = connect("bob", "template1")) {
            one.discard(key);
            one.load(
                    key,
                    first -> {
                        first.write(PostgresqlTestServer.events(10));
                        first.store(); // Dropping a database waits for everybody who copies rows.
                        other.load(key, second -> second.write(PostgresqlTestServer.events(10)), step -> {});
                    },
                    step -> {});
            assertThat(one.holds(key)).isTrue();
            assertThat(SERVER.databases("siemload_data_00000000000000bb_")).hasSize(1);
        }
    }

    @Test
    void aKeptDataSetThatLostRowsIsNeitherCopiedNorRead() throws SQLException {
        DatasetKey key = new DatasetKey("00000000000000dd", "damaged", 10);
        try (Target target = connect("bob")) {
            String database = loadAnew(target, key);
            loseRow(database);
            assertThatExceptionOfType(TargetException.class)
                    .isThrownBy(() -> target.copy(key, "damaged"))
                    .withMessageContaining("is damaged: it held events 10 ")
                    .withMessageContaining("and now events 10 ")
                    .withMessageContaining("events_json 9 ")
                    .withMessageContaining("-Dreload=true");
            assertThatExceptionOfType(TargetException.class)
                    .isThrownBy(() -> target.read(key, "damaged"))
                    .withMessageContaining("is damaged: it held events 10 ");
        }
        assertThat(SERVER.databases("siemload_run_damaged_")).isEmpty();
    }

    /** As a broken disk would. */
    private static void loseRow(String database) throws SQLException {
        try (Connection connection = SERVER.administrator(database);
                Statement statement = connection.createStatement()) {
            statement.execute("SET default_transaction_read_only = off");
            statement.execute("DELETE FROM events_json WHERE ctid = '(0,3)'");
        }
    }

    @Test
    void aDataSetThatIsReadCanOnlyBeReadAndIsCopiedWhenTheLastRunHasEnded() throws SQLException {
        DatasetKey key = new DatasetKey("00000000000000ee", "read", 10);
        try (Target target = connect("bob")) {
            String database = loadAnew(target, key);
            Store first = target.read(key, "first");
            Store second = target.read(key, "second");
            assertThat(first.kind()).isEqualTo(StoreKind.DATA_SET);
            assertThat(SERVER.databases("siemload_run_")).noneMatch(name -> name.matches(".*(first|second)_.*"));
            first.close();
            try (SearchSession reading = second.openSession()) {
                assertThatExceptionOfType(TargetException.class)
                        .isThrownBy(() -> target.copy(key, "copy"))
                        .withMessageContaining("is being accessed by other users");
                assertThat(reading.handInCounts()).isTrue();
            }
            try (Connection administrator = SERVER.administrator(database);
                    Statement statement = administrator.createStatement()) {
                assertThatExceptionOfType(SQLException.class)
                        .isThrownBy(() -> statement.execute("INSERT INTO events_json SELECT * FROM events_json"))
                        .withMessageContaining("cannot execute INSERT in a read-only transaction");
            }
            second.close();
            try (Store copy = target.copy(key, "copy");
                    EventSink sink = copy.openSink()) {
                sink.write(List.of(PostgresqlTestServer.events(11).get(10)));
                assertThat(copy.events()).isEqualTo(11);
            }
        }
    }

    @Test
    void aDatabaseWithTheNameOfTheRegistryThatIsSomebodyElsesIsRefused() throws SQLException {
        SERVER.execute(createRole("carol"));
        String registry = "siemload_registry_" + number("carol");
        try (Target target = connect("carol")) {
            assertThat(target.holds(KEY)).isFalse();
            assertThat(SERVER.databases(registry))
                    .as("nothing is made by looking")
                    .isEmpty();
        }
        SERVER.execute("CREATE DATABASE \"" + registry + "\" OWNER alice");
        assertThatExceptionOfType(TargetException.class)
                .isThrownBy(() -> connect("carol").holds(KEY))
                .withMessageContaining(registry + " belongs to another user");
        SERVER.execute("DROP DATABASE \"" + registry + "\"");
        SERVER.execute("DROP ROLE carol");
    }

    private static String number(String role) throws SQLException {
        return text("SELECT '" + role + "'::regrole::oid");
    }

    private static String text(String question) throws SQLException {
        try (Connection connection = SERVER.administrator("postgres");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(question)) {
            row.next();
            return row.getString(1);
        }
    }

    /** Each with its owner and its comment. */
    private static Map<String, String> databases() throws SQLException {
        Map<String, String> databases = new TreeMap<>();
        try (Connection connection = SERVER.administrator("postgres");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT datname, oid || ' ' || pg_get_userbyid(datdba),"
                        + " shobj_description(oid, 'pg_database') FROM pg_database")) {
            while (rows.next()) {
                databases.put(rows.getString(1), rows.getString(2) + " " + rows.getString(3));
            }
        }
        return databases;
    }

    /** The name of its database; an earlier build may have left one. */
    private static String loadAnew(Target target, DatasetKey key) throws SQLException {
        target.discard(key);
        load(target, key);
        return SERVER.databases("siemload_data_" + key.fingerprint() + "_").get(0);
    }

    private static void load(Target target, DatasetKey key) {
        target.load(key, load -> load.write(PostgresqlTestServer.events(10)), step -> {});
    }

    private static Target connect(String user) {
        return connect(user, "postgres");
    }

    private static Target connect(String user, String database) {
        ServerAddress address = SERVER.address();
        String url = address.url().replaceAll("/postgres$", "/" + database);
        ServerAddress own = new ServerAddress(url, user, user.equals(address.user()) ? address.password() : PASSWORD);
        return new PostgresqlPlugin()
                .connect(own, PostgresqlTestServer.options(Duration.ofSeconds(20), PostgresqlTestServer.SESSIONS));
    }
}
