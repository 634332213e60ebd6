package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import siemload.database.DatasetKey;
import siemload.database.DatasetLoad;
import siemload.database.RowReader;
import siemload.database.SearchSession;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Target;
import siemload.database.memory.MemoryPlugin;
import siemload.database.postgresql.server.PostgresqlTestServer;
import siemload.dataset.EventSource;
import siemload.dataset.Popularity;
import siemload.dataset.RecordingFiles;
import siemload.dataset.RecordingOptions;
import siemload.dataset.SeededRandom;
import siemload.dataset.ValuePools;
import siemload.dataset.ValuePoolsBuilder;
import siemload.event.AddressRange;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.query.SearchCatalog;
import siemload.query.SearchName;
import siemload.query.SearchValues;
import siemload.query.Window;

/**
 * A whole recording, loaded as runs load it, answers every search as the reference does: the same ids in the same order
 * on every page asked for. Another recording than the small one here can be held against the reference with
 * {@code mvn test -Dtest=RecordingAnswersTest -Dcontract.recording=FILE -Dcontract.amplify=2000}.
 */
@Tag("database")
@Tag("any-java")
@Tag("exhaustive")
final class RecordingAnswersTest {
    private static final String RECORDING =
            System.getProperty("contract.recording", "src/test/resources/recordings/dirty.idea.jsonl");
    private static final int AMPLIFY = Integer.getInteger("contract.amplify", 300);
    private static final int PAGE = 50;
    private static final int DEEPEST = 5;
    private static final long SEED = 1;

    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("recording");

    private static Target target;
    private static Target reference;
    private static Store store;
    private static Store referenceStore;
    private static ValuePools pools;
    private static Window window;

    @BeforeAll
    static void load() {
        EventSource source = RecordingFiles.open(Path.of(RECORDING), new RecordingOptions(AMPLIFY, Duration.ofDays(7)));
        window = new Window(source.first(), source.until());
        DatasetKey key = new DatasetKey("00000000000ec04d", "recording", source.count());
        target = new PostgresqlPlugin()
                .connect(
                        SERVER.address(),
                        PostgresqlTestServer.options(Duration.ofSeconds(60), PostgresqlTestServer.SESSIONS));
        reference = new MemoryPlugin()
                .connect(new ServerAddress("", "", ""), PostgresqlTestServer.options(Duration.ofSeconds(60), 1));
        ValuePoolsBuilder values = new ValuePoolsBuilder();
        try (DatasetLoad load = target.load(key);
                DatasetLoad referenceLoad = reference.load(key)) {
            source.read(1_000, events -> {
                load.write(events);
                referenceLoad.write(events);
                values.add(events);
            });
            load.finish(step -> {});
            referenceLoad.finish(step -> {});
        }
        pools = values.build();
        store = target.copy(key, "recording");
        referenceStore = reference.copy(key, "recording");
    }

    @AfterAll
    static void giveBack() {
        store.close();
        referenceStore.close();
        target.close();
        reference.close();
    }

    @ParameterizedTest
    @MethodSource("siemload.query.SearchName#builtIn")
    void everyPageIsThatOfTheReference(SearchName name) {
        Map<Popularity, Long> found = new EnumMap<>(Popularity.class);
        try (SearchSession session = store.openSession();
                SearchSession expected = referenceStore.openSession()) {
            for (Popularity popularity : Popularity.values()) {
                for (Order order : List.of(Order.NEWEST_FIRST, Order.OLDEST_FIRST)) {
                    Search search = new Search(
                            name,
                            window,
                            SearchCatalog.builtIn().get(name).criteria(values(name, popularity)),
                            order,
                            new Page.Whole());
                    found.merge(popularity, comparePages(search, session, expected), Long::sum);
                }
            }
        }
        if (!name.equals(SearchName.WITHIN)) { // Which of these ranges has both sides of an event is left to chance.
            assertThat(found.get(Popularity.HOT)).as("rows of hot values").isPositive();
        }
        assertThat(found.get(Popularity.ABSENT)).as("rows of absent values").satisfies(rows -> {
            if (!SearchCatalog.builtIn().get(name).criteria().isEmpty()) {
                assertThat(rows).isZero();
            }
        });
    }

