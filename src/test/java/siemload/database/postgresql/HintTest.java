package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.DatasetLoad;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Plan;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.Variant;
import siemload.database.postgresql.server.PostgresqlTestServer;
import siemload.query.Criterion.CategoryIs;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;

/** What happens when a hint cannot be had. */
@Tag("database")
final class HintTest {
    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("failures");

    private static final PostgresqlPlugin PLUGIN = new PostgresqlPlugin();
    private static final DatasetKey KEY = new DatasetKey("00000000000041d7", "hints", 100);
    private static final Search SEARCH = new Search(
            SearchName.HAWAT3,
            Window.ALWAYS,
            List.of(new CategoryIs("Test")),
            Order.NEWEST_FIRST,
            new Page.Numbered(10, 1));

    @Test
    void aHintWhoseIndexIsMissingIsNoticedInThePlan() throws SQLException {
        Variant variant = new Variant("mentat", IndexSet.NATIVE, Hint.INDEX, Paging.OFFSET);
        try (Target target = PLUGIN.connect(
                        SERVER.address(),
                        new TargetOptions(variant, Duration.ofSeconds(20), PostgresqlTestServer.SESSIONS));
                DatasetLoad load = target.load(KEY)) {
            load.write(PostgresqlTestServer.events(100));
            load.finish(step -> {});
            try (Store store = target.copy(KEY, "hint");
                    SearchSession session = store.openSession()) {
                assertThat(Hint.INDEX.missedBy(SEARCH, session.explain(SEARCH))).isEmpty();
                drop(SERVER.ofRun("hint"), "events_lists");
                Plan plan = session.explain(SEARCH);
                assertThat(Hint.INDEX.missedBy(SEARCH, plan)).contains("the plan is: table events, sorted");
            }
        }
    }

    @Test
    void aCursorIsNotReadByWorkersAndTheRefusalSaysWhatIsAllowed() {
        Variant variant = new Variant("mentat", IndexSet.NATIVE, Hint.FULL_SCAN_PARALLEL, Paging.CURSOR);
        assertThat(PLUGIN.refusal(variant))
                .hasValueSatisfying(why -> assertThat(why).contains("paging 'cursor'", "offset, keyset"));
        assertThat(PLUGIN.refusal(new Variant("mentat", IndexSet.TIME, Hint.INDEX, Paging.OFFSET)))
                .isPresent();
    }

    private static void drop(String database, String index) throws SQLException {
        try (Connection connection = SERVER.administrator(database);
                Statement statement = connection.createStatement()) {
            statement.execute("DROP INDEX " + index);
        }
    }
}
