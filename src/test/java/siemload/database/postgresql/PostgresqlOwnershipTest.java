package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
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
import siemload.database.Target;
import siemload.database.TargetException;

/**
 * Databases of others stay unchanged, whatever their names. siemload's own are found, and dropped when nobody uses them.
 * {@code -Drounds=50} repeats the loads and runs more often.
 */
@Tag("database")
final class PostgresqlOwnershipTest {
    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("ownership");

    private static final DatasetKey KEY = new DatasetKey("00000000000000aa", "owned", 10);

    @BeforeAll
    static void makeUsersAndDatabasesOfOthers() {
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

    /** The password is hashed only once, since hashing takes most of the processor time of connecting. */
    private static String createRole(String user) {
        return "SET scram_iterations = 1; CREATE ROLE " + user + " LOGIN CREATEDB PASSWORD 'ownership'";
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgres", "bob"})
    void noDatabaseOfOthersIsChangedByRunsAndLoads(String user) {
        List<String> before = databases();
        for (int run = 0; run < Integer.getInteger("rounds", 1); run++) {
            try (Target target = connect(user)) {
                target.discard(KEY);
                PostgresqlTestServer.loadTenEvents(target, KEY);
                try (Store store = target.copy(KEY, "run-" + run);
                        Store empty = target.emptyStore("empty-" + run)) {
                    assertThat(store.events()).isEqualTo(10);
                    assertThat(empty.events()).isZero();
                }
                target.discard(KEY);
            }
        }
        assertThat(databases()).isEqualTo(before);
    }

    @Test
    void aDatabaseThatTookTheNameOfOneOfOursIsNotDropped() {
        try (Target target = connect("bob")) {
            Store store = target.emptyStore("replaced");
            String database = SERVER.ofRun("replaced");
            SERVER.execute("DROP DATABASE \"" + database + "\" WITH (FORCE)");
            SERVER.execute("CREATE DATABASE \"" + database + "\" OWNER alice");
            store.close();
            assertThat(databases()).anyMatch(one -> one.matches(database + " \\d+ alice -"));
            SERVER.execute("DROP DATABASE \"" + database + "\"");
        }
    }

    @Test
    void ofTwoLoadsAtOnceWithDifferentUrlsTheFirstThatIsCompleteIsKeptAndOnlyThat() {
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
    void aKeptDataSetThatLostRowsIsNeitherCopiedNorRead() {
        DatasetKey key = new DatasetKey("00000000000000dd", "damaged", 10);
        try (Target target = connect("bob")) {
            String database = loadAnew(target, key);
            // This has the effect of a broken disk.
            SERVER.execute(database, "BEGIN READ WRITE; DELETE FROM events_json WHERE ctid = '(0,3)'; COMMIT");
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

    @Test
    void aDataSetThatIsReadIsCopiedWhenTheLastRunHasEndedAndNobodyWritesIntoIt() {
        DatasetKey key = new DatasetKey("00000000000000ee", "read", 10);
        try (Target target = connect("bob")) {
            String database = loadAnew(target, key);
            Store read = target.read(key, "reads");
            try (SearchSession reading = read.openSession()) {
                assertThatExceptionOfType(TargetException.class)
                        .isThrownBy(() -> target.copy(key, "copy"))
                        .withMessageContaining("is being accessed by other users");
                assertThat(reading.handInCounts()).isTrue();
            }
            assertThatThrownBy(() -> SERVER.execute(database, "INSERT INTO events_json SELECT * FROM events_json"))
                    .hasStackTraceContaining("cannot execute INSERT in a read-only transaction");
            read.close();
            try (Store copy = target.copy(key, "copy")) {
                assertThat(copy.events()).isEqualTo(10);
            }
        }
    }

    @Test
    void aDatabaseWithTheNameOfTheRegistryThatIsSomebodyElsesIsRefused() {
        SERVER.execute(createRole("carol"));
        String registry = "siemload_registry_" + SERVER.text("postgres", "SELECT 'carol'::regrole::oid");
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

    /** All databases with owner and comment, except for the registries, which stay. */
    private static List<String> databases() {
        return SERVER.texts(
                "postgres",
                "SELECT concat_ws(' ', datname, oid, pg_get_userbyid(datdba),"
                        + " coalesce(shobj_description(oid, 'pg_database'), '-')) FROM pg_database"
                        + " WHERE NOT starts_with(datname, 'siemload_registry_') ORDER BY datname");
    }

    /** Loads a data set, which an earlier build may have left, and returns the name of its database. */
    private static String loadAnew(Target target, DatasetKey key) {
        target.discard(key);
        PostgresqlTestServer.loadTenEvents(target, key);
        return SERVER.databases("siemload_data_" + key.fingerprint() + "_").get(0);
    }

    private static Target connect(String user) {
        return connect(user, "postgres");
    }

    private static Target connect(String user, String database) {
        ServerAddress address = SERVER.address();
        String password = user.equals(address.user()) ? address.password() : "ownership";
        return PostgresqlTestServer.connect(
                new ServerAddress(SERVER.url(database), user, password), Duration.ofSeconds(20));
    }
}
