package siemload.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.ToIntFunction;
import siemload.config.Property;
import siemload.config.Settings;
import siemload.config.directory.DirectoryTree;
import siemload.database.Provision;
import siemload.database.TargetException;
import siemload.database.provision.ProvidedServer;
import siemload.dataset.FeedEvents;
import siemload.measure.EnvironmentRecord;
import siemload.results.RunWriter;
import siemload.run.answers.FeedLedger.Batches;
import siemload.scenario.AnalystGroup;
import siemload.scenario.LoadModel;
import siemload.scenario.Scenario.Feeder;
import siemload.scenario.Scenario.Phases;

/**
 * Several sides of a comparison, whose runs take turns in this process. Each side is opened once and stays open, so that a run takes little
 * longer than its load. Plans are read in the first run of a side, and a run writes only run.json and environment.json. A side that writes
 * has one copy of the data set, in which events of its earlier runs stay. Used by one thread.
 */
public final class Slices implements AutoCloseable {
    private final RunHost host;
    private final ToIntFunction<Path> gatling;
    private final Resources resources = new Resources();
    private final Map<String, Side> sides = new LinkedHashMap<>();

    /** Everything that the runs of a side share. Used by one thread at a time. */
    static final class Side {
        private final List<Batches> fed = new ArrayList<>();
        private Bench bench;
        private EnvironmentRecord environment;
        private Optional<ProvenPlans> plans = Optional.empty();
        private long firstFed;

        private Side(Bench bench) {
            this.bench = bench;
            this.environment = CompleteRun.environment(bench);
        }

        private void use(RunPlan plan) {
            bench = bench.with(bench.host(), plan.on(bench.plan().source()), bench.resources());
            environment = CompleteRun.environment(bench);
        }

        /** Returns the plans of this side's searches, which the first call reads. */
        ProvenPlans plans(Bench run, Path directory) {
            if (plans.isEmpty()) {
                plans = Optional.of(new ProvenPlans(run, directory));
            }
            return plans.orElseThrow();
        }

        /** Returns the events after those that earlier runs have fed. */
        FeedEvents feed() {
            return bench.plan().source().feed().from(firstFed);
        }

        /** Returns the batches that earlier runs have fed, and the batches of this run. */
        Batches fed(Batches now) {
            Feeder feeder = bench.plan().scenario().feeder();
            Phases phases = bench.plan().scenario().phases();
            double seconds = phases.warmup().plus(phases.measurement()).toMillis() / 1e3;
            // The next run skips the events that were due, and two more batches.
            firstFed += (long) Math.ceil(feeder.rate().mean(0, seconds) * seconds) + 2L * feeder.batch();
            fed.add(now);
            List<Batches> all = List.copyOf(fed);
            return taker -> all.forEach(batches -> batches.forEach(taker));
        }
    }

    /**
     * Opens all sides; sides with equal settings become one, unless they write.
     *
     * @param plans the plans by the names of their sides; {@link #canTakeTurns} must hold
     * @param gatling generates the load of the prepared run, with a directory for Gatling's log
     * @throws siemload.config.ConfigException if settings are wrong, or others are using a server
     * @throws TargetException if a database is not available
     */
    public Slices(RunHost host, Map<String, RunPlan> plans, ToIntFunction<Path> gatling) {
        this.gatling = gatling;
        this.host = host;
        host.onShutdown(resources::close);
        Map<Object, Side> opened = new HashMap<>();
        Map<List<Object>, ProvidedServer> servers = new HashMap<>();
        try {
            plans.forEach((name, plan) -> {
                List<Object> server = server(plan);
                sides.put(
                        name,
                        opened.computeIfAbsent(plan.writes() ? name : List.of(server, plan.described()), unused -> {
                            Optional<ProvidedServer> there = Optional.ofNullable(servers.get(server));
                            String runId = name + "-" + RunDirectory.timestamp(Instant.now());
                            Bench bench = Bench.open(host, plan, resources, runId, there);
                            servers.put(server, bench.server());
                            return new Side(bench);
                        }));
            });
        } catch (RuntimeException impossible) {
            resources.close();
            throw impossible;
        }
    }

    /** Changes the plans of the following runs, which differ from earlier ones only in their length. */
    public void use(Map<String, RunPlan> plans) {
        plans.forEach((name, plan) -> Objects.requireNonNull(sides.get(name)).use(plan));
    }

    /**
     * Returns the settings that determine a server. A directory can have only one embedded server, which keeps the number of connections
     * that it was started with.
     */
    private static List<Object> server(RunPlan plan) {
        return List.of(
                plan.choice().plugin().id(),
                plan.choice().provision(),
                plan.settings().find(Property.URL).orElse(""),
                plan.settings().credentials().user().orElse(""),
                plan.choice().plugin().startParameters(plan.parameters()),
                plan.choice().provision() == Provision.EMBEDDED ? plan.sessions() : 0);
    }

