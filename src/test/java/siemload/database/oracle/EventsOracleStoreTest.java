package siemload.database.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static siemload.database.ExistingSessions.ids;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.config.Origin;
import siemload.database.EmbeddedServer;
import siemload.database.EmbeddedServer.EmbeddedOptions;
import siemload.database.ExistingEvents;
import siemload.database.ExistingSessions;
import siemload.database.Hint;
import siemload.database.LayoutFolder;
import siemload.database.SearchSession;
import siemload.database.TargetException;
import siemload.event.AddressRange;
import siemload.query.CountedValue;
import siemload.query.Criterion;
import siemload.query.EventSide;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.ValueField;
import siemload.query.ValueField.Beside;
import siemload.query.Window;

/** Rows that nobody here designed are searched by a layout without loading, on H2 in its Oracle mode. */
@Tag("any-java")
final class EventsOracleStoreTest {
    private static final SearchName NAME = new SearchName("HAWAT4");
    private static final Instant FIRST = Instant.parse("2024-02-21T00:00:00Z");
    private static final int ALERTS = 600;
    private static final int RULES = 7;
    private static final Window TWO_HOURS = new Window(FIRST.plusSeconds(3_600), FIRST.plusSeconds(3 * 3_600));

    private static EmbeddedServer server;

    /** Three of an instant each, so that the id must settle their order. */
    private static Instant time(int alert) {
        return FIRST.plusSeconds(alert / 3 * 60L);
    }

    private static String id(int alert) {
        return String.format("%05d", alert);
    }

    private static String address(int alert) {
        return "192.0.2." + alert % 50;
    }

    @BeforeAll
    static void makeTheTable() throws SQLException {
        server = new H2Plugin().startEmbedded(new EmbeddedOptions(Path.of(""), 10));
        try (Connection connection = H2Dialect.connect(server.address().url());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE alert (no NUMBER(9) PRIMARY KEY, raised TIMESTAMP(6), rule VARCHAR2(20),"
                    + " sensor VARCHAR2(20), source_number NUMBER(10), source_text VARCHAR2(15), target_text VARCHAR2(15),"
                    + " port NUMBER(5))");
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO alert VALUES (?, ?, ?, ?, ?, ?, ?, ?)")) {
                for (int alert = 0; alert < ALERTS; alert++) {
                    insert.setInt(1, alert);
                    insert.setObject(2, LocalDateTime.ofInstant(time(alert), ZoneOffset.UTC));
                    insert.setString(3, alert % RULES == 0 ? null : "rule-" + alert % RULES);
                    insert.setString(4, "sensor-" + alert % 4);
                    insert.setLong(5, AddressRange.parse(address(alert)).firstLow());
                    insert.setString(6, address(alert));
                    insert.setString(7, "198.51.100." + alert % 30);
                    insert.setInt(8, alert % 5 == 0 ? 22 : 443);
                    insert.addBatch();
                }
                insert.executeBatch();
            }
        }
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    private static LayoutFolder folder() {
        return LayoutFolder.read("src/test/resources/existing/oracle-alerts", new Origin.Default(), new OraclePlugin());
    }

    private static void with(LayoutFolder folder, Consumer<ExistingEvents> use) {
        ExistingSessions.events(new H2Plugin(), server.address(), folder, use);
    }

    private static void with(Consumer<ExistingEvents> use) {
        with(folder(), use);
    }

    private static Search search(Window window, Order order, Page page, Criterion... criteria) {
        return new Search(NAME, window, List.of(criteria), order, page);
    }

    /** The oldest first. */
    private static List<String> right(IntPredicate condition) {
        return IntStream.range(0, ALERTS)
                .filter(condition)
                .mapToObj(EventsOracleStoreTest::id)
                .toList();
    }

    private static List<String> reversed(List<String> ids) {
        List<String> reversed = new ArrayList<>(ids);
        Collections.reverse(reversed);
        return reversed;
    }

    @Test
    void itSaysWhenTheEventsWereAndWhichValuesTheyHave() {
        with(store -> {
            assertThat(store.span()).isEqualTo(new ExistingEvents.Span(FIRST, time(ALERTS - 1), ALERTS));
            assertThat(store.events()).isEqualTo(ALERTS);
            Map<ValueField, List<CountedValue>> values = store.values(100_000);
            assertThat(values).containsOnlyKeys(ValueField.CATEGORY, ValueField.DETECTOR, ValueField.SOURCE);
            assertThat(values.get(ValueField.CATEGORY))
                    .hasSize(RULES - 1)
                    .contains(new CountedValue(
                            "rule-1", right(alert -> alert % RULES == 1).size(), Map.of()));
            assertThat(values.get(ValueField.DETECTOR))
                    .hasSize(4)
                    .allSatisfy(value -> assertThat(value.beside()).containsOnlyKeys(Beside.CATEGORY));
            assertThat(store.values(3).get(ValueField.SOURCE)).hasSize(3);
        });
    }

