package siemload.run.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Replacing;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.Target;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.EmbeddedServer;
import siemload.database.TargetPlugin.EmbeddedServer.EmbeddedOptions;
import siemload.database.Variant;
import siemload.dataset.EventGenerator;
import siemload.dataset.EventSource;
import siemload.dataset.ShippedDatasets;
import siemload.dataset.ValuePools;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.results.RunResult.StepRecord;
import siemload.scenario.Procedure;
import siemload.scenario.Procedure.CacheState;
import siemload.scenario.Procedure.Counting;
import siemload.scenario.Procedure.Load;
import siemload.scenario.Procedure.Load.Indexing;
import siemload.scenario.Procedure.Load.Way;
import siemload.scenario.Procedure.Read;
import siemload.scenario.Procedure.Read.Passes;
import siemload.scenario.Procedure.Statistics;
import siemload.scenario.SearchDraw;

class LoadAndReadTest {
    private static final EventSource EVENTS = new EventGenerator(ShippedDatasets.small(2_500, 1));
    private static final Map<String, Read.Match> ALL = Map.of(
            "dense", new Read.Match(SearchName.HAWAT3, 1, 1_000_000, 0.1, 1),
            "sparse", new Read.Match(SearchName.HAWAT1, 1, 1_000_000, 0.001, 0.01),
            "super-sparse", new Read.Match(SearchName.HAWAT1, 2, 1_000_000, 0, 0.000_99),
            "rare", new Read.Match(SearchName.DETAIL, 1, 1, 0, 1));
    private static final TargetPlugin MEMORY = TargetPlugin.find("memory").orElseThrow();

    private static EmbeddedServer server;
    private static Target memory;
    private final List<Store> stores = new ArrayList<>();
    private final StepLog log = new StepLog(() -> {});

    @BeforeAll
    static void start() {
        server = MEMORY.startEmbedded(new EmbeddedOptions(Path.of("target"), 8, Map.of()));
        memory = MEMORY.connect(server.address(), FollowedSteps.options(MEMORY, 16));
    }

    @AfterAll
    static void stop() {
        memory.close();
        server.close();
    }

    @Test
    void everySearchFindsAsManyEventsAsItsClassSaysOnEachServer() {
        stores.addAll(List.of(memory.emptyStore("one"), memory.emptyStore("two")));

        follow(loadAndRead(2, 2));

        ALL.forEach((name, wanted) -> {
            List<StepRecord> steps = named(name);
            assertThat(steps)
                    .extracting(step -> step.facts().get("server"))
                    .containsExactlyInAnyOrder("1", "2", "1", "2");
            assertThat(steps)
                    .extracting(step -> step.facts().get("answersHash"))
                    .hasSize(4)
                    .containsOnly(steps.get(0).facts().get("answersHash"));
            assertThat(steps).allSatisfy(step -> {
                double matching = step.figures().get("matchingEvents");
                assertThat(wanted.holds((long) matching, EVENTS.count())).isTrue();
                assertThat(step.figures())
                        .containsEntry("rows", matching)
                        .containsKeys("firstEventMicros", "lastEventMicros");
            });
        });
        assertThat(named("load"))
                .hasSize(2)
                .allSatisfy(step -> assertThat(step.figures())
                        .containsEntry("events", 2_500.0)
                        .containsKeys("kilobytesPerSecond", "rawBytesPerEvent"));
    }

    @Test
    void aCountThatIsNotInItsClassMakesTheStepAFailedOne() {
        stores.add(miscounting(memory.emptyStore("wrong")));

        follow(loadAndRead(1, 1));

        assertThat(named("rare").get(0).facts().get(StepRecord.ERROR))
                .isEqualTo(
                        "DETAIL has 1 matching events in the data set, but the server counted 2 and returned 1 rows");
        assertThat(named("dense").get(0).facts().get(StepRecord.ERROR))
                .matches(
                        "HAWAT3 has ([0-9,]+) matching events in the data set, but the server counted [0-9,]+ and returned \\1 rows");
        assertThat(named("load").get(0).failed()).isFalse();
    }

    /** Counts one event too many. */
    private static Store miscounting(Store counted) {
        return Replacing.method(
                Store.class,
                counted,
                "openSession",
                (store, none) -> Replacing.method(
                        SearchSession.class,
                        store.openSession(),
                        "count",
                        (session, asked) -> session.count((Search) asked[0]) + 1));
    }

    private List<StepRecord> named(String name) {
        return log.steps().stream().filter(step -> step.name().equals(name)).toList();
    }

    private void follow(Procedure procedure) {
        Variant variant = new Variant("mentat", IndexSet.NATIVE, Hint.NONE, Paging.OFFSET);
        FollowedSteps.context(stores, EVENTS, draw(), variant, 1, log).follow(procedure);
    }

    private static Procedure loadAndRead(int passes, int servers) {
        return new Procedure(
                List.of(
                        new Load(Way.BULK, 100, 1, Indexing.BEFORE, 1, Statistics.FRESH),
                        new Read(Counting.NONE, Passes.SAME_VALUES, List.of(), new TreeMap<>(ALL))),
                Optional.empty(),
                passes,
                CacheState.AS_FOUND,
                servers);
    }

    private static SearchDraw draw() {
        ValuePools.Builder values = new ValuePools.Builder();
        EVENTS.read(1_000, values::add);
        return new SearchDraw(values.build(), EVENTS);
    }

    /** Numbers 1 to 4 with mean 2.5; (-1.5 x 10 - 0.5 x 20 + 0.5 x 60 + 1.5 x 40) / (2 x 2.25 + 2 x 0.25) = 65 / 5. */
    @Test
    void theSlopeOfScatteredPagesHasTheLeastSquares() {
        assertThat(ReadSteps.slope(10, 20, 60, 40)).isCloseTo(13, within(1e-9));
        assertThat(ReadSteps.slope(7)).isZero();
    }
}
