package siemload.run.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import siemload.database.EmbeddedServer;
import siemload.database.EmbeddedServer.EmbeddedOptions;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Store;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugins;
import siemload.database.Variant;
import siemload.database.postgresql.server.PostgresqlTestServer;
import siemload.database.postgresql.server.ServerDirectory;
import siemload.dataset.EventGenerator;
import siemload.dataset.EventSource;
import siemload.dataset.ShippedDatasets;
import siemload.dataset.ValuePoolsBuilder;
import siemload.query.MatchClass;
import siemload.query.Paging;
import siemload.query.SearchName;
import siemload.results.StepRecord;
import siemload.scenario.Ingest;
import siemload.scenario.Ingest.Deployment;
import siemload.scenario.Ingest.Turns;
import siemload.scenario.Ingest.Way;
import siemload.scenario.Ingest.Writing;
import siemload.scenario.Procedure;
import siemload.scenario.SearchDraw;

/** Servers that take a data set each and are searched then: mostly on the reference. */
@Tag("any-java")
class IngestStepsTest {
    private static final EventSource EVENTS = new EventGenerator(ShippedDatasets.small(25_000, 1));
    private static final EventSource FEW = new EventGenerator(ShippedDatasets.small(500, 1));
    private static final Map<MatchClass, SearchName> ALL = Map.of(
            MatchClass.DENSE, SearchName.HAWAT3,
            MatchClass.SPARSE, SearchName.HAWAT1,
            MatchClass.SUPER_SPARSE, SearchName.HAWAT1,
            MatchClass.RARE, SearchName.DETAIL);
    private static final SearchDraw DRAW = draw(EVENTS);
    private static final TargetPlugin MEMORY = TargetPlugins.find("memory").orElseThrow();

    private static EmbeddedServer server;
    private static Target memory;
    private final List<Store> stores = new ArrayList<>();
    private final StepLog log = new StepLog(() -> {});

    @BeforeAll
    static void start() {
        server = MEMORY.startEmbedded(new EmbeddedOptions(Path.of("target"), 8));
        memory = MEMORY.connect(server.address(), options(MEMORY, IndexSet.NONE));
    }

    @AfterAll
    static void stop() {
        memory.close();
        server.close();
    }

    @Test
    void everySearchFindsAsManyEventsAsItsClassSaysOnEachServer() {
        stores.addAll(List.of(memory.emptyStore("one"), memory.emptyStore("two")));

        follow(ingest(Way.BULK, ALL, 2, 2, Turns.TOGETHER), EVENTS, DRAW);

        for (MatchClass one : MatchClass.values()) {
            List<StepRecord> steps = named(one.label());
            assertThat(steps).extracting(step -> step.facts().get("server")).containsExactly("1", "2", "1", "2");
            assertThat(steps)
                    .extracting(step -> step.facts().get("answersHash"))
                    .hasSize(4)
                    .containsOnly(steps.get(0).facts().get("answersHash"));
            assertThat(steps).allSatisfy(step -> {
                double matching = step.figures().get("matchingEvents");
                assertThat(one.holds((long) matching, EVENTS.count())).isTrue();
                assertThat(step.figures())
                        .containsEntry("rows", matching)
                        .containsKeys("firstEventMicros", "lastEventMicros");
            });
        }
        assertThat(named("ingest"))
                .hasSize(2)
                .allSatisfy(step -> assertThat(step.figures())
                        .containsEntry("events", 25_000.0)
                        .containsKeys("kilobytesPerSecond", "rawBytesPerEvent"));
        assertThat(log.steps().stream().filter(step -> step.name().startsWith("tier ")))
                .hasSize(4);
    }

    /** Of 500 events a single one is 0.2 %. */
    @Test
    void aClassThatNoValueIsInFailsByItsName() {
        stores.add(memory.emptyStore("few"));

        follow(
                ingest(Way.BULK, Map.of(MatchClass.SUPER_SPARSE, SearchName.HAWAT1), 1, 1, Turns.TOGETHER),
                FEW,
                draw(FEW));

        assertThat(named("super-sparse"))
                .singleElement()
                .satisfies(step -> assertThat(step.facts().get(StepRecord.ERROR))
                        .startsWith(
                                "no HAWAT1 that was tried is super-sparse (more than one event, but less than 0.01 % of them): of 500"
                                        + " events they find 1 "));
    }

