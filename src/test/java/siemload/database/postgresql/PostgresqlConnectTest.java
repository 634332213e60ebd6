package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.config.RegularFile;
import siemload.database.Counters;
import siemload.database.Counters.CounterReading;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.SearchException;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Target;
import siemload.database.Target.ServerUse;
import siemload.database.Target.TargetOptions;
import siemload.database.Target.Transport.Security;
import siemload.database.TargetException;
import siemload.database.TestCertificates;
import siemload.database.Variant;
import siemload.database.postgresql.PostgresqlConnections.PostgresqlErrors;
import siemload.query.Paging;

/**
 * The facts that a server reports, the messages for users who cannot connect, and the parameters that a run may set. No message contains a
 * password. The server has a certificate only for {@code localhost}, signed by an authority below a root.
 */
@Tag("database")
@Timeout(60)
@Tag("every-java")
final class PostgresqlConnectTest {
    private static final TestCertificates CERTIFICATES = TestCertificates.get();
    private static final String TRUSTED = "&sslrootcert=" + CERTIFICATES.root();

    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer(
            "connect",
            Map.of(
                    "fsync",
                    "off",
                    "ssl",
                    "on",
                    "ssl_cert_file",
                    CERTIFICATES.chain().toString(),
                    "ssl_key_file",
                    CERTIFICATES.keyFile().toString()));

    private static final String SECRET = "a-secret-nobody-may-see";

    @Test
    void aServerTellsItsVersionAndSettings() {
        try (Target target = SERVER.connect()) {
            assertThat(target.version()).matches("18\\.\\d+");
            assertThat(target.settings())
                    .containsEntry("fsync", "off") // Test servers are started with it.
                    .containsEntry("random_page_cost", "1.1")
                    .doesNotContainKey("statement_timeout");
        }
    }

