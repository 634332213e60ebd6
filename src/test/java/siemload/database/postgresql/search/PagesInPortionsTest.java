package siemload.database.postgresql.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.database.Maintenance;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.Target;
import siemload.database.postgresql.PostgresqlPlugin;
import siemload.database.postgresql.server.PostgresqlTestServer;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;

/** Where the server is while the client has the first row of a page in hand. */
@Tag("database")
final class PagesInPortionsTest {
    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("portions");

    @ParameterizedTest
    @CsvSource({
        "10000, idle:                SELECT e.id",
        "10001, idle in transaction: FETCH FORWARD 1000 FROM page_cursor"
    })
    void onlyALargePageIsFetchedInPortions(int size, String doing) {
        Search search =
                new Search(SearchName.MENTAT, Window.ALWAYS, List.of(), Order.NEWEST_FIRST, new Page.Numbered(size, 1));
        try (Target target = new PostgresqlPlugin()
                        .connect(SERVER.address(), PostgresqlTestServer.options(Duration.ofSeconds(20), 1));
                Store store = target.emptyStore("portions");
                SearchSession session = store.openSession()) {
            Maintenance maintenance = store.maintenance().orElseThrow();
            maintenance.indexSteps().forEach(maintenance::build);
            try (var sink = store.openSink()) {
                sink.write(PostgresqlTestServer.events(1));
            }
            AtomicReference<String> seen = new AtomicReference<>("");
            assertThat(session.search(search, row -> seen.set(activity()))).isEqualTo(1);
            assertThat(seen.get()).startsWith(doing.replaceAll(" +", " "));
            assertThat(activity()).startsWith("idle:");
        }
    }

    /** What the session that searched last is doing. */
    private static String activity() {
        try (Connection connection = SERVER.administrator("postgres");
                PreparedStatement statement = connection.prepareStatement(
                        "SELECT state || ': ' || regexp_replace(query, '\\s+', ' ', 'g') FROM pg_stat_activity"
                                + " WHERE datname LIKE 'siemload_run_%' AND query ~ '^(SELECT e.id|FETCH|COMMIT)'");
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getString(1);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
