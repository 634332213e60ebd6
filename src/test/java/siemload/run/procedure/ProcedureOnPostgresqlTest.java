package siemload.run.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;
import static siemload.run.procedure.FollowedSteps.step;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetPlugin;
import siemload.database.Variant;
import siemload.database.postgresql.PostgresqlTestServer;
import siemload.dataset.DatasetSpec;
import siemload.dataset.EventGenerator;
import siemload.dataset.EventSource;
import siemload.dataset.Popularity;
import siemload.dataset.ValuePools;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Paging;
import siemload.query.SearchName;
import siemload.results.RunResult.StepRecord;
import siemload.scenario.AnalystGroup.WindowLength;
import siemload.scenario.Procedure;
import siemload.scenario.Procedure.Asked;
import siemload.scenario.Procedure.CacheState;
import siemload.scenario.Procedure.Counting;
import siemload.scenario.Procedure.Depths;
import siemload.scenario.Procedure.Depths.Walk;
import siemload.scenario.Procedure.Feed;
import siemload.scenario.Procedure.Load;
import siemload.scenario.Procedure.Load.Indexing;
import siemload.scenario.Procedure.Load.Way;
import siemload.scenario.Procedure.Pages;
import siemload.scenario.Procedure.Pages.WholeResult;
import siemload.scenario.Procedure.Read;
import siemload.scenario.Procedure.Read.Passes;
import siemload.scenario.Procedure.Statistics;
import siemload.scenario.SearchDraw;

@Tag("database")
class ProcedureOnPostgresqlTest {
    @RegisterExtension
    static final PostgresqlTestServer SERVER =
            new PostgresqlTestServer("procedures", 12, PostgresqlTestServer.UNSYNCED);

    private static final TargetPlugin PLUGIN = TargetPlugin.find("postgresql").orElseThrow();
    private static final EventGenerator EVENTS =
            new EventGenerator(DatasetSpec.read(Path.of("src/test/resources/datasets/tiny.yaml")));
    private static final int ALL = 2_000;

    private static ValuePools pools;
    private static Target unchanged;
    private static Store unchangedStore;
    private static int runs;

    @BeforeAll
    static void load() {
        ValuePools.Builder values = new ValuePools.Builder();
        EVENTS.read(1_000, values::add);
        pools = values.build();
        unchanged = PLUGIN.connect(
                SERVER.address(), options(new Variant("mentat", IndexSet.NATIVE, Hint.NONE, Paging.OFFSET)));
        unchangedStore = unchanged.copy(loaded(unchanged, IndexSet.NATIVE), "procedure-unchanged");
    }

    @AfterAll
    static void giveBack() {
        unchangedStore.close();
        unchanged.close();
    }

    @Test
    void twoCertificatesOfTheSameAreEqual() {
        Procedure certificate = certificate(SearchName.MENTAT, SearchName.HAWAT1, SearchName.TOPLIST);

        List<StepRecord> one = follow(certificate, IndexSet.TIME, Paging.OFFSET, 1);
        List<StepRecord> other = follow(certificate, IndexSet.TIME, Paging.OFFSET, 1);

        for (String fact : List.of("answersHash", "planShape")) {
            assertThat(facts(other, fact)).isEqualTo(facts(one, fact)).isNotEmpty();
        }
        assertThat(blocks(other)).isEqualTo(blocks(one)).isNotEmpty();
        assertThat(one).allSatisfy(step -> assertThat(step.failed()).isFalse());
        assertThat(step(one, "MENTAT oldest first page 2 values 1").figures())
                .containsEntry("rows", 50.0)
                .hasEntrySatisfying(
                        "blocksTouched", blocks -> assertThat(blocks).isGreaterThan(50));
        double log = step(one, "feed").figures().get("walBytesPerEvent");
        assertThat(log).isGreaterThan(500);
        assertThat(step(other, "feed").figures().get("walBytesPerEvent")).isCloseTo(log, withinPercentage(1));
    }

