package siemload.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import siemload.config.ConfigException;
import siemload.config.Credentials;
import siemload.config.Property;
import siemload.config.Settings;
import siemload.config.directory.ForeignDirectoryException;
import siemload.config.directory.Ownership;
import siemload.config.directory.Reason;
import siemload.database.ContainerServer.ContainerOptions;
import siemload.database.EmbeddedServer.EmbeddedOptions;
import siemload.database.Provision;
import siemload.database.Replica;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Target;
import siemload.database.Target.ServerClock;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.TargetPlugin;
import siemload.database.Transport;
import siemload.database.Transport.Security;
import siemload.database.provision.ProvidedServer;
import siemload.database.provision.ServerContainer;
import siemload.dataset.ValuePools;
import siemload.measure.ClockOffset;
import siemload.measure.monitor.DatabaseProcesses;
import siemload.run.DatasetLoading.DiskSpace;
import siemload.run.ForeignServerCheck.ServerHost;
import siemload.run.LoadRun.ReadRouting.ReadStore;
import siemload.scenario.SearchDraw;

/**
 * What a load, or a procedure, works on. It is opened in one place, whatever the run: with a copy of the data set on a server, with the data set
 * itself where nothing is written, with an empty store for what loads it, with data that were there before, or with the store of a
 * run that this process joins. Its resources give everything back. Immutable; its parts are not.
 *
 * @param plan of existing data, with when their events were
 * @param times how long opening took, and what comes after it
 * @param reading where users search, by {@link RunPlan#routing}: in the store itself, or on replicas that have it
 * @param others the servers beside the first one, of procedures that work with several
 * @param draw fills in the values of what is asked
 */
