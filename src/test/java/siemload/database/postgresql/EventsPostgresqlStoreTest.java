package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.config.Origin;
import siemload.database.ExistingSessions;
import siemload.database.LayoutFolder;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.layout.BlockFiles;
import siemload.event.AddressRange;
import siemload.query.Criterion;
import siemload.query.EventSide;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;

/** The log of a firewall, whose addresses are of the type inet, is searched by a layout without loading. */
@Tag("database")
@Tag("any-java")
@Timeout(120)
final class EventsPostgresqlStoreTest {
    private static final SearchName NAME = new SearchName("HAWAT1");

    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("firewall");

    @BeforeAll
    static void makeTheTables() throws SQLException {
        SERVER.makeDatabase("soc", "soc_reader");
        SERVER.execute("GRANT pg_read_all_data TO soc_reader");
        SERVER.execute("soc", """
                CREATE SCHEMA soc;
                CREATE TABLE soc.sensor (id int PRIMARY KEY, label text);
                INSERT INTO soc.sensor VALUES (1, 'fw-1'), (2, 'fw-2');
                CREATE TABLE soc.firewall_log (log_no int PRIMARY KEY, seen_at timestamptz, sensor_id int, verdict text,
                    src inet, dst inet, dport int);
                INSERT INTO soc.firewall_log VALUES
                    (1, '2026-11-01 00:00Z', 1, 'drop', '10.0.0.7', '192.0.2.1', 22),
                    (2, '2026-11-01 00:01Z', 2, 'accept', '10.0.0.8', '192.0.2.2', 443),
                    (3, '2026-11-01 00:02Z', 1, 'drop', '10.0.1.0', '10.0.0.7', 443),
                    (4, '2026-11-01 00:03Z', 2, 'drop', '255.255.255.255', '0.0.0.0', NULL),
                    (5, '2026-11-01 00:04Z', 2, 'drop', '2001:db8::1', '2001:db8::2', 443);
                """);
    }

    private static ServerAddress address() {
        return new ServerAddress(SERVER.url("soc"), "soc_reader", "soc_reader");
    }

    private static LayoutFolder folder() {
        return LayoutFolder.read("src/test/resources/existing/firewall", new Origin.Default(), new PostgresqlPlugin());
    }

    private static void with(Consumer<Store> use) {
        ExistingSessions.events(new PostgresqlPlugin(), address(), folder(), use);
    }

    private static Criterion addresses(EventSide side, String... ranges) {
        return new Criterion.AddressFigured(
                Arrays.stream(ranges).map(AddressRange::parse).toList(), side);
    }

    private static List<String> found(Store store, Criterion criterion) {
        Search search = new Search(NAME, Window.ALWAYS, List.of(criterion), Order.OLDEST_FIRST, new Page.Whole());
        return ExistingSessions.ids(store, search);
    }

    @Test
    void addressesOfTheTypeInetAreFoundByNumbers() {
        with(store -> {
            assertThat(found(store, addresses(EventSide.EITHER, "10.0.0.7"))).containsExactly("1", "3");
            assertThat(found(store, addresses(EventSide.SOURCE, "10.0.0.7"))).containsExactly("1");
            assertThat(found(store, addresses(EventSide.TARGET, "10.0.0.7"))).containsExactly("3");
            assertThat(found(store, addresses(EventSide.SOURCE, "10.0.0.0/24"))).containsExactly("1", "2");
            assertThat(found(store, addresses(EventSide.SOURCE, "10.0.0.8-10.0.1.0")))
                    .containsExactly("2", "3");
            assertThat(found(store, addresses(EventSide.SOURCE, "255.255.255.255")))
                    .containsExactly("4");
            assertThat(found(store, addresses(EventSide.TARGET, "0.0.0.0"))).containsExactly("4");
            assertThat(found(store, addresses(EventSide.EITHER, "192.0.2.2", "10.0.1.0")))
                    .containsExactly("2", "3");
        });
    }

    @Test
    void infiniteTimesAndNoneSetNoScale() {
        SortedMap<String, String> files = BlockFiles.with(
                folder().files(),
                Map.of(
                        "from.sql",
                        "(SELECT * FROM soc.firewall_log UNION ALL SELECT 6, 'infinity', 1, 'drop', NULL, NULL, 1"
                                + " UNION ALL SELECT 7, '-infinity', 1, 'drop', NULL, NULL, 1"
                                + " UNION ALL SELECT 8, NULL, 1, 'drop', NULL, NULL, 1) f JOIN soc.sensor s ON s.id = f.sensor_id"));
        ExistingSessions.events(
                new PostgresqlPlugin(),
                address(),
                new LayoutFolder("endless", "endless", files),
                store -> assertThat(store.span())
                        .isEqualTo(new Store.Span(
                                Instant.parse("2026-11-01T00:00:00Z"), Instant.parse("2026-11-01T00:04:00Z"), 8)));
    }
}