    /**
     * Returns whether these runs can take turns in one process: as loads at constant rates, made only by this process, on servers that can
     * run together. Two embedded servers that differ in parameters of their start, or in their number of connections, would need the same
     * directory, unless they keep nothing on disk.
     */
    public static boolean canTakeTurns(Collection<RunPlan> plans) {
        return plans.stream()
                .allMatch(plan -> !plan.isProcedure()
                        && !plan.isInjected()
                        && plan.readUrls().isEmpty()
                        && !plan.settings().value(Property.LIVE)
                        && plan.choice().provision() != Provision.CONTAINER
                        && !plan.scenario().replays()
                        && plan.scenario().retention().isEmpty()
                        && plan.scenario().feeder().rate().isConstant()
                        && plan.scenario().analysts().stream()
                                .map(AnalystGroup::load)
                                .noneMatch(load -> load instanceof LoadModel.Scheduled
                                        || (load instanceof LoadModel.Open open
                                                && !open.arrivals().isConstant()))
                        && plans.stream().allMatch(other -> canStandBeside(plan, other)));
    }

    private static boolean canStandBeside(RunPlan one, RunPlan other) {
        return one.choice().provision() == Provision.EXTERNAL
                || other.choice().provision() == Provision.EXTERNAL
                || one.choice().plugin().abilities().bytesPerEvent() == 0
                || !one.choice().plugin().id().equals(other.choice().plugin().id())
                || server(one).equals(server(other));
    }

    /**
     * Performs one run; returns when its run.json is written. {@code run.log} has the run's output.
     *
     * @param results the parent of the run's directory
     * @throws InterruptedException if the process is being stopped
     * @throws TargetException if the run broke down
     */
    public void measure(String name, Path results) throws IOException, InterruptedException {
        Side side = Objects.requireNonNull(sides.get(name));
        Output output = new Output(host, results.resolve("run.log"));
        RunPlan plan = side.bench.plan();
        RunGuard.prepare(plan, (here, own) -> {
            // This action comes after the action of the run's own resources: the load stops before its store is closed.
            host.onShutdown(() -> List.copyOf(output.whenStopped).forEach(Runnable::run));
            RunDirectory directory = own.add(RunDirectory.create(plan, results, Instant.now()));
            Bench bench = side.bench.with(output, plan, own);
            return new CompleteRun(bench, directory, RunWriter.nowhere(), side.environment, Optional.of(side));
        });
        Path gatlings = results.resolve("gatling");
        int unused = gatling.applyAsInt(gatlings);
        DirectoryTree.delete(gatlings);
        if (output.code == ExitCode.INTERRUPTED) {
            throw new InterruptedException("interrupted");
        }
        if (output.code != ExitCode.OK) {
            throw new TargetException("a run of " + name + " broke down: " + output.why + " (see " + output.log + ")");
        }
    }

    @Override
    public void close() {
        resources.close();
    }

    /** The host of one run, which writes the run's output to a file; the process continues when the run has ended. */
    private static final class Output implements RunHost {
        private final RunHost host;
        private final Path log;
        /** The run's actions for when the process stops, in reverse order; empty when the run has ended. */
        private final Deque<Runnable> whenStopped = new ConcurrentLinkedDeque<>();

        private volatile ExitCode code = ExitCode.OK;
        private volatile String why = "";

        private Output(RunHost host, Path log) {
            this.host = host;
            this.log = log;
        }

        @Override
        public Settings settings() {
            return host.settings();
        }

        @Override
        public Path home() {
            return host.home();
        }

        @Override
        public RunLauncher launcher() {
            return host.launcher();
        }

        @Override
        public void status(String text) {
            // the status line shows the progress of the gate, not that of a run
        }

        @Override
        public synchronized void line(String text) {
            try {
                Files.writeString(log, text + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException full) {
                throw new UncheckedIOException(full);
            }
        }

        @Override
        public void failure(String message, Throwable cause) {
            host.failure(message, cause);
        }

        @Override
        public void onShutdown(Runnable action) {
            whenStopped.push(action);
        }

        @Override
        public void stopping(String because) {
            host.stopping(because);
        }

        /** Ends the process. A run ends the process only if the run cannot continue, which says nothing about its side. */
        @Override
        public void exit(ExitCode ending) {
            host.line("a run has ended early (see " + log + ")");
            host.exit(ending == ExitCode.INTERRUPTED ? ending : ExitCode.TARGET_FAILED);
        }

        @Override
        public void endWith(ExitCode ending, String since) {
            code = ending;
            why = since;
            whenStopped.clear();
        }
    }
}
