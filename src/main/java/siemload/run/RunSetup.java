package siemload.run;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.config.directory.DirectoryTree;
import siemload.config.directory.ForeignDirectoryException;
import siemload.config.directory.Ownership;
import siemload.config.directory.Reason;
import siemload.database.Provision;
import siemload.database.Store;
import siemload.database.Store.Maintenance;
import siemload.database.TargetException;
import siemload.database.TargetPlugin;
import siemload.database.provision.ProvidedServer;
import siemload.dataset.EventSource;
import siemload.measure.RunClock;
import siemload.measure.environment.EnvironmentRecord;
import siemload.measure.environment.MachineFacts;
import siemload.measure.monitor.DiskReads;
import siemload.measure.monitor.QuietHost;
import siemload.measure.monitor.RunMonitor;
import siemload.results.RunFile;
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
        RunDirectory directory = resources.add(RunDirectory.create(plan, Instant.now()));
        RunWriter writer = new RunWriter(directory.path(), startLive(host, plan, directory, resources));
        Bench bench = Bench.open(host, plan, resources, directory.runId());
        return new RunSetup(bench, directory, writer, environment(bench), new Findings());
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
        String source = plan.source().name();
        String events =
                String.format(Locale.ROOT, "%,d events of %s", plan.source().count(), source);
        String sentence = plan.scenario().name() + " searches " + (plan.asksExisting() ? source : events) + " on "
                + target + " (" + plan.variantRecord().label() + ")";
        Map<String, String> labels = plan.variantRecord().parts();
        labels.put("run_id", directory.runId());
        labels.put("scenario", plan.scenario().name());
        labels.put("dataset", source);
        labels.put("target", target);
        return new RunDescription(directory.runId(), sentence, labels);
    }

    /** Writes down what a run takes place on, before the load: machine, server, tables, scenario and data set. */
    static EnvironmentRecord environment(Bench bench) {
        RunPlan plan = bench.plan();
        Map<String, Path> directories = new HashMap<>();
        directories.put("results", plan.settings().value(Property.RESULTS).toAbsolutePath());
        if (bench.server().provision() == Provision.EMBEDDED) {
            directories.put("data", plan.cache());
        }
        // Of all databases: which of them are on the class path is part of what runs.
        Set<String> drivers = new HashSet<>();
        TargetPlugin.all().forEach(plugin -> drivers.addAll(plugin.product().driverJars()));
        Map<String, Map<String, String>> sections =
                MachineFacts.describe(directories, bench.host().home(), drivers);
        sections.put("database", database(plan, bench));
        sections.put("tables", tables(bench.store()));
        sections.put("scenario", plan.described());
        sections.put(
                "dataset", plan.asksStatements() ? Map.of("name", plan.source().name()) : dataset(plan.source()));
        return EnvironmentRecord.of(sections);
    }

    private static Map<String, String> database(RunPlan plan, Bench bench) {
        ProvidedServer server = bench.server();
        Map<String, String> values = new TreeMap<>();
        values.put("target", plan.choice().plugin().id());
        values.put("version", bench.target().version());
        values.put("provision", server.provision().label());
        server.container().forEach((name, value) -> values.put("container." + name, value));
        if (server.provision() == Provision.EXTERNAL) {
            values.put("url", server.address().url());
        }
        try {
            bench.target().settings().forEach((name, value) -> values.put("setting." + name, value));
        } catch (TargetException unreadable) {
            values.put("settings", "could not be read: " + unreadable.getMessage());
        }
        for (int i = 0; i < bench.others().size(); i++) {
            String version = bench.others().get(i).target().version();
            values.put("server-" + (i + 2) + ".version", version);
        }
        return values;
    }

    /** Before the load, when equal data sets are equally large. */
    private static Map<String, String> tables(Store store) {
        Map<String, String> values = new TreeMap<>();
        try {
            store.relationBytes().forEach((relation, bytes) -> values.put(relation, Long.toString(bytes)));
        } catch (TargetException unreadable) {
            // Each run has tables of its own name, which is no difference between two.
            String why = String.valueOf(unreadable.getMessage());
            values.put("sizes", "could not be read: " + why.replaceAll("siemload_run_[\\w.-]+", "siemload_run_..."));
        }
        return values;
    }

    private static Map<String, String> dataset(EventSource source) {
        return Map.of(
                "name", source.name(),
                "events", Long.toString(source.count()),
                "first", source.first().toString(),
                "until", source.until().toString(),
                "seed", Long.toString(source.seed()),
                "contents", source.fingerprint());
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
                bench.server(),
                bench.store(),
                new DiskReads(bench.processes())::read,
                pauses,
                found.notes());
    }

    /** Starts to watch them. @throws ConfigException if what is seen cannot be written */
    void start(RunMonitor monitor, RunClock clock) {
        boolean unused = written(() -> {
            monitor.start(clock);
            return true;
        });
    }

    /** Does what writes into the directory of the run. @throws ConfigException if that cannot be written to */
    <T> T written(Writing<T> writing) {
        try {
            return writing.write();
        } catch (IOException unwritable) {
            throw new ConfigException(
                    origin(Property.RESULTS), "files cannot be written to " + path() + ": " + unwritable);
        }
    }

    /** Something that writes. */
    @FunctionalInterface
    interface Writing<T> {
        T write() throws IOException;
    }

    Origin origin(Property<?> property) {
        return plan().settings().origin(property);
    }

    /** What run.json says of the run itself. */
    RunResult.RunIdentity identity(ServerState state, double seconds, LoadOutcome.Ending ending) {
        RunPlan plan = plan();
        EventSource source = plan.source();
        TargetRecord target = new TargetRecord(
                plan.choice().plugin().id(),
                bench.target().version(),
                bench.server().provision().label(),
                plan.variantRecord(),
                bench.target().transport(),
                state.settings(),
                bench.server().container());
        RunResult.DatasetRecord dataset = new RunResult.DatasetRecord(
                source.name(),
                source.count(),
                source.seed(),
                source.fingerprint(),
                Choices.camelCase(bench.store().kind()),
                source.leftOut().stream().toList());
        List<RunResult.SettingRecord> settings = new ArrayList<>();
        for (Setting value : plan.resolved().values()) {
            String origin = value.origin().toString();
            settings.add(new RunResult.SettingRecord(value.name(), value.shown(), origin));
        }
        return new RunResult.RunIdentity(
                directory.runId(),
                plan.scenario().name(),
                directory.startedAt(),
                Math.round(seconds * 1000) / 1000.0,
                ending != LoadOutcome.Ending.COMPLETE,
                target,
                dataset,
                settings);
    }

    /** What of the server is known only at the end of a run. */
    ServerState serverState() {
        try {
            return new ServerState(bench.target().settings(), "");
        } catch (TargetException gone) {
            String cause = bench.server().server().causeOfEnd();
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
        Optional<Maintenance> maintenance = bench.store().maintenance();
        String missing = plan().asksExisting()
                ? "of a database that is there already siemload demands none"
                : plan().choice().plugin().name() + " has none";
        try {
            maintenance.ifPresent(Maintenance::checkpoint);
            found.noteIf(maintenance.isPresent(), "settled by a checkpoint");
            found.noteIf(maintenance.isEmpty(), "settled without a checkpoint: " + missing);
        } catch (TargetException refused) {
            found.note("settled without a checkpoint: " + refused.getMessage());
        }
        QuietHost.Waited waited = QuietHost.await(bench.processes(), host()::status);
        host().status("");
        double seconds = waited.time().toMillis() / 1e3;
        found.noteIf(waited.quiet(), "the machine was quiet after %.1f s of waiting", seconds);
        found.noteIf(
                !waited.quiet(),
                "the machine was not quiet in %.1f s of waiting: others took %.0f %% of all CPUs at last",
                seconds,
                waited.busyRatio() * 100);
    }

    /**
     * Where one run's results go: {@code <results>/<runId>/}. To be closed when the run has ended. Immutable.
     *
     * @param path the directory, which exists
     */
    record RunDirectory(Path path, String runId, Instant startedAt) implements AutoCloseable {

        /**
         * Makes a directory of its own, also when two runs start in the same second.
         *
         * @throws ConfigException if the results directory cannot be written
         */
        static RunDirectory create(RunPlan plan, Instant now) {
            return create(plan, plan.settings().value(Property.RESULTS).toAbsolutePath(), now);
        }

        /** The same below another directory of results. */
        static RunDirectory create(RunPlan plan, Path results, Instant now) {
            String name = String.join(
                    "-",
                    plan.scenario().name().replaceAll("[^A-Za-z0-9]+", "-"),
                    plan.choice().plugin().id(),
                    TimestampName.of(now));
            NewFiles.protect();
            try {
                Files.createDirectories(results);
                Ownership.ofThisUser().requireOwn(results);
                for (int attempt = 1; ; attempt++) {
                    String runId = attempt == 1 ? name : name + "-" + attempt;
                    try {
                        Path path = NewFiles.createDirectory(results.resolve(runId));
                        return new RunDirectory(path, runId, now);
                    } catch (FileAlreadyExistsException taken) {
                        // another run started in the same second: try the next name
                    }
                }
            } catch (ForeignDirectoryException foreign) {
                throw new ConfigException(plan.settings().origin(Property.RESULTS), "results: " + Reason.of(foreign));
            } catch (FileAlreadyExistsException file) {
                throw unwritable(plan, file.getFile() + " is no directory");
            } catch (IOException unwritable) {
                throw unwritable(plan, Reason.of(unwritable));
            }
        }

        private static ConfigException unwritable(RunPlan plan, String reason) {
            return new ConfigException(
                    plan.settings().origin(Property.RESULTS),
                    "results cannot be written to "
                            + plan.settings().value(Property.RESULTS).toAbsolutePath() + ": " + reason
                            + " (choose another with -Dresults=DIR)");
        }

        /** Lets {@code <results>/latest} name this run: a link where the file system has them, otherwise a file. */
        void markLatest() throws IOException {
            Path latest = path.resolveSibling("latest");
            Path fresh = path.resolveSibling("latest." + runId);
            try {
                Files.createSymbolicLink(fresh, Path.of(runId));
            } catch (UnsupportedOperationException | IOException noLinks) {
                Files.writeString(fresh, runId + "\n", StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            }
            Files.move(fresh, latest, StandardCopyOption.ATOMIC_MOVE);
        }

        /** The run has ended: a directory in which nothing was measured goes with it. */
        @Override
        public void close() throws IOException {
            if (!Files.exists(RunFile.RUN.in(path)) && !hasMeasured(RunFile.TIMELINE.in(path))) {
                DirectoryTree.delete(path);
            }
        }

        /** The first line is the heading. */
        private static boolean hasMeasured(Path timeline) throws IOException {
            if (!Files.exists(timeline)) {
                return false;
            }
            try (Stream<String> lines = Files.lines(timeline)) {
                return lines.skip(1).findFirst().isPresent();
            }
        }
    }
}
