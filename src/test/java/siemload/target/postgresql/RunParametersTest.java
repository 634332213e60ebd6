package siemload.target.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.query.Paging;
import siemload.target.EmbeddedOptions;
import siemload.target.EmbeddedServer;
import siemload.target.Hint;
import siemload.target.IndexSet;
import siemload.target.Provision;
import siemload.target.ServerAddress;
import siemload.target.Store;
import siemload.target.Target;
import siemload.target.TargetException;
import siemload.target.TargetOptions;
import siemload.target.Variant;

@Tag("database")
final class RunParametersTest {
    private static final Path OTHER = ServerDirectory.of("another one");

    @RegisterExtension
    static final TestServer SERVER = new TestServer("parameters of runs");

    @Test
    void theListOfWhatIsReadAtTheStartIsThatOfTheEmbeddedServer() throws SQLException {
        Set<String> listed =
                SqlTemplate.text("server/start-parameters.txt").lines().collect(Collectors.toCollection(TreeSet::new));
        Set<String> told = new TreeSet<>();
        try (Connection connection = SERVER.administrator("postgres");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT name FROM pg_settings WHERE context IN ('postmaster', 'sighup')")) {
            while (rows.next()) {
                told.add(rows.getString(1));
            }
        }
        assertThat(listed).containsAll(told);
    }

    @Test
    void whatADatabaseCanHaveHoldsInTheRunAloneAndStandsInTheSettings() throws SQLException {
        try (Target target = connect(SERVER.address(), Map.of("work_mem", "7MB", "Enable_IndexScan", "off"));
                Store store = target.emptyStore("with-parameters")) {
            assertThat(store.events()).isZero();
            assertThat(target.settings()).containsEntry("work_mem", "7MB").containsEntry("enable_indexscan", "off");
            assertThat(setting("siemload_run_with-parameters", "work_mem")).isEqualTo("7MB");
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
        try (EmbeddedServer server = EmbeddedPostgresqlServer.start(new EmbeddedOptions(OTHER, 0, 8, parameters));
                Target target = connect(server.address(), parameters)) {
            assertThat(target.settings()).containsEntry("max_wal_senders", "3").containsEntry("cluster_name", "a 'b'");
            server.restart(() -> {});
            assertThat(target.settings()).containsEntry("max_wal_senders", "3");
        }
    }

    @Test
    void anEmbeddedServerThatCannotStartWithAParameterSaysSoInItsWords() {
        assertThatThrownBy(() -> EmbeddedPostgresqlServer.start(
                        new EmbeddedOptions(OTHER, 0, 8, Map.of("shared_buffers", "plenty"))))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("invalid value for parameter \"shared_buffers\": \"plenty\"");
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
                .connect(address, new TargetOptions(variant, Duration.ofSeconds(20), 2, parameters));
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