    @Test
    void pagesFollowEachOtherInBothOrdersAndTheLastOneEndsThem() {
        with(store -> {
            List<String> right = right(alert -> TWO_HOURS.contains(time(alert)));
            assertThat(ids(store, search(TWO_HOURS, Order.OLDEST_FIRST, new Page.Whole())))
                    .isEqualTo(right);
            assertThat(ids(store, search(TWO_HOURS, Order.UNSORTED, new Page.Whole())))
                    .containsExactlyInAnyOrderElementsOf(right);
            List<String> newest = reversed(right);
            assertThat(ids(store, search(TWO_HOURS, Order.NEWEST_FIRST, new Page.Numbered(10, 3))))
                    .isEqualTo(newest.subList(20, 30));
            int last = 100;
            PageKey key = new PageKey(time(Integer.parseInt(newest.get(last))), newest.get(last));
            assertThat(ids(store, search(TWO_HOURS, Order.NEWEST_FIRST, new Page.After(10, key))))
                    .isEqualTo(newest.subList(last + 1, last + 11));
            assertThat(ids(store, search(TWO_HOURS, Order.NEWEST_FIRST, new Page.Last(10))))
                    .isEqualTo(newest.subList(newest.size() - 10, newest.size()));
        });
    }

    @Test
    void conditionsAskAsTheLayoutHasThem() {
        with(store -> {
            assertThat(found(store, new Criterion.CategoryIs("rule-3"))).isEqualTo(right(alert -> alert % RULES == 3));
            assertThat(found(store, new Criterion.DetectorIs("sensor-1"))).isEqualTo(right(alert -> alert % 4 == 1));
            assertThat(found(store, new Criterion.PortUsed(22))).isEqualTo(right(alert -> alert % 5 == 0));
            assertThat(found(
                            store,
                            new Criterion.AddressFigured(
                                    List.of(AddressRange.parse("192.0.2.8-192.0.2.11")), EventSide.SOURCE)))
                    .isEqualTo(right(alert -> alert % 50 >= 8 && alert % 50 <= 11));
            assertThat(found(
                            store,
                            new Criterion.AddressFigured(
                                    List.of(AddressRange.parse("198.51.100.9")), EventSide.TARGET)))
                    .isEqualTo(right(alert -> alert % 30 == 9));
            assertThat(found(
                            store,
                            new Criterion.AddressFigured(List.of(AddressRange.parse("2001:db8::1")), EventSide.SOURCE)))
                    .isEmpty();
            assertThat(found(store, new Criterion.IdIs("00017"))).containsExactly("00017");
        });
    }

    private static List<String> found(ExistingEvents store, Criterion criterion) {
        return ids(store, search(Window.ALWAYS, Order.OLDEST_FIRST, new Page.Whole(), criterion));
    }

    @Test
    void anotherHintGivesTheSameAnswer() {
        with(store -> {
            Search search = search(TWO_HOURS, Order.OLDEST_FIRST, new Page.Numbered(10, 1));
            List<String> told = new ArrayList<>();
            try (SearchSession session = store.openSession(Hint.FULL_SCAN)) {
                session.search(search, row -> told.add(row.id()));
                assertThat(session.statement(search, PageClass.FIRST).orElseThrow())
                        .contains("/*+FULL(e)*/");
                assertThat(session.explain(search).text()).isNotEmpty();
            }
            assertThat(told).isEqualTo(ids(store, search));
        });
    }

    @Test
    void aSearchWithoutAFileIsToldByTheFile() {
        Search text = search(Window.ALWAYS, Order.NEWEST_FIRST, new Page.Whole(), new Criterion.TextContains("attack"));
        assertThat(ExistingSessions.missingFile(new OraclePlugin(), folder(), text, PageClass.WHOLE))
                .hasValue("condition-text.sql");
        Search all = search(TWO_HOURS, Order.NEWEST_FIRST, new Page.Whole());
        assertThat(ExistingSessions.missingFile(new OraclePlugin(), folder(), all, PageClass.COUNT))
                .isEmpty();
    }

    /** Of each kind of query one that would take an hour. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            from.sql   | alert e              | times.sql failed in Oracle:                   | an estimate of oldest
            values.sql | WHERE e.rule IS NOT  | values.sql failed in Oracle, query category:  | a sample of the rows will do
            """)
    void aQueryThatTakesLongerThanASearchMayIsGivenUp(String file, String slowed, String message, String instead) {
        String endless = " CROSS JOIN SYSTEM_RANGE(1, 1000000000) ";
        LayoutFolder slow = OwnOracleFolder.with(
                folder(),
                file,
                text -> text.replace(slowed, slowed.startsWith("WHERE") ? endless + slowed : slowed + endless));
        ExistingSessions.events(
                new H2Plugin(),
                server.address(),
                slow,
                Duration.ofSeconds(2),
                store -> assertThatThrownBy(() -> {
                            var unused = store.span();
                            var values = store.values(100);
                        })
                        .isInstanceOf(TargetException.class)
                        .hasMessageContaining(message)
                        .hasMessageContaining("given up after -Dtimeout")
                        .hasMessageContaining(instead));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            time.sql | e.raised | CAST(e.raised AS TIMESTAMP WITH TIME ZONE) | times.sql gives a time as TIMESTAMP WITH TIME ZONE (needed: TIMESTAMP or DATE in UTC
            from.sql | alert | alarm | times.sql failed in Oracle: Table
            values.sql | WHERE e.rule IS NOT NULL | | values.sql, query category: gives NULL in row
            values.sql | AS category | AS rule | values.sql, query detector: gives a column 'rule'
            """)
    void whatCannotBeLookedForIsToldBeforeTheLoad(String file, String from, String to, String message) {
        LayoutFolder wrong = OwnOracleFolder.with(folder(), file, text -> text.replace(from, to == null ? "" : to));
        with(
                wrong,
                store -> assertThatThrownBy(() -> {
                            var unused = store.span();
                            var values = store.values(100);
                        })
                        .isInstanceOf(TargetException.class)
                        .hasMessageContaining(message));
    }
}