    @Test
    void aCountThatIsNotInItsClassMakesTheStepAFailedOne() {
        stores.add(new FaultyStore(memory.emptyStore("wrong"), () -> {}, 1));

        follow(ingest(Way.BULK, ALL, 1, 1, Turns.TOGETHER), EVENTS, DRAW);

        assertThat(named("rare").get(0).facts().get(StepRecord.ERROR))
                .isEqualTo("DETAIL found 2 of 25,000 events (0.0080 %), which is not rare (one event)");
        assertThat(named("dense").get(0).facts().get(StepRecord.ERROR))
                .matches(
                        "HAWAT3 has ([0-9,]+) matching events in the data set, the server counts [0-9,]+ and gave \\1 rows");
        assertThat(named("ingest").get(0).failed()).isFalse();
    }

    @Test
    void whereOneServerBreaksDownTheOthersGoOnAndNothingIsSaidOfTiers() {
        Runnable gone = () -> {
            throw new TargetException("the second one is gone");
        };
        stores.addAll(List.of(
                memory.emptyStore("first"),
                new FaultyStore(memory.emptyStore("second"), gone, 0),
                memory.emptyStore("third")));

        assertThatThrownBy(() -> follow(ingest(Way.BULK, ALL, 1, 3, Turns.TOGETHER), EVENTS, DRAW))
                .isInstanceOf(TargetException.class)
                .hasMessage("the second one is gone");

        assertThat(named("ingest")).extracting(StepRecord::failed).containsExactly(false, true, false);
        assertThat(named("sparse"))
                .extracting(step -> step.facts().get("server"))
                .containsExactly("1", "3");
        assertThat(log.steps()).extracting(StepRecord::name).noneMatch(name -> name.startsWith("tier"));
    }

    @Test
    @Tag("database")
    void onPostgresqlEventsCanBeSearchedOnceTheyAreIn() {
        TargetPlugin plugin = TargetPlugins.find("postgresql").orElseThrow();
        EmbeddedOptions embedded =
                new EmbeddedOptions(ServerDirectory.of("loading"), 16, PostgresqlTestServer.UNSYNCED);
        try (EmbeddedServer postgresql = plugin.startEmbedded(embedded);
                Target target = plugin.connect(postgresql.address(), options(plugin, IndexSet.NATIVE));
                Store one = target.emptyStore("ingest-one");
                Store two = target.emptyStore("ingest-two")) {
            stores.addAll(List.of(one, two));

            follow(
                    ingest(
                            Way.BULK,
                            Map.of(
                                    MatchClass.DENSE, SearchName.HAWAT3,
                                    MatchClass.SPARSE, SearchName.HAWAT1,
                                    MatchClass.RARE, SearchName.DETAIL),
                            1,
                            2,
                            Turns.TOGETHER),
                    FEW,
                    draw(FEW));
        }
        assertThat(log.steps()).noneMatch(StepRecord::failed);
        assertThat(named("ingest"))
                .hasSize(2)
                .allSatisfy(step -> assertThat(step.figures()).containsKeys("bytes", "statisticsSeconds"));
        assertThat(named("rare").get(0).facts().get("planShape")).isNotEmpty();
        assertThat(Set.copyOf(log.steps().stream().map(StepRecord::name).toList()))
                .contains("tier departmental", "tier large enterprise");
    }

    private List<StepRecord> named(String name) {
        return log.steps().stream().filter(step -> step.name().equals(name)).toList();
    }

    private void follow(Procedure procedure, EventSource source, SearchDraw draw) {
        Procedures.follow(procedure, context(source, draw));
    }

    private ProcedureContext context(EventSource source, SearchDraw draw) {
        return FollowedSteps.context(
                stores, source, draw, new Variant("mentat", IndexSet.NATIVE, Hint.NONE, Paging.OFFSET), 1, log);
    }

    private static Ingest ingest(Way way, Map<MatchClass, SearchName> matching, int passes, int servers, Turns turns) {
        return new Ingest(
                new Writing(way, 100, 2),
                new TreeMap<>(matching),
                passes,
                servers,
                turns,
                new Deployment(3, Duration.ofDays(90)));
    }

    private static SearchDraw draw(EventSource source) {
        ValuePoolsBuilder values = new ValuePoolsBuilder();
        source.read(1_000, values::add);
        return new SearchDraw(values.build(), source);
    }

    private static TargetOptions options(TargetPlugin plugin, IndexSet indexes) {
        Variant variant = new Variant(plugin.abilities().layouts().get(0), indexes, Hint.NONE, Paging.OFFSET);
        return new TargetOptions(variant, Duration.ofSeconds(60), 16);
    }
}
