package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import siemload.database.Counters;
import siemload.database.Counters.CounterReading;
import siemload.database.Counters.CounterReading.Category;
import siemload.database.Counters.CounterReading.Io;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Store.EventSink;
import siemload.database.Target;
import siemload.database.TargetPlugin.OwnCounts;
import siemload.database.contract.ContractSubject;
import siemload.database.postgresql.server.PostgresqlTestServer;
import siemload.dataset.DatasetReader;
import siemload.dataset.EventGenerator;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;

/** What a session is said to have read is what the server's own views say where it is alone, and no more where it is not. */
@Tag("database")
@Timeout(120)
final class OwnCountsTest {
    private static final int EVENTS = 3_000;
    private static final EventGenerator GENERATOR =
            new EventGenerator(DatasetReader.read(Path.of("datasets/smoke.yaml")));
    private static final Search WHOLE =
            new Search(SearchName.MENTAT, Window.ALWAYS, List.of(), Order.NEWEST_FIRST, new Page.Whole());
    private static final Search PAGE = WHOLE.with(new Page.Numbered(100, 1));

    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("own-counts");

    private static Target target;
    private static Store store;

    @BeforeAll
    static void load() {
        DatasetKey key = new DatasetKey("0000000000c0c0c2", "own", EVENTS);
        target = new PostgresqlPlugin()
                .connect(
                        SERVER.address(),
                        PostgresqlTestServer.options(Duration.ofSeconds(60), PostgresqlTestServer.SESSIONS));
        ContractSubject.load(
                target,
                key,
                LongStream.range(0, EVENTS).mapToObj(GENERATOR::event).toList());
        store = target.copy(key, "own-counts");
    }

    @AfterAll
    static void close() {
        store.close();
        target.close();
    }

    static List<Search> searches() {
        return List.of(PAGE, WHOLE, WHOLE.with(new Page.Numbered(20_000, 1)));
    }

    @ParameterizedTest
    @MethodSource("searches")
    void whatASessionReadsAloneIsWhatTheWholeServerSays(Search search) {
        try (SearchSession session = store.openSession();
                Counters counters = store.openCounters().orElseThrow()) {
            OwnCounts own = session.ownCounts().orElseThrow();
            session.search(search, row -> {});
            assertThat(own.reset()).isTrue();
            CounterReading before = counters.read();

            Map<Category, Io> counted = counted(own, session, search);

            CounterReading all = counters.read().since(before);
            assertThat(counted.get(Category.DATA)).isEqualTo(all.io().get(Category.DATA));
            assertThat(counted.get(Category.INDEX)).isEqualTo(all.io().get(Category.INDEX));
            assertThat(blocks(counted, Category.DATA)).isPositive();
            assertThat(counted).doesNotContainKeys(Category.UNDO, Category.TEMP, Category.REST);
        }
    }

    @Test
    void whatOthersReadAndWriteMeanwhileIsNotInIt() {
        try (SearchSession session = store.openSession();
                SearchSession other = store.openSession();
                EventSink sink = store.openSink()) {
            OwnCounts own = readyToCount(session);
            Map<Category, Io> alone = counted(own, session, PAGE);
            AtomicBoolean over = new AtomicBoolean();
            CompletableFuture<Void> others = CompletableFuture.runAsync(() -> {
                while (!over.get()) {
                    other.search(WHOLE, row -> {});
                }
            });
            try {
                for (int i = 0; i < 20; i++) {
                    Map<Category, Io> beside = counted(own, session, PAGE);
                    assertThat(blocks(beside, Category.DATA)).isEqualTo(blocks(alone, Category.DATA));
                    assertThat(blocks(beside, Category.INDEX)).isEqualTo(blocks(alone, Category.INDEX));
                }
            } finally {
                over.set(true);
                others.join();
            }
            sink.write(LongStream.range(EVENTS, EVENTS + 50)
                    .mapToObj(GENERATOR::event)
                    .toList());
            assertThat(counted(own, session, PAGE).get(Category.REDO).writtenBytes())
                    .as("what the feeder wrote is not in it")
                    .isLessThan(20_000);
        }
    }

    /** Some searches later, when the server plans a statement no more, for which it would read indexes. */
    private static OwnCounts readyToCount(SearchSession session) {
        for (int i = 0; i < 12; i++) {
            assertThat(session.search(PAGE, row -> {})).isEqualTo(100);
        }
        OwnCounts own = session.ownCounts().orElseThrow();
        assertThat(own.reset()).isTrue();
        return own;
    }

    private static Map<Category, Io> counted(OwnCounts own, SearchSession session, Search search) {
        own.start();
        session.search(search, row -> {});
        return own.take();
    }

    private static long blocks(Map<Category, Io> counted, Category category) {
        Io io = counted.getOrDefault(category, Io.NONE);
        return io.reads() + io.hits();
    }
}