    @ParameterizedTest
    @EnumSource(Paging.class)
    void pagesAreTheSameInEveryWayOfPagingFromBothEndsAndOneByOne(Paging paging) {
        List<StepRecord> steps = turn(Walk.FIRST_TO_LAST, paging);
        List<StepRecord> back = turn(Walk.LAST_TO_FIRST, paging);
        Map<String, String> single = facts(turn(new Depths.Listed(List.of(1L, 4L, 7L, 8L)), paging), "answersHash");
        Map<String, String> walk = facts(turn(Walk.FIRST_TO_LAST, Paging.OFFSET), "answersHash");

        assertThat(names(steps)).hasSize(8).startsWith("MENTAT page 1").endsWith("MENTAT page 7", "MENTAT total");
        assertThat(steps.subList(0, 7).stream()
                        .mapToDouble(step -> step.figures().get("rows")))
                .containsExactly(300.0, 300.0, 300.0, 300.0, 300.0, 300.0, 200.0);
        assertThat(facts(steps, "answersHash")).isEqualTo(walk);
        assertThat(steps.get(7).figures()).containsEntry("pages", 7.0).containsKey("slopeMicrosPerPage");
        assertThat(names(back)).startsWith("MENTAT page 7", "MENTAT page 6").endsWith("MENTAT page 1", "MENTAT total");
        assertThat(step(back, "MENTAT page 7").figures()).containsEntry("rows", 200.0);
        assertThat(facts(back, "planShape").containsKey("MENTAT page 1"))
                .as("by key, page 1 was asked for from the other side, after page 2")
                .isEqualTo(paging == Paging.OFFSET);
        assertThat(single.keySet()).containsExactlyInAnyOrder("MENTAT page 1", "MENTAT page 4", "MENTAT page 7");
        assertThat(walk).containsAllEntriesOf(single);
        assertThat(facts(turn(Walk.LAST, paging), "answersHash"))
                .containsExactly(Map.entry("MENTAT last page", walk.get("MENTAT page 7")));
    }

    @Test
    void theNewestEventsAreFoundAndStatisticsGatheredOnlyWhereThatIsAsked() {
        for (Statistics statistics : Statistics.values()) {
            List<StepRecord> steps = follow(
                    procedure(
                            new Asked(
                                    List.of(SearchName.MENTAT),
                                    WindowLength.last(Duration.ofMinutes(5)),
                                    Popularity.TYPICAL,
                                    10,
                                    EventSource.DRAWN,
                                    List.of(Order.NEWEST_FIRST),
                                    new Page.Numbered(1_000, 1)),
                            2,
                            new Feed(400, 100, 1, statistics),
                            new Read(Counting.NONE, Passes.SAME_VALUES, List.of(), new TreeMap<>())),
                    IndexSet.NATIVE,
                    Paging.OFFSET,
                    1);

            Map<String, Double> feed = step(steps, "feed").figures();
            assertThat(feed.containsKey("statisticsSeconds")).isEqualTo(statistics == Statistics.FRESH);
            assertThat(feed)
                    .containsEntry("rows", 400.0)
                    .containsKeys("eventsPerSecond", "batchP95Micros", "diskBytesPerEvent", "walBytesPerEvent");
            assertThat(steps.stream().filter(step -> step.name().equals("MENTAT")))
                    .hasSize(2)
                    .allSatisfy(step -> assertThat(step.figures()).containsEntry("rows", 400.0));
        }
    }

    @Test
    void aLoadIsMeasuredBesideItsIndexesAndSoIsTheDeletion() {
        List<StepRecord> steps = load(IndexSet.TIME, loading(Indexing.BEFORE, 2));

        assertThat(names(steps)).containsSubsequence("load", "load and indexes", "delete", "load", "delete");
        assertThat(steps.stream().filter(step -> step.name().equals("load")))
                .hasSize(2)
                .allSatisfy(step -> {
                    double seconds = step.figures().get("seconds");
                    assertThat(seconds).isPositive();
                    assertThat(step.figures().get("eventsPerSecond")).isEqualTo(ALL / seconds);
                    assertThat(step.figures().get("bytes")).isGreaterThan(ALL * 500);
                    assertThat(step.figures().get("walBytesPerEvent")).isGreaterThan(500);
                    assertThat(step.facts()).containsEntry("indexes", "time");
                })
                .extracting(step -> step.facts().get("cycle"))
                .containsExactly("1", "2");
    }

    @Test
    void eachIndexIsAStepAfterALoadWithoutAny() {
        List<StepRecord> steps = load(IndexSet.NATIVE, loading(Indexing.AFTER, 1));

        List<String> cycle = List.of(
                "load",
                "primary key events",
                "primary key events_json",
                "foreign key events_json_id",
                "index events_detect_time",
                "index events_storage_time",
                "index events_lists",
                "index events_hulls",
                "load and indexes");
        assertThat(names(steps)).containsSubsequence(cycle);
        assertThat(step(steps, "index events_detect_time").figures().get("bytes"))
                .isPositive();
        double indexing = steps.subList(1, 8).stream()
                .mapToDouble(step -> step.figures().get("seconds"))
                .sum();
        assertThat(step(steps, "load and indexes").figures().get("seconds"))
                .isCloseTo(step(steps, "load").figures().get("seconds") + indexing, within(1e-9));
    }

