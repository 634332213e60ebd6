package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.SearchException;
import siemload.database.SearchException.Kind;
import siemload.database.SearchSession;
import siemload.database.SearchSession.ResultCursor;
import siemload.database.SearchSession.RowReader;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Target;
import siemload.database.postgresql.server.PostgresqlTestServer;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;

/** Timeouts and lost connections of cursors and plans, with a real server. */
@Tag("database")
@Timeout(60)
final class CursorFailureTest {
    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("failures");

    private static final DatasetKey KEY = new DatasetKey("00000000c0500000", "cursor failures", 10);
    private static final Search PAGE =
            new Search(SearchName.MENTAT, Window.ALWAYS, List.of(), Order.NEWEST_FIRST, new Page.Numbered(100, 1));
    private static final Duration TIMEOUT = Duration.ofMillis(300);
    private static final RowReader IGNORED = row -> {};

    @BeforeAll
    static void load() {
        SERVER.loadTenEvents(KEY);
    }

    @Test
    void aPageThatTakesTooLongClosesTheCursorAndTheSessionGoesOn() throws SQLException {
        onSlowCopy("slow-cursor", session -> {
            ResultCursor cursor = session.open(PAGE);
            assertKind(() -> cursor.next(1, IGNORED), Kind.TIMEOUT, "57014");
            assertThatIllegalStateException().isThrownBy(() -> cursor.next(1, IGNORED));
            cursor.close();
        });
    }

    /** A search that counts needs no JSON, and must work afterwards. */
    private static void onSlowCopy(String runId, Consumer<SearchSession> check) throws SQLException {
        try (Target target = connect();
                Store store = target.copy(KEY, runId);
                SearchSession session = store.openSession()) {
            makeSlow(SERVER.ofRun(runId));
            check.accept(session);
            assertThat(session.count(PAGE)).isEqualTo(10);
        }
    }

    @Test
    void aCursorEndsWithItsConnectionAndTheNextOneIsOpenedOverANewConnection() throws SQLException {
        try (Target target = connect();
                Store store = target.copy(KEY, "killed-cursor");
                SearchSession session = store.openSession()) {
            ResultCursor lost = session.open(PAGE);
            assertThat(lost.next(3, IGNORED)).isEqualTo(3);
            SERVER.endSessions(SERVER.ofRun("killed-cursor"));
            assertKind(() -> lost.next(3, IGNORED), Kind.CONNECTION, "57P01");
            try (ResultCursor next = session.open(PAGE)) {
                assertThat(next.next(100, IGNORED)).isEqualTo(10);
            }
        }
    }

    /** Each row of the JSON takes longer than half the timeout from now on. */
    private static void makeSlow(String database) throws SQLException {
        try (Connection connection = SERVER.administrator(database);
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER TABLE events_json RENAME TO quick_json");
            statement.execute("CREATE VIEW events_json AS SELECT id, event FROM quick_json"
                    + " WHERE length(pg_sleep(0.2)::text) >= 0");
        }
    }

    private static void assertKind(Runnable action, Kind kind, String code) {
        assertThatExceptionOfType(SearchException.class)
                .isThrownBy(action::run)
                .satisfies(e -> assertThat(e.kind()).isEqualTo(kind))
                .satisfies(e -> assertThat(e.code()).isEqualTo(code));
    }

    private static Target connect() {
        return new PostgresqlPlugin()
                .connect(SERVER.address(), PostgresqlTestServer.options(TIMEOUT, PostgresqlTestServer.SESSIONS));
    }
}
