package siemload.run.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static siemload.run.procedure.FollowedSteps.step;

import java.time.Duration;
import java.util.List;
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
import siemload.query.Paging;
import siemload.results.StepRecord;
import siemload.scenario.Procedure;
import siemload.scenario.Procedure.Deletion;
import siemload.scenario.Procedure.Indexing;
import siemload.scenario.Procedure.Load;
import siemload.scenario.Procedure.Statistics;
import siemload.scenario.Procedure.Way;
import siemload.scenario.Procedure.Writing;
import siemload.scenario.SearchDraw;

/** Loading, deleting and indexing on PostgreSQL, with a few events. */
@Tag("database")
@Tag("any-java")
class LoadingTest {
    private static final int EVENTS = 500;

    @Test
    void aLoadIsMeasuredBesideItsIndexesAndSoIsTheDeletion() {
        List<StepRecord> steps = follow("postgresql", IndexSet.TIME, load(Indexing.BEFORE, 2));

        assertThat(names(steps))
                .containsSubsequence(
                        "generate",
                        "load",
                        "load and indexes",
                        "size events",
                        "size events_detect_time",
                        "size events_json",
                        "delete",
                        "load",
                        "delete");
        assertThat(steps.stream().filter(step -> step.name().equals("load")))
                .hasSize(2)
                .allSatisfy(step -> {
                    double seconds = step.figures().get("seconds");
                    assertThat(seconds).isPositive();
                    assertThat(step.figures().get("eventsPerSecond")).isEqualTo(EVENTS / seconds);
                    assertThat(step.figures().get("bytes")).isGreaterThan(EVENTS * 500);
                    assertThat(step.figures().get("walBytesPerEvent")).isGreaterThan(500);
                    assertThat(step.facts()).containsEntry("indexes", "time");
                })
                .extracting(step -> step.facts().get("cycle"))
                .containsExactly("1", "2");
    }

    @Test
    void eachIndexIsAStepAfterALoadWithoutAny() {
        List<StepRecord> steps = follow("postgresql", IndexSet.NATIVE, load(Indexing.AFTER, 2));

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
        assertThat(names(steps)).containsSubsequence(cycle).containsSubsequence("delete", "load", "load and indexes");
        StepRecord index = step(steps, "index events_detect_time");
        assertThat(index.figures().get("bytes"))
                .isEqualTo(step(steps, "size events_detect_time").figures().get("bytes"));
        double indexing = steps.subList(2, 9).stream()
                .mapToDouble(step -> step.figures().get("seconds"))
                .sum();
        assertThat(step(steps, "load and indexes").figures().get("seconds"))
                .isCloseTo(step(steps, "load").figures().get("seconds") + indexing, within(1e-9));
    }

    @Test
    void aTargetThatStoresNothingIsRefused() {
        assertThatThrownBy(() -> follow("scripted", IndexSet.NONE, load(Indexing.BEFORE, 1)))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("stores nothing");
    }

    private static Procedure load(Indexing indexing, int cycles) {
        Deletion deletion = indexing == Indexing.BEFORE ? Deletion.ALWAYS : Deletion.BETWEEN;
        Writing writing = new Writing(Way.BULK, 100, 1);
        return FollowedSteps.procedure(new Load(writing, indexing, cycles, deletion, Statistics.STALE));
    }

    private static List<String> names(List<StepRecord> steps) {
        return steps.stream().map(StepRecord::name).toList();
    }

    private static List<StepRecord> follow(String id, IndexSet indexes, Procedure procedure) {
        TargetPlugin plugin = TargetPlugins.find(id).orElseThrow();
        Variant variant = new Variant(plugin.abilities().layouts().get(0), indexes, Hint.NONE, Paging.OFFSET);
        EmbeddedOptions embedded = new EmbeddedOptions(ServerDirectory.of("loading"), 8, PostgresqlTestServer.UNSYNCED);
        StepLog steps = new StepLog(() -> {});
        EventSource source = new EventGenerator(ShippedDatasets.small(EVENTS, 1));
        try (EmbeddedServer server = plugin.startEmbedded(embedded);
                Target target =
                        plugin.connect(server.address(), new TargetOptions(variant, Duration.ofSeconds(20), 4));
                Store store = target.emptyStore("loading-test")) {
            Procedures.follow(
                    procedure,
                    FollowedSteps.context(
                            List.of(store),
                            source,
                            new SearchDraw(new ValuePoolsBuilder().build(), source),
                            variant,
                            1,
                            steps));
        }
        return steps.steps();
    }
}
