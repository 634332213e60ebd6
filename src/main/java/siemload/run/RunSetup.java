package siemload.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.MetricsUrl;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.config.directory.Reason;
import siemload.database.FirstNames;
import siemload.database.Provision;
import siemload.database.Replica;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Store.Maintenance;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.TargetPlugin;
import siemload.database.Transport;
import siemload.database.Transport.Security;
import siemload.database.provision.ProvidedServer;
import siemload.dataset.ValuePools;
import siemload.dataset.ValuePoolsBuilder;
import siemload.measure.RunClock;
import siemload.measure.environment.DiskFacts;
import siemload.measure.environment.EnvironmentRecord;
import siemload.measure.monitor.DatabaseProcesses;
import siemload.measure.monitor.DiskReads;
import siemload.measure.monitor.QuietHost;
import siemload.measure.monitor.RunMonitor;
import siemload.results.RunFile;
import siemload.results.RunResult;
import siemload.results.RunWriter;
import siemload.results.StorageResult;
import siemload.results.StorageResult.Disk;
import siemload.results.TargetRecord;
import siemload.run.DatasetLoading.DiskSpace;
import siemload.run.ExistingDatabase.OtherServer;
import siemload.run.ExistingDatabase.OtherServers;
import siemload.run.ExistingDatabase.ServerStart;
import siemload.run.ForeignServerCheck.ServerHost;
import siemload.run.LoadRun.ReadRouting.ReadStore;
import siemload.run.RunPlan.ReplicationOffer;
import siemload.run.RunPlan.TrendOffer;
import siemload.scenario.StatementDraw;

/**
 * What a run works with, whatever it does with it: a server, the data set in it, and a copy for this run alone. The
 * resources give everything back. Immutable; its parts are not.
 *
 * @param writer writes into the directory what is measured second by second
 * @param database which the run measures
 * @param values of what is asked
 * @param store the run's own copy of the data set, the data set itself where the run only reads, or an empty one for a
 *     procedure that loads it itself
 * @param environment what it takes place on
 * @param times how long that took, and what comes after it
 */
