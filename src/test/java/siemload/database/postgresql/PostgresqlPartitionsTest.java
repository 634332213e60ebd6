package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.database.Counters;
import siemload.database.Counters.CounterReading;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.SearchSession;
import siemload.database.SearchSession.Plan.PartitionsRead;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Store.DayRemoval;
import siemload.database.Store.DayRemoval.Means;
import siemload.database.Store.EventSink;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.Variant;
import siemload.event.SecurityEvent;
import siemload.query.CriterionKey;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;

@Tag("database")
@Timeout(120)
final class PostgresqlPartitionsTest {
    private static final Instant START = Instant.parse("2016-06-01T00:00:00Z");
    private static final int DAYS = 10;
    private static final int EVENTS_OF_DAY = 24;
    private static final DatasetKey KEY = new DatasetKey("00000000000da750", "ten days", DAYS * EVENTS_OF_DAY);

    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("partitions");

    @ParameterizedTest
    @ValueSource(strings = {"mentat", "address"})
    void aWindowIsAnsweredFromItsDaysAloneAndAnIdFromAllOfThem(String layout) {
        try (Target target = target(layout);
                Store store = copy(target, "pruned");
                SearchSession session = store.openSession()) {
            Window twoDays = new Window(hour(3 * 24 + 6), hour(4 * 24 + 6));
            Search whole = new Search(SearchName.MENTAT, twoDays, List.of(), Order.NEWEST_FIRST, new Page.Whole());
            assertThat(session.explain(whole).partitions()).contains(new PartitionsRead(2, DAYS + 1));
            assertThat(session.expect(whole).partitions()).contains(new PartitionsRead(2, DAYS + 1));
            assertThat(session.count(whole)).isEqualTo(EVENTS_OF_DAY);
            // A page may be full before the second day is read.
            Search page = whole.with(new Page.Numbered(5, 1));
            assertThat(session.explain(page).partitions().orElseThrow().read()).isBetween(1, 2);
            Search byId = new Search(
                    SearchName.DETAIL,
                    Window.ALWAYS,
                    List.of(CriterionKey.ID.is("event-30")),
                    Order.NEWEST_FIRST,
                    new Page.Whole());
            assertThat(session.explain(byId).partitions()).contains(new PartitionsRead(DAYS + 1, DAYS + 1));
            assertThat(session.count(byId)).isOne();
        }
    }

    @Test
    void anEventOfADayWithoutAPartitionLiesAmongTheOthers() {
        try (Target target = target("address");
                Store store = copy(target, "others");
                EventSink sink = store.openSink()) {
            assertThat(events("others", "events_other")).isZero();
            sink.write(List.of(event(30 * 24)));
            assertThat(store.presenceOf(List.of("event-720"))).isEqualTo(new Store.Presence(1, 0));
            assertThat(events("others", "events_other")).isOne();
            assertThat(events("others", "events_json_other")).isOne();
            store.makeRoom(new Window(hour(30 * 24), hour(32 * 24)));
            sink.write(List.of(event(30 * 24 + 1), event(31 * 24)));
            assertThat(events("others", "events_other")).isEqualTo(2);
            assertThat(events("others", "events_20160702")).isOne();
        }
    }

    @Test
    void sizesAndCountersAreThoseOfTheTablesThatAreCut() throws InterruptedException {
        try (Target target = target("mentat");
                Store store = copy(target, "sums");
                Counters counters = store.openCounters().orElseThrow()) {
            assertThat(store.relationBytes())
                    .containsKeys("events", "events_json", "events_pkey", "events_detect_time")
                    .allSatisfy((name, bytes) -> assertThat(name).doesNotContain("2016", "other"));
            assertThat(store.relationBytes().get("events")).isGreaterThanOrEqualTo(DAYS * 8_192L);
            CounterReading reading = counters.read();
            assertThat(reading.relations().values())
                    .extracting(Counters.Relation::name)
                    .contains("events", "events_pkey")
                    .noneMatch(name -> name.contains("2016"));
        }
    }

    @ParameterizedTest
    @EnumSource(Partitions.class)
    void aRemovedDayIsGoneFromAllTablesAndNothingElse(Partitions partitions) {
        try (Target target = target("address", partitions);
                Store store = copy(target, "removed")) {
            DayRemoval.Removed removed = store.dayRemoval().orElseThrow().remove(new Window(hour(24), hour(48)));
            assertThat(removed.means()).isEqualTo(partitions == Partitions.DAY ? Means.PARTITION : Means.ROWS);
            assertThat(store.events()).isEqualTo((DAYS - 1) * EVENTS_OF_DAY);
            assertThat(events("removed", "events_json")).isEqualTo((DAYS - 1) * EVENTS_OF_DAY);
            assertThat(store.presenceOf(List.of("event-23", "event-24", "event-47", "event-48")))
                    .isEqualTo(new Store.Presence(2, 0));
        }
    }

    @Test
    void aPartitionIsDroppedOnceThoseWhoSearchHaveEnded() throws Exception {
        try (Target target = target("mentat", Partitions.DAY);
                Store store = copy(target, "waited");
                Connection other = SERVER.administrator(SERVER.ofRun("waited"));
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("SELECT count(*) FROM events WHERE detect_time >= '2016-06-05'");
            CompletableFuture<DayRemoval.Removed> removal = CompletableFuture.supplyAsync(
                    () -> store.dayRemoval().orElseThrow().remove(new Window(hour(0), hour(24))));
            awaitLock();
            assertThat(removal).isNotDone();
            other.commit();
            assertThat(removal.get(20, TimeUnit.SECONDS).waited()).isPositive();
            assertThat(store.events()).isEqualTo((DAYS - 1) * EVENTS_OF_DAY);
        }
    }

    /** Waits until some session waits for a lock. */
    private static void awaitLock() {
        while (SERVER.number("postgres", "SELECT count(*) FROM pg_locks WHERE NOT granted") == 0) {
            Thread.onSpinWait();
        }
    }

    private static Target target(String layout) {
        return target(layout, Partitions.DAY);
    }

    private static Target target(String layout, Partitions partitions) {
        Variant variant = new Variant(layout, partitions, IndexSet.NATIVE, Hint.NONE, Paging.OFFSET);
        return new PostgresqlPlugin()
                .connect(
                        SERVER.address(),
                        new TargetOptions(variant, Duration.ofSeconds(20), PostgresqlTestServer.SESSIONS));
    }

    /** Loads and copies the data set anew for each test, since all layouts have the same key here. */
    private static Store copy(Target target, String runId) {
        target.discard(KEY);
        List<SecurityEvent> events = IntStream.range(0, DAYS * EVENTS_OF_DAY)
                .mapToObj(PostgresqlPartitionsTest::event)
                .toList();
        target.load(KEY, load -> load.write(events), step -> {});
        return target.copy(KEY, runId);
    }

    private static SecurityEvent event(int hour) {
        return new SecurityEvent(
                "event-" + hour, hour(hour), List.of("Test"), "", List.of(), List.of(), List.of(), Map.of());
    }

    private static Instant hour(int number) {
        return START.plus(Duration.ofHours(number));
    }

    private static long events(String runId, String table) {
        return SERVER.number(SERVER.ofRun(runId), "SELECT count(*) FROM " + table);
    }
}
