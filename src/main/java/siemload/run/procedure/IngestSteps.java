package siemload.run.procedure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import siemload.query.MatchClass;
import siemload.query.SearchName;
import siemload.results.StepRecord;
import siemload.scenario.Ingest;
import siemload.scenario.Ingest.Turns;

/**
 * Has each server take the whole data set as fast as it can, then asks each of them for searches of every class, and says what tiers of
 * deployment that is enough for.
 */
record IngestSteps(Ingest procedure, ProcedureContext context) implements Runnable {
    private static final String RATE = "kilobytesPerSecond";

    @Override
    public void run() {
        context.progress().status("choosing values by how many events have them");
        MatchedSearches searches = MatchedSearches.choose(procedure, context);
        WholeStore.of(context).generate();
        List<IngestServer> servers = new ArrayList<>();
        for (int number = 1; number <= procedure.servers(); number++) {
            servers.add(new IngestServer(number, procedure, context.onServer(number)));
        }
        List<StepRecord> taken = onAll(servers, IngestServer::ingest);
        for (Map.Entry<MatchClass, SearchName> one : procedure.matching().entrySet()) {
            for (int pass = 1; pass <= procedure.passes(); pass++) {
                int now = pass;
                List<StepRecord> unused =
                        onAll(servers, server -> server.search(one.getKey(), one.getValue(), searches, now));
            }
        }
        addTiers(taken);
        servers.stream().flatMap(server -> server.broken().stream()).findFirst().ifPresent(broken -> {
            throw broken;
        });
    }

    /** Does a step on each server that has not broken down, and adds them in the order of the servers. */
    private List<StepRecord> onAll(List<IngestServer> servers, Function<IngestServer, StepRecord> step) {
        context.interruption().check();
        List<IngestServer> able =
                servers.stream().filter(server -> server.broken().isEmpty()).toList();
        StepRecord[] done = new StepRecord[able.size()];
        List<Runnable> work = new ArrayList<>();
        for (int i = 0; i < able.size(); i++) {
            int place = i;
            work.add(() -> done[place] = step.apply(able.get(place)));
        }
        if (procedure.turns() == Turns.TOGETHER && able.size() > 1) {
            ParallelTasks.run("server", work);
        } else {
            work.forEach(Runnable::run);
        }
        // Where this thread is interrupted, some are not done.
        List<StepRecord> steps = Arrays.stream(done).filter(Objects::nonNull).toList();
        steps.forEach(context.steps()::add);
        return steps;
    }

    /** By the slowest server; nothing is said where one is missing. */
    private void addTiers(List<StepRecord> taken) {
        if (taken.size() < procedure.servers() || taken.stream().anyMatch(StepRecord::failed)) {
            return;
        }
        StepRecord slowest = taken.stream()
                .min(Comparator.comparingDouble(step -> figure(step, RATE)))
                .orElseThrow();
        DeploymentTier.Measured one = new DeploymentTier.Measured(
                figure(slowest, RATE),
                figure(slowest, "rawBytesPerEvent"),
                figure(slowest, "bytes") / figure(slowest, "events"));
        for (DeploymentTier tier : DeploymentTier.values()) {
            context.steps().add(tier.step(one, procedure.deployment()));
        }
    }

    private static double figure(StepRecord step, String name) {
        return step.figures().getOrDefault(name, 0.0);
    }
}