record RunSetup(
        RunHost host,
        RunPlan plan,
        RunDirectory directory,
        RunWriter writer,
        Resources resources,
        Database database,
        Values values,
        Store store,
        EnvironmentRecord environment,
        OutsideTimes times) {
    private static final int SHOWN = 5;

    /**
     * Gets everything ready.
     *
     * @throws ConfigException if settings or files are wrong
     * @throws siemload.database.TargetException if the database cannot be had
     */
    static RunSetup open(RunHost host, RunPlan plan, Resources resources) {
        plan.source().warnings().forEach(host::line);
        RunDirectory directory = RunDirectory.create(plan, Instant.now());
        resources.add(directory.marker());
        RunWriter writer = new RunWriter(directory.path(), LiveView.start(host, plan, directory, resources));
        OutsideTimes times = new OutsideTimes();
        ProvidedServer server = times.of("server", () -> new ServerStart(host, plan, resources).start());
        CacheKeeper.require(plan.caches(), server.caches());
        if (plan.asksExisting()) {
            return existing(host, plan, directory, writer, resources, server, times);
        }
        Target target = times.of("connection", () -> connect(host, plan, server, plan.sessions(), resources));
        ReplicationOffer.requireStandbys(plan.settings(), target);
        Replicas replicas =
                times.of("connection", () -> Replicas.connect(host, plan, resources, target, server.address()));
        DatasetKey key = DatasetKeys.of(plan, target.version());
        times.of(
                "look",
                () -> new ForeignServerCheck(host, plan)
                        .take(target, key, server.address().url()));
        DatasetLoading dataset = new DatasetLoading(host, plan);
        boolean empty = plan.startsEmpty();
        if (empty) {
            new DiskSpace(plan).requireForEmptyStore();
        }
        ValuePools pools = times.of("dataset", () -> empty ? dataset.values() : dataset.load(target, key, server));
        host.status(
                empty
                        ? "creating tables"
                        : (plan.writes() ? "copying " : "opening ")
                                + plan.source().name() + " for this run");
        Store store = resources.add(times.of("store", () -> store(target, plan, key, directory.runId())));
        if (plan.writes()) {
            store.makeRoom(plan.writtenTimes());
        }
        TrendOffer.create(plan.scenario(), store);
        host.status("");
        List<ReadStore> reading = times.of("replicas", () -> replicas.open(store));
        List<OtherServer> others = OtherServers.count(plan) == 1
                ? List.of()
                : times.of("otherServers", () -> new OtherServers(host, plan, resources).open(directory.runId()));
        KnownStorage.copy(host, plan, server, directory.path());
        EnvironmentRecord environment =
                times.of("environment", () -> RunEnvironment.of(plan, host.home(), server, target, store, others));
        Database database = new Database(server, target, others, reading);
        return new RunSetup(
                host,
                plan,
                directory,
                writer,
                resources,
                database,
                new Values(pools, StatementDraw.NONE),
                store,
                environment,
                times);
    }

    /** Of a run that asks data that are there already, statements or searches. */
    private static RunSetup existing(
            RunHost host,
            RunPlan plan,
            RunDirectory directory,
            RunWriter writer,
            Resources resources,
            ProvidedServer server,
            OutsideTimes times) {
        ExistingDatabase database = new ExistingDatabase(host, plan, times, resources);
        Asked asked =
                plan.asksStatements() ? Asked.of(plan, database.open(server)) : Asked.of(database.openEvents(server));
        KnownStorage.copy(host, plan, server, directory.path());
        EnvironmentRecord environment = times.of(
                "environment",
                () -> RunEnvironment.of(asked.plan, host.home(), server, asked.target, asked.store, List.of()));
        return new RunSetup(
                host,
                asked.plan,
                directory,
                writer,
                resources,
                new Database(server, asked.target, List.of(), ReadStore.alone(asked.store)),
                asked.values,
                asked.store,
                environment,
                times);
    }

    /**
     * What is looked for.
     *
     * @param pools by searches
     * @param statements what is asked in the place of searches, with its values; none where events are searched for
     */
    record Values(ValuePools pools, StatementDraw statements) {}

    /** Data that are there already, and what they are asked. */
    private record Asked(RunPlan plan, Target target, Store store, Values values) {
        static Asked of(RunPlan plan, ExistingDatabase.Opened opened) {
            ValuePools none = new ValuePoolsBuilder().build();
            return new Asked(plan, opened.target().server(), opened.store(), new Values(none, opened.draw()));
        }

        static Asked of(ExistingDatabase.Searched opened) {
            return new Asked(
                    opened.known(),
                    opened.target().server(),
                    opened.store(),
                    new Values(opened.pools(), StatementDraw.NONE));
        }
    }

    /**
     * The server, and what was connected to on it.
     *
     * @param others the servers beside it, of procedures that work with several
     * @param reading where its store is searched
     */
    record Database(ProvidedServer server, Target target, List<OtherServer> others, List<ReadStore> reading) {
        Database {
            others = List.copyOf(others);
            reading = List.copyOf(reading);
        }

        /** What of the server is known only at the end of a run. */
        ServerState state() {
            return ServerState.of(target, server);
        }
    }

    private static Store store(Target target, RunPlan plan, DatasetKey key, String runId) {
        if (plan.startsEmpty()) {
            return target.emptyStore(runId);
        }
        return plan.writes() ? target.copy(key, runId) : target.read(key, runId);
    }

    /** @param sessions how many connections the server must have free for what is to be done */
    static Target connect(RunHost host, RunPlan plan, ProvidedServer server, int sessions, Resources resources) {
        Target target = resources.add(plan.choice().plugin().connect(server.address(), options(plan, sessions)));
        warnOfTransport(host, plan, target.transport(), server);
        nameStrangers(host, target.strangers());
        return target;
    }

    /** @param sessions as for {@link #connect} */
    static TargetOptions options(RunPlan plan, int sessions) {
        return new TargetOptions(
                plan.variant(),
                plan.searchTimeout(),
                plan.settings().value(Property.MAINTENANCE_TIMEOUT),
                sessions,
                plan.parameters());
    }

    static void warnOfTransport(RunHost host, RunPlan plan, Transport transport, ProvidedServer server) {
        TransportWarning.of(transport, server.address().url(), plan.choice().plugin())
                .ifPresent(host::line);
    }

    private static void nameStrangers(RunHost host, List<String> strangers) {
        if (!strangers.isEmpty()) {
            host.line("left alone, since nothing proves that this user's siemload made it: "
                    + FirstNames.of(strangers, SHOWN));
        }
    }

    /** Gets ready to watch database and machine. */
    RunMonitor openMonitor() {
        List<MetricsUrl> others = plan.settings().find(Property.HOST_METRICS).orElse(List.of());
        RunMonitor monitor = resources.add(RunMonitor.open(writer, store::openCounters, processes(), others));
        monitor.unanswered()
                .forEach(
                        silent -> host.line("gaps in the figures of a host, as long as it does not answer: " + silent));
        return monitor;
    }

    /**
     * Gets ready to empty caches.
     *
     * @param pauses begins a pause of the monitor of server and machine meanwhile
     */
    CacheKeeper caches(Supplier<RunMonitor.Pause> pauses) {
        return new CacheKeeper(
                host::status, database.server().caches(), store, new DiskReads(processes())::read, pauses);
    }

    /** The copy of the data set on each server, the first one's first. */
    List<Store> stores() {
        return Stream.concat(Stream.of(store), database.others().stream().map(OtherServer::store))
                .toList();
    }

    /** How to find the processes of all servers. */
    DatabaseProcesses processes() {
        return ServerHost.processes(
                Stream.concat(
                                Stream.of(database.server()),
                                database.others().stream().map(OtherServer::server))
                        .toList(),
                plan.choice().plugin());
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
                    origin(Property.RESULTS), "files cannot be written to " + directory.path() + ": " + unwritable);
        }
    }

    Origin origin(Property<?> property) {
        return plan.settings().origin(property);
    }

    /** What run.json says of the run itself. */
    RunResult.RunIdentity identity(ServerState state, double seconds, LoadOutcome.Ending ending) {
        return new RunResult.RunIdentity(
                directory.runId(),
                plan.scenario().name(),
                directory.startedAt(),
                Math.round(seconds * 1000) / 1000.0,
                ending != LoadOutcome.Ending.COMPLETE,
                targetRecord(state),
                datasetRecord(),
                settingRecords(),
                times.seconds());
    }

    private TargetRecord targetRecord(ServerState state) {
        return new TargetRecord(
                plan.choice().plugin().id(),
                database.target().version(),
                database.server().provision().label(),
                plan.variantRecord(),
                connectionRecord(),
                state.settings(),
                database.server().container());
    }

    private TargetRecord.ConnectionRecord connectionRecord() {
        Transport transport = database.target().transport();
        return new TargetRecord.ConnectionRecord(
                transport.security().label(),
                transport.protocol(),
                transport.cipher(),
                database.target().sessions().server(),
                database.target().sessions().timeZone());
    }

    private RunResult.DatasetRecord datasetRecord() {
        return new RunResult.DatasetRecord(
                plan.source().name(),
                plan.source().count(),
                plan.source().seed(),
                plan.source().fingerprint(),
                Choices.camelCase(store.kind()),
                plan.source().leftOut().stream().toList());
    }

    private List<RunResult.SettingRecord> settingRecords() {
        return plan.resolved().values().stream()
                .map(value -> new RunResult.SettingRecord(
                        value.name(), value.shown(), value.origin().toString()))
                .toList();
    }

    /** How long a run takes for what lies outside of its load or its procedure, step by step. Used by one thread at a time. */
    static final class OutsideTimes {
        private static final double NANOS_PER_MILLI = 1e6;

        private final Map<String, Double> seconds = new LinkedHashMap<>();

        /** Does a step, and adds its time to that of the steps with the same name; also where it fails. */
        <T> T of(String step, Supplier<T> work) {
            long start = System.nanoTime();
            try {
                return work.get();
            } finally {
                double millis = Math.round((System.nanoTime() - start) / NANOS_PER_MILLI);
                seconds.merge(step, millis / 1e3, Double::sum);
            }
        }

        /** Measures work without a result. */
        void of(String step, Runnable work) {
            boolean unused = of(step, () -> {
                work.run();
                return true;
            });
        }

        /** The seconds of each step so far, in the order of the steps. */
        Map<String, Double> seconds() {
            return Collections.unmodifiableMap(new LinkedHashMap<>(seconds));
        }
    }

    /**
     * Gets the replicas that answer the searches of a run, none where the run's own store does. Used by one thread.
     *
     * @param connected in the order in which their urls were given
     */
    record Replicas(RunHost host, RunPlan plan, Resources resources, List<Replica> connected) {
        /** How long a replica may take until it has the data set of the run. */
        private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);
        /** Beside those that search: for looking at it, for how far it is, and for the store. */
        private static final int OTHER_CONNECTIONS = 4;

        /**
         * Connects to them.
         *
         * @param server of the run, whose user asks them as well
         * @throws TargetException if one is no replica of the server that the target is connected to
         */
        static Replicas connect(RunHost host, RunPlan plan, Resources resources, Target target, ServerAddress server) {
            List<Replica> connected = new ArrayList<>();
            for (int index = 0; index < plan.readUrls().size(); index++) {
                ServerAddress address = new ServerAddress(plan.readUrls().get(index), server.user(), server.password());
                int sessions = plan.workers(index) + plan.cursors() + OTHER_CONNECTIONS;
                connected.add(resources.add(target.connectReplica(address, sessions)));
            }
            return new Replicas(host, plan, resources, List.copyOf(connected));
        }

        /**
         * Opens the store of the run on them, when they have all of it.
         *
         * @throws TargetException if one lacks something
         */
        List<ReadStore> open(Store store) {
            List<ReadStore> stores = join(store);
            if (!connected.isEmpty()) {
                long events = store.events();
                stores.forEach(replica -> requireWhole(replica, events));
            }
            return stores;
        }

        private static void requireWhole(ReadStore replica, long events) {
            long there = replica.store().events();
            if (there != events) {
                throw new TargetException(replica.replica().orElseThrow().place() + " lacks events of the run: it has "
                        + there + " of " + events + " (it follows another server, or another timeline)");
            }
        }

        /** The same for a process that joins the run: whoever made the store has seen to it that nothing is missing. */
        List<ReadStore> join(Store store) {
            if (connected.isEmpty()) {
                return ReadStore.alone(store);
            }
            String name = store.nameToJoin().orElseThrow();
            List<ReadStore> stores = new ArrayList<>();
            for (Replica replica : connected) {
                host.status("waiting for " + replica.place());
                replica.awaitCaughtUp(LONGEST_WAIT);
                stores.add(new ReadStore(resources.add(replica.open(name)), Optional.of(replica)));
            }
            host.status("");
            return List.copyOf(stores);
        }
    }

    /**
     * Copies into the directory of a run what the disk of its data can do, where somebody measured it before. It is no part of the
     * environment: a run on the same disk is the same run, whether that was measured or not.
     */
    private static final class KnownStorage {
        private KnownStorage() {}

        /** Of an embedded server; where others keep their data, nobody here knows. */
        static void copy(RunHost host, RunPlan plan, ProvidedServer server, Path directory) {
            if (server.provision() != Provision.EMBEDDED) {
                return;
            }
            Disk disk = DiskFacts.of(plan.cache());
            Path known = StorageResult.inCache(plan.cache(), disk);
            try {
                if (disk.hasName() && Files.exists(known)) {
                    StorageResult result = StorageResult.read(known);
                    if (result.disk().equals(disk)) {
                        result.write(RunFile.STORAGE.in(directory));
                    }
                }
            } catch (IOException broken) {
                host.line("warning: left out what the disk can do: " + Reason.of(broken));
            }
        }
    }

    /**
     * The server at the end of a run.
     *
     * @param settings empty where it can no longer be asked
     * @param failure why not; empty where it can
     */
    record ServerState(SortedMap<String, String> settings, String failure) {

        static ServerState of(Target target, ProvidedServer provided) {
            try {
                return new ServerState(target.settings(), "");
            } catch (TargetException gone) {
                String cause = provided.causeOfEnd().get();
                return new ServerState(new TreeMap<>(), cause.isEmpty() ? String.valueOf(gone.getMessage()) : cause);
            }
        }

        boolean isGone() {
            return !failure.isEmpty();
        }
    }

    /** What people must know of a connection that others on its way could read or answer. Stateless. */
    static final class TransportWarning {
        private TransportWarning() {}

        /** Empty where the server is on this machine or was verified. */
        static Optional<String> of(Transport transport, String url, TargetPlugin plugin) {
            if (!transport.isOpenToOthers() || ServerHost.isHere(url, plugin)) {
                return Optional.empty();
            }
            String what = transport.security() == Security.NONE
                    ? "is not encrypted: whoever is on the way reads events and searches, and can change answers"
                    : "is encrypted, but with whoever answered: the server was not verified, and somebody on the way can"
                            + " stand in its place";
            return Optional.of("warning: the connection to this server on another host " + what + " (give "
                    + plugin.product().howToVerify() + "; docs/security.md says more)");
        }
    }

    /**
     * Lets server and machine come to rest before a run measures, where the settings ask for it: a checkpoint, then two quiet
     * seconds. Used by one thread.
     */
    static final class Settling {
        private final RunSetup setup;
        private final boolean asked;
        private final List<String> notes = new ArrayList<>();

        Settling(RunSetup setup) {
            this.setup = setup;
            this.asked = setup.plan().settings().value(Property.SETTLE);
        }

        /** Writes what was changed to its place, so that the server does not do that while something is measured. */
        void checkpoint() {
            if (!asked) {
                return;
            }
            setup.host().status("waiting for a checkpoint");
            Optional<Maintenance> maintenance = setup.store().maintenance();
            if (maintenance.isEmpty()) {
                notes.add("settled without a checkpoint: "
                        + (setup.plan().asksExisting()
                                ? "of a database that is there already siemload demands none"
                                : setup.plan().choice().plugin().name() + " has none"));
            }
            maintenance.ifPresent(store -> {
                try {
                    store.checkpoint();
                    notes.add("settled by a checkpoint");
                } catch (TargetException refused) {
                    notes.add("settled without a checkpoint: " + refused.getMessage());
                }
            });
            setup.host().status("");
        }

        /** Waits for a quiet machine. */
        void awaitQuiet() {
            if (!asked) {
                return;
            }
            QuietHost.Waited waited = QuietHost.await(setup.processes(), setup.host()::status);
            setup.host().status("");
            double seconds = waited.time().toMillis() / 1e3;
            notes.add(
                    waited.quiet()
                            ? String.format(Locale.ROOT, "the machine was quiet after %.1f s of waiting", seconds)
                            : String.format(
                                    Locale.ROOT,
                                    "the machine was not quiet in %.1f s of waiting: others took %.0f %% of all CPUs at last",
                                    seconds,
                                    waited.busyRatio() * 100));
        }

        /** What was waited for, and what came of it. */
        List<String> notes() {
            return List.copyOf(notes);
        }
    }
}