    private static Procedure certificate(SearchName... searches) {
        return procedure(
                asked(List.of(Order.NEWEST_FIRST, Order.OLDEST_FIRST), 50, searches),
                1,
                new Pages(new Depths.Listed(List.of(1L, 2L)), WholeResult.NONE, 2),
                new Feed(200, 50, 1, Statistics.STALE));
    }

    private static Procedure loading(Indexing indexing, int cycles) {
        return FollowedSteps.procedure(new Load(Way.BULK, 100, 1, indexing, cycles, Statistics.STALE));
    }

    private static Procedure procedure(Asked asked, int passes, Procedure.Step... steps) {
        return new Procedure(List.of(steps), Optional.of(asked), passes, CacheState.AS_FOUND, 1);
    }

    private static Asked asked(List<Order> orders, int size, SearchName... searches) {
        return new Asked(
                List.of(searches),
                WindowLength.ALL,
                Popularity.HOT,
                10,
                EventSource.DRAWN,
                orders,
                new Page.Numbered(size, 1));
    }

    private static Map<String, Double> blocks(List<StepRecord> steps) {
        return withoutFeed(steps).stream()
                .collect(Collectors.toMap(
                        StepRecord::name, step -> step.figures().getOrDefault("blocksTouched", 0.0)));
    }

    private static List<String> names(List<StepRecord> steps) {
        return steps.stream().map(StepRecord::name).toList();
    }

    private static List<StepRecord> withoutFeed(List<StepRecord> steps) {
        return steps.stream().filter(step -> !step.name().equals("feed")).toList();
    }

    private static Map<String, String> facts(List<StepRecord> steps, String fact) {
        return steps.stream()
                .filter(step -> step.facts().containsKey(fact))
                .collect(Collectors.toMap(StepRecord::name, step -> step.facts().get(fact)));
    }

    /** On a copy of its own. */
    private static List<StepRecord> follow(Procedure procedure, IndexSet indexes, Paging paging, long seed) {
        Variant variant = new Variant("mentat", indexes, Hint.NONE, paging);
        try (Target target = PLUGIN.connect(SERVER.address(), options(variant));
                Store store = target.copy(loaded(target, indexes), "procedure-" + ++runs)) {
            return follow(procedure, store, variant, seed);
        }
    }

    /** Into tables of its own. */
    private static List<StepRecord> load(IndexSet indexes, Procedure procedure) {
        Variant variant = new Variant("mentat", indexes, Hint.NONE, Paging.OFFSET);
        try (Target target = PLUGIN.connect(SERVER.address(), options(variant));
                Store store = target.emptyStore("procedure-" + ++runs)) {
            return follow(procedure, store, variant, 1);
        }
    }

    /** On the copy that all procedures share that change nothing. */
    private static List<StepRecord> turn(Depths depths, Paging paging) {
        Procedure depth = procedure(
                asked(List.of(Order.NEWEST_FIRST), 300, SearchName.MENTAT), 1, new Pages(depths, WholeResult.NONE, 1));
        return follow(depth, unchangedStore, new Variant("mentat", IndexSet.NATIVE, Hint.NONE, paging), 1);
    }

    private static List<StepRecord> follow(Procedure procedure, Store store, Variant variant, long seed) {
        StepLog steps = new StepLog(() -> {});
        FollowedSteps.context(List.of(store), EVENTS, new SearchDraw(pools, EVENTS), variant, seed, steps)
                .follow(procedure);
        return steps.steps();
    }

    private static TargetOptions options(Variant variant) {
        return new TargetOptions(variant, Duration.ofSeconds(20), 8);
    }

    private static DatasetKey key(IndexSet indexes) {
        return new DatasetKey(
                String.format(Locale.ROOT, "%016x", indexes.label().hashCode()), "tiny", ALL);
    }

    private static DatasetKey loaded(Target target, IndexSet indexes) {
        DatasetKey key = key(indexes);
        if (!target.holds(key)) {
            load(target, key);
        }
        return key;
    }

    private static void load(Target target, DatasetKey key) {
        target.load(key, load -> EVENTS.read(1_000, load::write), step -> {});
    }
}
