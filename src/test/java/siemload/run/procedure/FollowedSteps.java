package siemload.run.procedure;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import siemload.config.Settings;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetPlugin;
import siemload.database.Variant;
import siemload.database.provision.ProvidedServer;
import siemload.database.provision.ProvidedServer.Listener;
import siemload.dataset.DatasetSpec;
import siemload.dataset.EventGenerator;
import siemload.dataset.EventSource;
import siemload.dataset.ValuePools;
import siemload.query.Paging;
import siemload.results.RunResult.StepRecord;
import siemload.scenario.Procedure;
import siemload.scenario.Procedure.CacheState;
import siemload.scenario.Procedure.Transactions;
import siemload.scenario.ScenarioReader;
import siemload.scenario.SearchDraw;

/** What tests follow a procedure with, while nobody looks on, and what came of it. Stateless. */
final class FollowedSteps {
    /** Tells nobody. */
    static final Listener SILENT = new Listener() {
        @Override
        public void status(String text) {}

        @Override
        public void line(String text) {}
    };

    private FollowedSteps() {}

    /** Steps that search for nothing. */
    static Procedure procedure(Procedure.Step... steps) {
        return new Procedure(List.of(steps), Optional.empty(), 1, CacheState.AS_FOUND, 1);
    }

    /** One that has no power over the server. */
    static ProcedureContext context(
            List<Store> stores, EventSource source, SearchDraw draw, Variant variant, long seed, StepLog steps) {
        return context(stores, source, draw, variant, seed, steps, () -> {}, SILENT);
    }

    private static ProcedureContext context(
            List<Store> stores,
            EventSource source,
            SearchDraw draw,
            Variant variant,
            long seed,
            StepLog steps,
            Runnable crash,
            Listener progress) {
        ProvidedServer server = ProvidedServer.external(new ServerAddress("", "", ""));
        CacheKeeper caches = new CacheKeeper(
                text -> {}, server, stores.get(0), OptionalLong::empty, () -> () -> {}, new ArrayList<>());
        return new ProcedureContext(
                stores, source, draw, variant, Map.of(), seed, caches, OptionalLong::empty, crash, steps, progress);
    }

    /** The first one of this name. */
    static StepRecord step(List<StepRecord> steps, String name) {
        return steps.stream()
                .filter(step -> step.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no step " + name + " in "
                        + steps.stream().map(StepRecord::name).toList()));
    }

    /** The shipped scenario with 10,000 accounts. @param settings in place of those of the file */
    static Transactions atm(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(Map.of("scenario", "atm", "procedure.scale", "1", "warmup", "0s"));
        all.putAll(settings);
        return ScenarioReader.read(Path.of("").toAbsolutePath(), Settings.of(all, Map.of(), Map.of()))
                .procedure()
                .flatMap(Procedure::transactions)
                .orElseThrow();
    }

    /** Of the first layout, without indexes. */
    static TargetOptions options(TargetPlugin plugin, int sessions) {
        Variant variant = new Variant(plugin.abilities().layouts().get(0), IndexSet.NONE, Hint.NONE, Paging.OFFSET);
        return new TargetOptions(variant, Duration.ofSeconds(20), sessions);
    }

    /** The steps of a procedure. @param steps takes them */
    static List<StepRecord> follow(
            Store store, Transactions procedure, Runnable crash, StepLog steps, Listener progress) {
        EventSource source = new EventGenerator(DatasetSpec.read(Path.of("datasets/smoke.yaml")));
        Variant variant = new Variant("plain", IndexSet.NONE, Hint.NONE, Paging.OFFSET);
        SearchDraw draw = new SearchDraw(new ValuePools.Builder().build(), source);
        context(List.of(store), source, draw, variant, 1, steps, crash, progress)
                .follow(procedure(procedure));
        return steps.steps();
    }
}
