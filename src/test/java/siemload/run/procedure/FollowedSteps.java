package siemload.run.procedure;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.database.Store;
import siemload.database.Variant;
import siemload.database.provision.ProvidedServer.Listener;
import siemload.dataset.EventSource;
import siemload.results.RunWriter;
import siemload.results.StepRecord;
import siemload.scenario.CacheState;
import siemload.scenario.Procedure;
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

    /** One that has no power over the server, and whose tables nobody reads. */
    static ProcedureContext context(
            List<Store> stores, EventSource source, SearchDraw draw, Variant variant, long seed, StepLog steps) {
        return context(stores, source, draw, variant, seed, steps, Path.of("target"), () -> {}, SILENT);
    }

    /** The same with a server that can be killed, and tables in a directory. */
    static ProcedureContext context(
            List<Store> stores,
            EventSource source,
            SearchDraw draw,
            Variant variant,
            long seed,
            StepLog steps,
            Path directory,
            Runnable crash,
            Listener progress) {
        return new ProcedureContext(
                stores,
                source,
                draw,
                variant,
                Map.of(),
                seed,
                state -> {},
                crash,
                steps,
                RunWriter.to(directory),
                System.nanoTime(),
                progress);
    }

    /** The first one of this name. */
    static StepRecord step(List<StepRecord> steps, String name) {
        return steps.stream()
                .filter(step -> step.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no step " + name + " in "
                        + steps.stream().map(StepRecord::name).toList()));
    }
}