public record Bench(
        RunHost host,
        RunPlan plan,
        Resources resources,
        OutsideTimes times,
        ProvidedServer server,
        Target target,
        Store store,
        List<ReadStore> reading,
        List<OtherServer> others,
        SearchDraw draw)
        implements AutoCloseable {
    public Bench {
        reading = List.copyOf(reading);
        others = List.copyOf(others);
    }

    /**
     * Gets everything ready for a run.
     *
     * @param runId part of the names of what is made
     * @throws ConfigException if settings or files are wrong, or others are using the server
     * @throws TargetException if the database cannot be had
     */
    static Bench open(RunHost host, RunPlan plan, Resources resources, String runId) {
        OutsideTimes times = new OutsideTimes();
        Opening opening = new Opening(host, plan, resources);
        ProvidedServer server = times.of("server", opening::server);
        CacheKeeper.require(plan.caches(), server.caches());
        if (plan.asksExisting()) {
            return new ExistingDatabase(opening, times).open(server);
        }
        Target target = times.of("connection", () -> opening.connect(server, plan.sessions()));
        List<Replica> replicas = times.of("connection", () -> opening.replicas(target, server.address()));
        times.of("look", () -> opening.look(target, server));
        DatasetLoading dataset = new DatasetLoading(host, plan);
        if (plan.startsEmpty()) {
            new DiskSpace(plan).requireForEmptyStore();
        }
        ValuePools pools =
                times.of("dataset", () -> plan.startsEmpty() ? dataset.values() : dataset.load(target, server));
        host.status(
                plan.startsEmpty()
                        ? "creating tables"
                        : (plan.writes() ? "copying " : "opening ")
                                + plan.source().name() + " for this run");
        Store store = resources.add(times.of("store", () -> opening.store(target, plan.writes(), runId)));
        if (plan.writes()) {
            store.makeRoom(plan.writtenTimes());
        }
        if (plan.storesTrends()) {
            store.createTrends();
        }
        host.status("");
        List<ReadStore> reading = times.of("replicas", () -> opening.wholeOn(replicas, store));
        List<OtherServer> others = plan.servers() == 1
                ? List.of()
                : times.of(
                        "otherServers",
                        () -> IntStream.rangeClosed(2, plan.servers())
                                .mapToObj(number -> opening.other(number, runId + "-" + number))
                                .toList());
        return new Bench(host, plan, resources, times, server, target, store, reading, others, plan.searchDraw(pools));
    }

    /**
     * Joins the store of a run of which this process is an injector.
     *
     * @throws TargetException if the server cannot be reached, or has no such store
     */
    static Bench join(RunHost host, InjectorLink link, Resources resources) {
        RunPlan plan = link.plan();
        ServerAddress address = link.server();
        ProvidedServer server = ProvidedServer.external(address);
        Target target = resources.add(plan.choice().plugin().connect(address, Opening.options(plan, plan.sessions())));
        Store store = resources.add(target.join(DatasetLoading.key(plan, target), link.store()));
        Opening opening = new Opening(host, plan, resources);
        List<ReadStore> reading = opening.on(opening.replicas(target, address), store);
        SearchDraw draw = plan.searchDraw(new DatasetLoading(host, plan).values());
        return new Bench(host, plan, resources, new OutsideTimes(), server, target, store, reading, List.of(), draw);
    }

    /** Adds what to do when the process is stopped, unless something in it broke, which cannot be trusted to write results. */
    public void onInterrupt(Runnable action) {
        host.onShutdown(Breakdown.unlessHappened(action));
    }

    @Override
    public void close() {
        resources.close();
    }

    /** The copy of the data set on each server, the first one's first. */
    List<Store> stores() {
        return Stream.concat(Stream.of(store), others.stream().map(OtherServer::store))
                .toList();
    }

    /** How to find the processes of all servers. */
    DatabaseProcesses processes() {
        return ServerHost.processes(
                Stream.concat(Stream.of(server), others.stream().map(OtherServer::server))
                        .toList(),
                plan.choice().plugin());
    }

    /** Where the server is, and who asks. */
    public ServerAddress address() {
        return server.address();
    }

    /** How this process's clock goes with the server's now; with the machine's, where the server has none. */
    public ClockOffset clock() {
        Optional<ServerClock> opened = store.openClock();
        if (opened.isEmpty()) {
            return ClockOffset.measure(Instant::now, Duration.ZERO, System::nanoTime);
        }
        try (ServerClock clock = opened.orElseThrow()) {
            return ClockOffset.measure(clock::now, clock.resolution(), System::nanoTime);
        }
    }

    /**
     * A server beside the first one of a run, with the same data set. Immutable; its parts are not.
     *
     * @param number 2 for the first beside it
     */
    record OtherServer(int number, ProvidedServer server, Target target, Store store) {}

    /** The steps of opening, some of which other commands take as well. Used by one thread. */
    record Opening(RunHost host, RunPlan plan, Resources resources) {
        /** How long a replica may take until it has the data set of the run. */
        private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);
        /** At a replica, beside those that search: for looking at it, for how far it is, and for the store. */
        private static final int OTHER_CONNECTIONS = 4;

        /** The server that the settings ask for, when it is ready; the resources give it back. */
        ProvidedServer server() {
            TargetPlugin plugin = plan.choice().plugin();
            Settings settings = plan.settings();
            prepareCache();
            boolean isThere = plan.choice().provision() == Provision.EXTERNAL;
            host.status((isThere ? "connecting to " : "starting ") + plugin.id());
            return switch (plan.choice().provision()) {
                case EMBEDDED -> embedded(plan.cache());
                case EXTERNAL -> {
                    String url = settings.value(Property.URL);
                    Credentials credentials = settings.credentials(url);
                    yield resources.add(ProvidedServer.external(new ServerAddress(
                            url,
                            credentials.user().orElse(""),
                            credentials.password().orElse(""))));
                }
                case CONTAINER -> {
                    ContainerOptions options = new ContainerOptions(
                            settings.value(Property.CONTAINER_MEMORY),
                            settings.value(Property.CONTAINER_CPUS),
                            plan.sessions(),
                            plan.parameters());
                    yield resources
                            .add(new ServerContainer(plugin, settings.find(Property.IMAGE), options, host))
                            .start();
                }
            };
        }

        private ProvidedServer embedded(Path directory) {
            new DiskSpace(plan).requireForServer();
            EmbeddedOptions options = new EmbeddedOptions(directory, plan.sessions(), plan.parameters());
            return resources.open(() -> ProvidedServer.embedded(plan.choice().plugin(), options, host));
        }

        /** Makes the directory of what is kept between runs, where nobody but its user can put anything; others do without. */
        private void prepareCache() {
            boolean needed = plan.choice().provision() != Provision.EXTERNAL;
            if (!needed && !Files.exists(plan.cache(), LinkOption.NOFOLLOW_LINKS)) {
                return;
            }
            try {
                Ownership.ofThisUser().makePrivate(plan.cache());
            } catch (ForeignDirectoryException foreign) {
                throw new ConfigException(plan.settings().origin(Property.CACHE), Reason.of(foreign));
            } catch (IOException unusable) {
                if (needed) {
                    throw new ConfigException(
                            plan.settings().origin(Property.CACHE),
                            "the cache directory " + plan.cache() + " cannot be used: " + Reason.of(unusable)
                                    + " (choose another with -Dcache=DIR)");
                }
            }
        }

        /** @param sessions how many connections the server must have free for what is to be done */
        Target connect(ProvidedServer server, int sessions) {
            Target target = resources.add(plan.choice().plugin().connect(server.address(), options(plan, sessions)));
            warnOfTransport(target, server);
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

        void warnOfTransport(Target target, ProvidedServer server) {
            TransportWarning.of(
                            target.transport(),
                            server.address().url(),
                            plan.choice().plugin())
                    .ifPresent(host::line);
        }

        /** Looks who uses the server, and says what is about to happen there. @throws ConfigException if others are using it */
        void look(Target target, ProvidedServer server) {
            new ForeignServerCheck(host, plan).take(target, server.address().url());
        }

        /** The run's own store, on a server that has the data set. */
        Store store(Target target, boolean writes, String name) {
            if (plan.startsEmpty()) {
                return target.emptyStore(name);
            }
            DatasetKey key = DatasetLoading.key(plan, target);
            return writes ? target.copy(key, name) : target.read(key, name);
        }

        /** Another embedded server beside the first one, with a directory of its own, and the data set unless the procedure begins without. */
        OtherServer other(int number, String name) {
            host.status("starting " + plan.choice().plugin().id() + " " + number);
            ProvidedServer server = embedded(plan.cache().resolve("server-" + number));
            Target target = connect(server, plan.sessions());
            look(target, server);
            if (!plan.startsEmpty()) {
                new DatasetLoading(host, plan).load(target, server);
            }
            Store store = resources.add(store(target, false, name));
            host.status("");
            return new OtherServer(number, server, target, store);
        }

        /**
         * Connects to the replicas that answer the searches, in the order of their urls; none where the run's own store does.
         *
         * @param server of the run, whose user asks them as well
         * @throws TargetException if one is no replica of the server that the target is connected to
         */
        List<Replica> replicas(Target target, ServerAddress server) {
            List<Replica> connected = new ArrayList<>();
            for (int index = 0; index < plan.readUrls().size(); index++) {
                ServerAddress address = new ServerAddress(plan.readUrls().get(index), server.user(), server.password());
                int sessions = plan.workers(index) + plan.cursors() + OTHER_CONNECTIONS;
                connected.add(resources.add(target.connectReplica(address, sessions)));
            }
            return connected;
        }

        /** Opens the store of the run on its replicas, when they have all of it. @throws TargetException if one lacks something */
        List<ReadStore> wholeOn(List<Replica> replicas, Store store) {
            List<ReadStore> stores = on(replicas, store);
            long events = replicas.isEmpty() ? 0 : store.events();
            for (int i = 0; i < replicas.size(); i++) {
                long there = stores.get(i).store().events();
                if (there != events) {
                    throw new TargetException(replicas.get(i).place() + " lacks events of the run: it has " + there
                            + " of " + events + " (it follows another server, or another timeline)");
                }
            }
            return stores;
        }

        /** The same for a process that joins the run: whoever made the store has seen to it that nothing is missing. */
        List<ReadStore> on(List<Replica> replicas, Store store) {
            if (replicas.isEmpty()) {
                return ReadStore.alone(store);
            }
            String name = store.nameToJoin();
            List<ReadStore> stores = new ArrayList<>();
            for (Replica replica : replicas) {
                host.status("waiting for " + replica.place());
                replica.awaitCaughtUp(LONGEST_WAIT);
                stores.add(new ReadStore(resources.add(replica.open(name)), Optional.of(replica)));
            }
            host.status("");
            return stores;
        }
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
}
