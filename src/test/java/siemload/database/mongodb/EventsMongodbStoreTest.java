package siemload.database.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static siemload.database.ExistingSessions.ids;
import static siemload.database.ExistingSessions.pagesHaveTheOrderOf;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.config.Origin;
import siemload.database.EmbeddedServer;
import siemload.database.ExistingSessions;
import siemload.database.LayoutFolder;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.TargetException;
import siemload.database.layout.BlockFiles;
import siemload.event.AddressRange;
import siemload.query.CountedValue;
import siemload.query.Criterion;
import siemload.query.EventSide;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.ValueField;
import siemload.query.Window;

/** Documents that nobody here designed are searched by a layout without loading. */
@Tag("database")
@Tag("any-java")
final class EventsMongodbStoreTest {
    private static final SearchName NAME = new SearchName("HAWAT4");
    private static final Window DAY =
            new Window(Instant.parse("2024-02-21T00:00:00Z"), Instant.parse("2024-02-22T00:00:00Z"));

    private static EmbeddedServer server;

    @BeforeAll
    static void makeTheDatabase() {
        server = MongodbTestServer.start();
        Alerts.make(server);
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    private static SortedMap<String, String> files() {
        return BlockFiles.of(LayoutFolder.read(Alerts.LAYOUT.toString(), new Origin.Default(), new MongodbPlugin())
                .files());
    }

    private static void with(Map<String, String> files, Consumer<Store> use) {
        LayoutFolder folder = new LayoutFolder("alerts", "alerts", BlockFiles.folder(files));
        ExistingSessions.events(new MongodbPlugin(), new ServerAddress(Alerts.url(server), "", ""), folder, use);
    }

    private static void with(Consumer<Store> use) {
        with(files(), use);
    }

    private static Search search(Window window, Order order, Page page, Criterion... criteria) {
        return new Search(NAME, window, List.of(criteria), order, page);
    }

    private static List<String> right(Predicate<Document> condition) {
        return Alerts.all().stream()
                .filter(condition)
                .map(alert -> alert.getObjectId("_id").toHexString())
                .toList();
    }

    private static Criterion source(String range) {
        return new Criterion.AddressFigured(List.of(AddressRange.parse(range)), EventSide.SOURCE);
    }

    @Test
    void pagesAndCursorsHaveTheOrderOfTheWhole() {
        Criterion rule = new Criterion.CategoryIs("rule-7");
        List<String> all = new ArrayList<>(right(alert -> alert.get("rule").equals("rule-7")));
        Collections.reverse(all);
        with(store -> {
            pagesHaveTheOrderOf(all, store, rule);
            try (SearchSession session = store.openSession()) {
                assertThat(session.count(search(
                                Window.ALWAYS, Order.NEWEST_FIRST, new Page.Whole(), new Criterion.CategoryIs("no"))))
                        .isZero();
            }
        });
    }

    @Test
    void stagesComeFirst() {
        SortedMap<String, String> files = files();
        files.put("stages.json", "[{\"$match\": {\"rule\": \"rule-1\"}}, {\"$addFields\": {\"kind\": \"$sensor\"}}]");
        files.put("condition-category.json", "{\"kind\": {\"$param\": \"category\"}}");
        with(files, store -> {
            assertThat(store.span().events()).isEqualTo(3L * Alerts.ALERTS / 100);
            assertThat(ids(
                            store,
                            search(
                                    Window.ALWAYS,
                                    Order.OLDEST_FIRST,
                                    new Page.Whole(),
                                    new Criterion.CategoryIs("sensor-1"))))
                    .isNotEmpty()
                    .isEqualTo(right(alert -> alert.get("rule").equals("rule-1")
                            && alert.get("sensor").equals("sensor-1")));
            assertThat(store.values(9).get(ValueField.CATEGORY))
                    .containsExactly(new CountedValue("rule-1", 3L * Alerts.ALERTS / 100, Map.of()));
        });
    }

    @Test
    void tooManyAddressesAreNotAskedOneByOne() {
        with(store -> {
            try (SearchSession session = store.openSession()) {
                assertThatThrownBy(() ->
                                session.count(search(DAY, Order.UNSORTED, new Page.Whole(), source("10.0.0.0/8"))))
                        .isInstanceOf(SearchException.class)
                        .hasMessageContaining(
                                "10.0.0.0/8 has too many addresses to be asked for one by one (at most 65,536");
            }
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            layout.yaml | collection: alerts | collection: alarms | times finds no event in the collection alarms: there is nothing to search
            stages.json | | [{"$match": {"rule": "none"}}] | times finds no event in the collection alerts: there is nothing to search
            rows.json | {"$multiply": [{"$toLong": "$at"}, 1000]} | "$rule" | times, as DetectMicros of the block rows, gives as oldest rule-0 (String) (needed: a whole number; times are in microseconds since 1970)
            values.json | "value": "$_id", "events": 1} | "value": "$_id"} | values, query category gives as events nothing (needed: a whole number
            values.json | "events": 1, "port": 1 | "events": 1, "ports": "$port" | values, query address: gives a key 'ports' (allowed: value, events, category, detector, port)
            values.json | "$src.ip" | "$rule" | values, query address: 'rule-0' is not one address
            values.json | "$rule", "events" | "$src", "events" | values, query category: gives as value Document
            values.json | {"$limit": 1000} | {"$match": {"rule": "none"}} | values, query id: gives no line (leave it out, and what looks for it)
            values.json | {"$limit": 1000} | {"$nearly": 1000} | cannot ask values, query id, in the collection alerts:
            """)
    void whatCannotBeAskedIsTold(String file, String from, String to, String message) {
        SortedMap<String, String> files = files();
        String text = files.getOrDefault(file, "");
        assertThat(text).contains(from == null ? "" : from);
        files.put(file, from == null ? to : text.replace(from, to));
        assertThatThrownBy(() -> with(files, store -> {
                    var span = store.span();
                    var values = store.values(10);
                }))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining(message);
    }
}