    /** Compares the whole result, the count, the first pages by number and by key, the last page and the one after it. */
    private static long comparePages(Search search, SearchSession session, SearchSession expected) {
        List<PageKey> whole = rows(expected, search);
        assertThat(rows(session, search)).as("%s", search).isEqualTo(whole);
        assertThat(session.count(search)).as("count of %s", search).isEqualTo(whole.size());
        int lastNumber = Math.max(1, (whole.size() + PAGE - 1) / PAGE);
        for (int number = 1; number <= lastNumber + 1; number++) {
            if (number <= DEEPEST || number >= lastNumber) {
                comparePage(search.with(new Page.Numbered(PAGE, number)), session, expected);
                int before = (number - 1) * PAGE;
                if (before > 0 && before <= whole.size()) {
                    comparePage(search.with(new Page.After(PAGE, whole.get(before - 1))), session, expected);
                }
            }
        }
        comparePage(search.with(new Page.Last(PAGE)), session, expected);
        search.summary()
                .ifPresent(summary -> assertThat(session.summarize(search, summary))
                        .as("%s", search)
                        .isEqualTo(expected.summarize(search, summary)));
        return whole.size();
    }

    private static void comparePage(Search search, SearchSession session, SearchSession expected) {
        assertThat(rows(session, search)).as("%s", search).isEqualTo(rows(expected, search));
    }

    private static List<PageKey> rows(SearchSession session, Search search) {
        List<PageKey> rows = new ArrayList<>();
        RowReader reader = row -> rows.add(new PageKey(row.detectTime(), row.id()));
        session.search(search, reader);
        return rows;
    }

    private static SearchValues values(SearchName name, Popularity popularity) {
        return switch (SearchCatalog.builtIn().get(name).side()) {
            case SOURCE -> onSide(pools.sides().source(), popularity);
            case TARGET -> onSide(pools.sides().target(), popularity);
            case EITHER -> anywhere(name, popularity);
        };
    }

    private static SearchValues onSide(ValuePools.SideValues side, Popularity popularity) {
        SeededRandom random = new SeededRandom(SEED);
        List<AddressRange> list = Stream.generate(() -> side.addresses().draw(popularity, random))
                .limit(10)
                .toList();
        AddressRange range = list.get(0).network(list.get(0).sharedBits() - 8);
        return new SearchValues(list, range, "", "", side.ports().draw(popularity, random), "", "");
    }

    private static SearchValues anywhere(SearchName name, Popularity popularity) {
        SeededRandom random = new SeededRandom(SEED);
        ValuePools.AddressValue address = pools.addresses().draw(popularity, random);
        ValuePools.RangeValue range = pools.ranges().draw(popularity, random);
        ValuePools.DetectorValue detector = pools.detectors().draw(popularity, random);
        List<AddressRange> list = new ArrayList<>(List.of(address.address()));
        while (list.size() < 10) {
            list.add(pools.addresses().draw(popularity, random).address());
        }
        return new SearchValues(
                list,
                range.range(),
                switch (name.name()) {
                    case "HAWAT5" -> detector.category();
                    case "HAWAT6" -> address.category();
                    case "HAWAT7" -> range.category();
                    default -> pools.categories().draw(popularity, random);
                },
                detector.name(),
                name.equals(SearchName.PORT) ? pools.ports().draw(popularity, random) : address.port(),
                pools.id(popularity, random),
                (name.equals(SearchName.DESCRIPTION)
                                ? pools.descriptions().whole()
                                : pools.descriptions().words())
                        .draw(popularity, random));
    }
}