    @Test
    void whoCannotConnectIsToldWhatToDoAndNeverThePassword() throws IOException {
        String url = SERVER.address().url();
        assertRefused(url, "postgres", "28P01", "SIEMLOAD_PASSWORD");
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        String closed = "127.0.0.1:" + port + "/postgres";
        assertRefused("jdbc:postgresql://" + closed + "?password=" + SECRET, "postgres", closed, "Check host and port");
        SERVER.execute("DROP ROLE IF EXISTS reader");
        SERVER.execute("CREATE ROLE reader LOGIN PASSWORD '" + SECRET + "'");
        assertRefused(url, "reader", "ALTER ROLE \"reader\" CREATEDB");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        08004 | The server does not support SSL.                                               | whether the server has TLS
        08001 | Invalid sslmode value: non                                                     | Check sslmode and sslrootcert
        08006 | The hostname db could not be verified by hostnameverifier PgjdbcHostnameVerifier. | Check sslmode
        28000 | connection requires a valid client certificate                                 | Check sslmode
        28000 | no pg_hba.conf entry for host "::1", user "u", database "d", SSL encryption    | to pg_hba.conf
        28000 | role "u" does not exist                                                        | SIEMLOAD_USER
        08P01 | unsupported startup parameter: options                                         | a pooler in between
        08P01 | unsupported startup parameter in options: lock_timeout                         | a pooler in between
        08001 | Could not find a server with specified targetServerType: secondary             | Check targetServerType
        08001 | Connection to ssl.example:1 refused.                                           | Check host and port
        53100 | could not resize shared memory segment "/PostgreSQL.1" to 8 bytes: No space left on device | --shm-size
        53100 | could not extend file "base/1/2": No space left on device                      | free some space""")
    void theAdviceFitsTheMessageNotTheCodeAlone(String code, String message, String advice) {
        assertThat(PostgresqlErrors.INSTANCE.outsideRun("cannot connect", new SQLException(message, code)))
                .hasMessageStartingWith("cannot connect: " + message)
                .hasMessageContaining(advice);
    }

    @Test
    void tooFewConnectionsAreCountedBeforeTheRun() {
        assertThatExceptionOfType(TargetException.class)
                .isThrownBy(() -> new PostgresqlPlugin()
                        .connect(SERVER.address(), PostgresqlTestServer.options(Duration.ofSeconds(5), 500)))
                .withMessageContaining("needs 500")
                .withMessageContaining("max_connections");
    }

    @ParameterizedTest
    @CsvSource({
        "localhost, verify-full, HOST_NAME",
        "localhost, verify-ca,   CERTIFICATE",
        "127.0.0.1, verify-ca,   CERTIFICATE",
        "127.0.0.1, require,     UNVERIFIED",
        "127.0.0.1, prefer,      UNVERIFIED"
    })
    void theConnectionTellsHowFarTheServerWasVerified(String host, String mode, Security security) {
        ServerAddress address = SERVER.address();
        String url = address.url().replace("127.0.0.1", host) + "?sslmode=" + mode + TRUSTED;
        try (Target target = connect(new ServerAddress(url, address.user(), address.password()))) {
            TestCertificates.assertEncrypted(target.transport(), security);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"verify-full", "verify-ca"})
    void aCertificateOfAnUnknownAuthorityIsRefused(String mode) {
        String url = SERVER.address().url().replace("127.0.0.1", "localhost");
        String options = "?sslmode=" + mode + "&sslrootcert=" + CERTIFICATES.strangeRoot();
        assertRefused(url + options, "postgres", "SSL error");
    }

    /** An attacker between client and server claims that the server has no TLS. */
    @ParameterizedTest
    @ValueSource(strings = {"require", "verify-ca", "verify-full"})
    void aDowngradeIsRefusedBeforeUserAndPasswordAreSent(String mode) throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<String> told = CompletableFuture.supplyAsync(() -> answeredWithoutTls(socket));
            String url = "jdbc:postgresql://localhost:" + socket.getLocalPort() + "/postgres?sslmode=" + mode + TRUSTED;
            assertRefused(url, "analyst", "does not support SSL");
            assertThat(told.get(20, TimeUnit.SECONDS)).hasSize(8).doesNotContain("analyst", SECRET);
        }
    }

    /** Refuses TLS, and returns everything that the client sends until it closes. */
    private static String answeredWithoutTls(ServerSocket socket) {
        try (Socket client = socket.accept()) {
            byte[] first = client.getInputStream().readNBytes(8);
            client.getOutputStream().write('N');
            String more = new String(client.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            return new String(first, StandardCharsets.ISO_8859_1) + more;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Other users of a server are detected before anything is written to it. */
    @Test
    void aServerWithNothingButIdleSessionsIsNotBusy() throws SQLException {
        try (Connection idle = SERVER.administrator("template1");
                Target target = SERVER.connect()) {
            ServerUse use = target.use().orElseThrow();
            assertThat(idle.isClosed()).isFalse();
            assertThat(use.others()).contains("PostgreSQL JDBC Driver of postgres on template1");
            assertThat(use.isBusy()).as(use.toString()).isFalse();
            assertThat(use.gaps()).isEmpty();
        }
    }

    @Test
    void manyShortTransactionsMakeItBusyAlsoForAUserWhoMayNotSeeThem() throws Exception {
        SERVER.makeUser("eve");
        SERVER.execute("ALTER ROLE eve CREATEDB");
        AtomicBoolean over = new AtomicBoolean();
        try (Connection other = SERVER.administrator("postgres");
                Statement statement = other.createStatement();
                Target target = connect(new ServerAddress(SERVER.address().url(), "eve", "eve"))) {
            CompletableFuture<Void> work = CompletableFuture.runAsync(() -> {
                try {
                    while (!over.get()) {
                        statement.execute("SELECT 1");
                    }
                } catch (SQLException e) {
                    throw new AssertionError(e);
                }
            });
            ServerUse use = target.use().orElseThrow();
            over.set(true);
            work.join();
            assertThat(use.perSecond()).isGreaterThan(20);
            assertThat(use.isBusy()).isTrue();
            assertThat(use.gaps()).containsExactly("what others do (GRANT pg_read_all_stats TO this user)");
        }
    }

    /** It is not documented how soon the server notices the loss of one of its processes, and when it accepts connections again. */
    @Test
    void aCrashOfOneBackendRestartsTheServerWhoseFirstProcessLivesOn() {
        try (Target target = SERVER.connect();
                Store store = target.emptyStore("crash");
                Counters counters = store.openCounters().orElseThrow()) {
            CounterReading before = counters.read();
            assertThat(counters.read().restartedSince(before)).isFalse();
            String backend = "SELECT pid FROM pg_stat_activity WHERE datname = '" + SERVER.ofRun("crash") + "'";
            ProcessHandle.of(SERVER.number("postgres", backend)).orElseThrow().destroyForcibly();
            while (!isRestarted(counters, before)) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
            store.openSession().close();
        }
    }

    private static boolean isRestarted(Counters counters, CounterReading before) {
        try {
            return counters.read().restartedSince(before);
        } catch (SearchException down) {
            return false;
        }
    }

    @Test
    void theListOfWhatIsReadAtTheStartIsThatOfTheEmbeddedServer() {
        Set<String> listed = RegularFile.resource(
                        PostgresqlConnections.class, "/siemload/database/postgresql/server/start-parameters.txt")
                .lines()
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(listed)
                .containsAll(SERVER.texts(
                        "postgres", "SELECT name FROM pg_settings WHERE context IN ('postmaster', 'sighup')"));
    }

    @Test
    void whatADatabaseCanHaveHoldsInTheRunAloneAndStandsInTheSettings() {
        try (Target target = connect(
                        SERVER.address(),
                        Map.of("work_mem", "7MB", "Enable_IndexScan", "off", "TimeZone", "Asia/Tokyo"));
                Store store = target.emptyStore("with-parameters")) {
            String zone = "SELECT (current_setting('TimeZone') = 'Asia/Tokyo')::int";
            assertThat(store.transactions().orElseThrow().number(zone)).isOne();
            assertThat(target.settings()).containsEntry("work_mem", "7MB").containsEntry("enable_indexscan", "off");
            assertThat(SERVER.text(SERVER.ofRun("with-parameters"), "SHOW work_mem"))
                    .isEqualTo("7MB");
            assertThat(SERVER.text("postgres", "SHOW work_mem")).isNotEqualTo("7MB");
        }
    }

    @Test
    void whatPostgresqlDoesNotTakeIsRefusedInItsWordsBeforeAnythingIsLoaded() {
        Map.of(
                        "wrok_mem=7MB", "unrecognized configuration parameter \"wrok_mem\"",
                        "work_mem=much", "work_mem",
                        "block_size=4096", "parameter \"block_size\" cannot be changed")
                .forEach((parameter, words) -> assertThatExceptionOfType(TargetException.class)
                        .isThrownBy(() -> connect(
                                SERVER.address(),
                                Map.of(parameter.split("=", 2)[0], parameter.split("=", 2)[1])))
                        .withMessageContaining(words));
    }

    @ParameterizedTest
    @CsvSource({
        "--Plan-Cache-Mode=auto%20-cjit=off,            plan_cache_mode",
        "-c%20work_mem=1MB%20-c%20statement_timeout=5s, 'statement_timeout, work_mem'"
    })
    void theUrlMustNotSetWhatTheRunSets(String options, String names) {
        ServerAddress own = SERVER.address();
        ServerAddress address = new ServerAddress(own.url() + "?options=" + options, own.user(), own.password());
        assertThatExceptionOfType(TargetException.class)
                .isThrownBy(() -> connect(address, Map.of("Work_Mem", "7MB")))
                .withMessage(
                        "the url's options set " + names + ", which this run sets, too (remove them from the url)");
    }

    private static void assertRefused(String url, String user, String... parts) {
        assertThatExceptionOfType(TargetException.class)
                .isThrownBy(() -> connect(new ServerAddress(url, user, SECRET)))
                .satisfies(e -> assertThat(e.getMessage()).contains(parts).doesNotContain(SECRET));
    }

    private static Target connect(ServerAddress address) {
        return PostgresqlTestServer.connect(address, Duration.ofSeconds(5));
    }

    private static Target connect(ServerAddress address, Map<String, String> parameters) {
        Variant variant = new Variant("mentat", IndexSet.NONE, Hint.NONE, Paging.OFFSET);
        return new PostgresqlPlugin()
                .connect(address, new TargetOptions(variant, Duration.ofSeconds(20), 2, parameters));
    }
}
