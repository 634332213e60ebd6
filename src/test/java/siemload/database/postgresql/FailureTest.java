package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.SearchException;
import siemload.database.SearchException.Kind;
import siemload.database.SearchSession;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Store.EventSink;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.event.SecurityEvent;
import siemload.query.Page;
import siemload.query.Search;

@Tag("database")
@Timeout(60)
final class FailureTest {
    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("failures");

    private static final DatasetKey KEY = new DatasetKey("00000000fa11fa11", "failures", 10);
    private static final Search PAGE = PostgresqlTestServer.EVERYTHING.with(new Page.Numbered(100, 1));
    private static final Duration TIMEOUT = Duration.ofMillis(300);

    @BeforeAll
    static void load() {
        SERVER.loadTenEvents(KEY);
    }

    @Test
    void aPageThatTakesTooLongTimesOutToTheMillisecondAndTheNextSearchWorks() throws SQLException {
        try (Target target = SERVER.connect(TIMEOUT);
                Store store = target.copy(KEY, "slow-page");
                SearchSession session = store.openSession()) {
            assertThat(session.search(PAGE, row -> {})).isEqualTo(10);
            try (Connection blocker = lock(SERVER.ofRun("slow-page"), "events")) {
                long start = System.nanoTime();
                assertKind(session, PAGE, Kind.TIMEOUT, "57014");
                long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
                assertThat(millis).isBetween(TIMEOUT.toMillis(), TIMEOUT.toMillis() + 200);
                blocker.rollback();
            }
            assertThat(session.search(PAGE, row -> {})).isEqualTo(10);
        }
    }

    @Test
    void aSessionConnectsAgainAfterItsBackendWasKilled() {
        try (Target target = SERVER.connect(TIMEOUT);
                Store store = target.copy(KEY, "killed-session");
                SearchSession session = store.openSession()) {
            assertThat(session.search(PAGE, row -> {})).isEqualTo(10);
            SERVER.endSessions(SERVER.ofRun("killed-session"));
            assertKind(session, PAGE, Kind.CONNECTION, "57P01");
            assertThat(session.search(PAGE, row -> {})).isEqualTo(10);
            SERVER.endSessions(SERVER.ofRun("killed-session"));
            assertKind(session, PostgresqlTestServer.EVERYTHING, Kind.CONNECTION, "57P01");
            assertThat(session.search(PostgresqlTestServer.EVERYTHING, row -> {}))
                    .isEqualTo(10);
        }
    }

    @Test
    void aSearchEndsWhenTheNetworkFallsSilentAndTheNextOneConnectsAgain() throws IOException {
        try (SilentNetwork network = new SilentNetwork(SERVER.address());
                Target target = PostgresqlTestServer.connect(network.through(SERVER.address()), TIMEOUT);
                Store store = target.copy(KEY, "silence");
                SearchSession session = store.openSession()) {
            assertThat(session.search(PAGE, row -> {})).isEqualTo(10);
            network.fallSilent();
            long start = System.nanoTime();
            assertKind(session, PAGE, Kind.CONNECTION, "08006");
            Duration waited = Duration.ofNanos(System.nanoTime() - start);
            assertThat(waited).isBetween(TIMEOUT.plusSeconds(5), TIMEOUT.plusSeconds(8));
            assertThat(session.search(PAGE, row -> {})).isEqualTo(10);
            network.speakAgain();
        }
    }

