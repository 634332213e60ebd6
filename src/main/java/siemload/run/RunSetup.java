package siemload.run;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.database.Store.Maintenance;
import siemload.database.TargetException;
import siemload.measure.RunClock;
import siemload.measure.environment.EnvironmentRecord;
import siemload.measure.monitor.DiskReads;
import siemload.measure.monitor.QuietHost;
import siemload.measure.monitor.RunMonitor;
import siemload.results.RunResult;
import siemload.results.RunWriter;
import siemload.results.RunWriter.RunListener;
import siemload.results.TargetRecord;
import siemload.results.live.LiveServer;
import siemload.results.live.LiveServer.RunDescription;

/**
 * A run that is about to be measured, and where its results go. Immutable; its parts are not.
 *
 * @param writer writes into the directory what is measured second by second
 * @param environment what it takes place on
 * @param found takes what has to be known of the run
 */
record RunSetup(Bench bench, RunDirectory directory, RunWriter writer, EnvironmentRecord environment, Findings found) {

    /**
     * Gets everything ready.
     *
     * @throws ConfigException if settings or files are wrong
     * @throws TargetException if the database cannot be had
     */
    static RunSetup open(RunHost host, RunPlan plan, Resources resources) {
        plan.source().warnings().forEach(host::line);
        RunDirectory directory = RunDirectory.create(plan, Instant.now());
        resources.add(directory.marker());
        RunWriter writer = new RunWriter(directory.path(), startLive(host, plan, directory, resources));
        Bench bench = Bench.open(host, plan, resources, directory.runId());
        EnvironmentRecord environment = RunEnvironment.of(bench);
        return new RunSetup(bench, directory, writer, environment, new Findings());
    }

    /**
     * Lets people and Prometheus watch the run, where the settings ask for it, from before anything is loaded until its end.
     *
     * @return hears what the run writes
     * @throws ConfigException if the address cannot be had
     */
    private static RunListener startLive(RunHost host, RunPlan plan, RunDirectory directory, Resources resources) {
        if (!plan.settings().value(Property.LIVE)) {
            return RunListener.NONE;
        }
        InetSocketAddress address = plan.settings().value(Property.LIVE_ADDRESS);
        try {
            LiveServer server = resources.add(LiveServer.start(address, description(plan, directory)));
            host.line("live: " + server.url());
            return server.listener();
        } catch (IOException taken) {
            throw new ConfigException(
                    plan.settings().origin(Property.LIVE_ADDRESS),
                    "the live view cannot listen at " + address.getHostString() + ":" + address.getPort() + ": "
                            + taken.getMessage()
                            + " (choose another with -DliveAddress=host:port, port 0 for any free one)");
        }
    }

    private static RunDescription description(RunPlan plan, RunDirectory directory) {
        String target = plan.choice().plugin().id();
        String sentence = String.format(
                Locale.ROOT,
                "%s searches %s on %s (%s)",
                plan.scenario().name(),
                plan.asksExisting()
                        ? plan.source().name()
                        : String.format(
                                Locale.ROOT,
                                "%,d events of %s",
                                plan.source().count(),
                                plan.source().name()),
                target,
                plan.variantRecord().label());
        Map<String, String> labels = plan.variantRecord().parts();
        labels.put("run_id", directory.runId());
        labels.put("scenario", plan.scenario().name());
        labels.put("dataset", plan.source().name());
        labels.put("target", target);
        return new RunDescription(directory.runId(), sentence, labels);
    }

    RunHost host() {
        return bench.host();
    }

    RunPlan plan() {
        return bench.plan();
    }

    /** Where the results go. */
    Path path() {
        return directory.path();
    }

    /** Gets ready to watch database, machine and other hosts. */
    RunMonitor openMonitor() {
        List<URI> others = plan().settings().find(Property.HOST_METRICS).orElse(List.of());
        RunMonitor monitor =
                bench.resources().add(new RunMonitor(writer, bench.store()::openCounters, bench.processes(), others));
        monitor.unanswered()
                .forEach(silent ->
                        host().line("gaps in the figures of a host, as long as it does not answer: " + silent));
        return monitor;
    }

