package siemload.run.procedure;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import siemload.config.SettingSources;
import siemload.config.Settings;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Store;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetPlugin;
import siemload.database.Variant;
import siemload.database.provision.ProvidedServer.Listener;
import siemload.dataset.DatasetReader;
import siemload.dataset.EventGenerator;
import siemload.dataset.EventSource;
import siemload.dataset.ValuePoolsBuilder;
import siemload.query.Paging;
import siemload.results.StepRecord;
import siemload.scenario.Procedure;
import siemload.scenario.Procedure.Transactions;
import siemload.scenario.ScenarioReader;
import siemload.scenario.SearchDraw;

/** How tests follow the transactions of the scenario atm. Stateless. */
final class TransactionsFixture {
    private TransactionsFixture() {}

    /** The shipped scenario with 10,000 accounts. @param settings in place of those of the file */
    static Transactions atm(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(Map.of("scenario", "atm", "procedure.scale", "1", "warmup", "0s"));
        all.putAll(settings);
        return ScenarioReader.read(
                        Path.of("").toAbsolutePath(), Settings.of(new SettingSources(all, Map.of(), Map.of())))
                .scenario()
                .procedure()
                .flatMap(Procedure::transactions)
                .orElseThrow();
    }

    /** Of the first layout, without indexes. */
    static TargetOptions options(TargetPlugin plugin, int sessions) {
        Variant variant = new Variant(plugin.abilities().layouts().get(0), IndexSet.NONE, Hint.NONE, Paging.OFFSET);
        return new TargetOptions(variant, Duration.ofSeconds(20), sessions);
    }

    /**
     * The steps of a procedure.
     *
     * @param directory takes the tables
     * @param steps takes them
     */
    static List<StepRecord> follow(
            Path directory, Store store, Transactions procedure, Runnable crash, StepLog steps, Listener progress) {
        EventSource source = new EventGenerator(DatasetReader.read(Path.of("datasets/smoke.yaml")));
        Variant variant = new Variant("plain", IndexSet.NONE, Hint.NONE, Paging.OFFSET);
        SearchDraw draw = new SearchDraw(new ValuePoolsBuilder().build(), source);
        Procedures.follow(
                FollowedSteps.procedure(procedure),
                FollowedSteps.context(List.of(store), source, draw, variant, 1, steps, directory, crash, progress));
        return steps.steps();
    }
}