    @Test
    void aSinkConnectsAgainAfterItsBackendWasKilledAndTheBatchCanBeWrittenAgain() {
        try (Target target = SERVER.connect(TIMEOUT);
                Store store = target.copy(KEY, "killed-sink");
                EventSink sink = store.openSink()) {
            sink.write(PostgresqlTestServer.events(1));
            SERVER.endSessions(SERVER.ofRun("killed-sink"));
            List<SecurityEvent> batch = PostgresqlTestServer.events(5);
            assertThatExceptionOfType(SearchException.class)
                    .isThrownBy(() -> sink.write(batch))
                    .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.CONNECTION));
            sink.write(batch);
            assertThat(store.events()).isEqualTo(16);
        }
    }

    @Test
    void aBatchThatTimesOutIsNotHalfStoredAndCanBeWrittenAgain() throws SQLException {
        try (Target target = SERVER.connect(TIMEOUT);
                Store store = target.copy(KEY, "slow-sink");
                EventSink sink = store.openSink()) {
            List<SecurityEvent> batch = PostgresqlTestServer.events(5);
            try (Connection blocker = lock(SERVER.ofRun("slow-sink"), "events_json")) {
                assertThatExceptionOfType(SearchException.class)
                        .isThrownBy(() -> sink.write(batch))
                        .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.TIMEOUT))
                        .withMessage("canceling statement due to statement timeout");
                blocker.rollback();
            }
            assertThat(store.events()).isEqualTo(10);
            sink.write(batch);
            assertThat(store.events()).isEqualTo(15);
        }
    }

    @Test
    void aLoadWhoseConnectionIsLostFailsAtOnceAndLeavesNothing() {
        DatasetKey key = new DatasetKey("00000000fa11dead", "lost", 1);
        try (Target target = SERVER.connect(TIMEOUT)) {
            assertThatExceptionOfType(TargetException.class)
                    .isThrownBy(() -> target.load(
                            key,
                            load -> {
                                load.write(PostgresqlTestServer.events(10));
                                SERVER.endSessions(SERVER.databases("siemload_data_00000000fa11dead_")
                                        .get(0));
                                List<SecurityEvent> many = PostgresqlTestServer.events(1_000);
                                for (int i = 0; i < 1_000; i++) {
                                    load.write(many);
                                }
                            },
                            step -> {}))
                    .withMessageContaining("cannot load the table");
            assertThat(target.holds(key)).isFalse();
        }
    }

    private static void assertKind(SearchSession session, Search search, Kind kind, String code) {
        assertThatExceptionOfType(SearchException.class)
                .isThrownBy(() -> session.search(search, row -> {}))
                .satisfies(e -> assertThat(e.kind()).isEqualTo(kind))
                .satisfies(e -> assertThat(e.code()).isEqualTo(code));
    }

    private static Connection lock(String database, String table) throws SQLException {
        Connection connection = SERVER.administrator(database);
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("LOCK TABLE " + table + " IN ACCESS EXCLUSIVE MODE");
        }
        return connection;
    }

    /** A network path to a server that can fall silent: data sent over connections opened before are then dropped. */
    private static final class SilentNetwork implements AutoCloseable {
        private final ServerSocket entrance;
        private final int exit;
        private volatile int silences;
        private volatile int silentBefore;

        SilentNetwork(ServerAddress server) {
            exit = Integer.parseInt(server.url().replaceAll(".*:(\\d+)/.*", "$1"));
            try {
                entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            start(this::accept);
        }

        ServerAddress through(ServerAddress server) {
            String url = server.url().replaceAll(":\\d+/", ":" + entrance.getLocalPort() + "/");
            return new ServerAddress(url, server.user(), server.password());
        }

        /** Cuts all existing connections without closing them. */
        void fallSilent() {
            silentBefore = ++silences;
        }

        /** Older connections can be used again if nothing was sent over them in the meantime. */
        void speakAgain() {
            silentBefore = 0;
        }

        @Override
        public void close() throws IOException {
            entrance.close();
        }

        private void accept() {
            try {
                while (true) {
                    Socket client = entrance.accept();
                    Socket server = new Socket(InetAddress.getLoopbackAddress(), exit);
                    int birth = silences;
                    start(() -> forward(client, server, birth));
                    start(() -> forward(server, client, birth));
                }
            } catch (IOException closed) {
                // The test has ended.
            }
        }

        private void forward(Socket from, Socket to, int birth) {
            byte[] bytes = new byte[8192];
            try (from;
                    to) {
                for (int n = from.getInputStream().read(bytes);
                        n >= 0;
                        n = from.getInputStream().read(bytes)) {
                    if (birth >= silentBefore) {
                        to.getOutputStream().write(bytes, 0, n);
                    }
                }
            } catch (IOException closed) {
                // One side has closed its connection.
            }
        }

        private static void start(Runnable task) {
            Thread thread = new Thread(task, "silent-network");
            thread.setDaemon(true);
            thread.start();
        }
    }
}