    /**
     * Gets ready to empty caches.
     *
     * @param pauses begins a pause of the monitor of server and machine meanwhile
     */
    CacheKeeper caches(Supplier<RunMonitor.Pause> pauses) {
        return new CacheKeeper(
                host()::status,
                bench.server().caches(),
                bench.store(),
                new DiskReads(bench.processes())::read,
                pauses,
                found.notes());
    }

    /**
     * Starts to watch them.
     *
     * @throws ConfigException if what is seen cannot be written
     */
    void start(RunMonitor monitor, RunClock clock) {
        try {
            monitor.start(clock);
        } catch (IOException unwritable) {
            throw new ConfigException(
                    origin(Property.RESULTS), "files cannot be written to " + path() + ": " + unwritable);
        }
    }

    Origin origin(Property<?> property) {
        return plan().settings().origin(property);
    }

    /** What run.json says of the run itself. */
    RunResult.RunIdentity identity(ServerState state, double seconds, LoadOutcome.Ending ending) {
        return new RunResult.RunIdentity(
                directory.runId(),
                plan().scenario().name(),
                directory.startedAt(),
                Math.round(seconds * 1000) / 1000.0,
                ending != LoadOutcome.Ending.COMPLETE,
                targetRecord(state),
                datasetRecord(),
                settingRecords());
    }

    private TargetRecord targetRecord(ServerState state) {
        return new TargetRecord(
                plan().choice().plugin().id(),
                bench.target().version(),
                bench.server().provision().label(),
                plan().variantRecord(),
                bench.target().transport(),
                state.settings(),
                bench.server().container());
    }

    private RunResult.DatasetRecord datasetRecord() {
        return new RunResult.DatasetRecord(
                plan().source().name(),
                plan().source().count(),
                plan().source().seed(),
                plan().source().fingerprint(),
                Choices.camelCase(bench.store().kind()),
                plan().source().leftOut().stream().toList());
    }

    private List<RunResult.SettingRecord> settingRecords() {
        return plan().resolved().values().stream()
                .map(value -> new RunResult.SettingRecord(
                        value.name(), value.shown(), value.origin().toString()))
                .toList();
    }

    /** What of the server is known only at the end of a run. */
    ServerState serverState() {
        try {
            return new ServerState(bench.target().settings(), "");
        } catch (TargetException gone) {
            String cause = bench.server().causeOfEnd().get();
            return new ServerState(new TreeMap<>(), cause.isEmpty() ? String.valueOf(gone.getMessage()) : cause);
        }
    }

    /**
     * The server at the end of a run.
     *
     * @param settings empty where it can no longer be asked
     * @param failure why not; empty where it can
     */
    record ServerState(SortedMap<String, String> settings, String failure) {
        boolean isGone() {
            return !failure.isEmpty();
        }
    }

    /**
     * Lets server and machine come to rest before a run measures, where the settings ask for it: a checkpoint, so that the server does
     * not write to its place later what was changed before, then two quiet seconds.
     */
    void settle() {
        if (!plan().settings().value(Property.SETTLE)) {
            return;
        }
        host().status("waiting for a checkpoint");
        found.note(checkpoint());
        QuietHost.Waited waited = QuietHost.await(bench.processes(), host()::status);
        host().status("");
        double seconds = waited.time().toMillis() / 1e3;
        found.note(
                waited.quiet()
                        ? String.format(Locale.ROOT, "the machine was quiet after %.1f s of waiting", seconds)
                        : String.format(
                                Locale.ROOT,
                                "the machine was not quiet in %.1f s of waiting: others took %.0f %% of all CPUs at last",
                                seconds,
                                waited.busyRatio() * 100));
    }

    private String checkpoint() {
        Optional<Maintenance> maintenance = bench.store().maintenance();
        if (maintenance.isEmpty()) {
            return "settled without a checkpoint: "
                    + (plan().asksExisting()
                            ? "of a database that is there already siemload demands none"
                            : plan().choice().plugin().name() + " has none");
        }
        try {
            maintenance.orElseThrow().checkpoint();
            return "settled by a checkpoint";
        } catch (TargetException refused) {
            return "settled without a checkpoint: " + refused.getMessage();
        }
    }
}
