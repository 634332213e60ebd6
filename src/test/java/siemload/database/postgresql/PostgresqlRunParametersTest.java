package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.EmbeddedServer;
import siemload.database.EmbeddedServer.EmbeddedOptions;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Provision;
import siemload.database.ResourceFile;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.Variant;
import siemload.query.Paging;

@Tag("database")
final class PostgresqlRunParametersTest {
    private static final Path OTHER = ServerDirectory.of("another one");

    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("parameters of runs");

    @Test
    void theListOfWhatIsReadAtTheStartIsThatOfTheEmbeddedServer() throws SQLException {
        Set<String> listed = ResourceFile.text(
                        PostgresqlConnections.class, "/siemload/database/postgresql/server/start-parameters.txt")
                .lines()
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(listed)
                .containsAll(SERVER.texts(
                        "postgres", "SELECT name FROM pg_settings WHERE context IN ('postmaster', 'sighup')"));
    }

    @Test
    void whatADatabaseCanHaveHoldsInTheRunAloneAndStandsInTheSettings() throws SQLException {
        try (Target target = connect(SERVER.address(), Map.of("work_mem", "7MB", "Enable_IndexScan", "off"));
                Store store = target.emptyStore("with-parameters")) {
            assertThat(store.events()).isZero();
            assertThat(target.settings()).containsEntry("work_mem", "7MB").containsEntry("enable_indexscan", "off");
            assertThat(setting(SERVER.ofRun("with-parameters"), "work_mem")).isEqualTo("7MB");
            assertThat(setting("postgres", "work_mem")).isNotEqualTo("7MB");
        }
    }

    @Test
    void whatPostgresqlDoesNotTakeIsRefusedInItsWordsBeforeAnythingIsLoaded() {
        assertRefused(Map.of("wrok_mem", "7MB"), "unrecognized configuration parameter \"wrok_mem\"");
        assertRefused(Map.of("work_mem", "much"), "work_mem", "much");
        assertRefused(Map.of("block_size", "4096"), "parameter \"block_size\" cannot be changed");
    }

    @Test
    void whatIsReadAtTheStartIsGivenToTheEmbeddedServer() throws SQLException {
        Map<String, String> parameters =
                Map.of("max_wal_senders", "3", "wal_level", "replica", "cluster_name", "a 'b'");
        try (EmbeddedServer server = EmbeddedPostgresqlServer.start(new EmbeddedOptions(OTHER, 8, parameters));
                Target target = connect(server.address(), parameters)) {
            assertThat(target.settings()).containsEntry("max_wal_senders", "3").containsEntry("cluster_name", "a 'b'");
            server.restart(() -> {});
            assertThat(target.settings()).containsEntry("max_wal_senders", "3");
        }
    }

    @Test
    void whatCannotWorkIsRefusedWithoutAServer() {
        assertThat(refusal(Hint.NONE, Provision.EXTERNAL, "shared_buffers")).contains("this server is yours");
        assertThat(refusal(Hint.NONE, Provision.EMBEDDED, "shared_buffers")).isEmpty();
        assertThat(refusal(Hint.NONE, Provision.EMBEDDED, "port")).contains("siemload's own");
        assertThat(refusal(Hint.NONE, Provision.EXTERNAL, "statement_timeout")).contains("-Dtimeout");
        assertThat(refusal(Hint.INDEX, Provision.EMBEDDED, "enable_seqscan")).contains("hint 'index'");
        assertThat(refusal(Hint.NONE, Provision.EXTERNAL, "enable_seqscan")).isEmpty();
    }

    @Test
    void aFileCanSetNumbersAndSwitchesAndNothingThatExecutesReadsOrWrites() {
        assertThat(fromFile(Map.of("work_mem", "7MB", "JIT", "off", "plan_cache_mode", "auto")))
                .isEmpty();
        assertThat(List.of(
                        "archive_command",
                        "Restore_Command",
                        "shared_preload_libraries",
                        "log_directory",
                        "search_path",
                        "unheard_of"))
                .allSatisfy(name -> assertThat(fromFile(Map.of(name, "x")))
                        .contains(name.toLowerCase(Locale.ROOT) + " cannot be set by a file"));
    }

    private static String fromFile(Map<String, String> parameters) {
        return new PostgresqlPlugin().refusalFromFile(parameters).orElse("");
    }

    private static String refusal(Hint hint, Provision provision, String name) {
        Variant variant = new Variant("mentat", IndexSet.NATIVE, hint, Paging.OFFSET);
        return new PostgresqlPlugin()
                .refusal(variant, provision, Map.of(name, "1"))
                .orElse("");
    }

    private static void assertRefused(Map<String, String> parameters, String... words) {
        assertThatThrownBy(() -> connect(SERVER.address(), parameters))
                .isInstanceOf(TargetException.class)
                .satisfies(refused -> assertThat(refused.getMessage()).contains(words));
    }

    private static Target connect(ServerAddress address, Map<String, String> parameters) {
        Variant variant = new Variant("mentat", IndexSet.NONE, Hint.NONE, Paging.OFFSET);
        return new PostgresqlPlugin()
                .connect(
                        address,
                        new TargetOptions(variant, Duration.ofSeconds(20), Duration.ofMinutes(1), 2, parameters));
    }

    private static String setting(String database, String name) throws SQLException {
        try (Connection connection = SERVER.administrator(database);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW " + name)) {
            row.next();
            return row.getString(1);
        }
    }
}
