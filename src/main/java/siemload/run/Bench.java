package siemload.run;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.database.Provision;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Target;
import siemload.database.Target.Replica;
import siemload.database.Target.ServerClock;
import siemload.database.TargetException;
import siemload.database.provision.ProvidedServer;
import siemload.dataset.ValuePools;
import siemload.measure.ClockOffset;
import siemload.measure.monitor.DatabaseProcesses;
import siemload.run.LoadRun.ReadRouting.ReadStore;
import siemload.run.procedure.CacheKeeper;
import siemload.scenario.SearchDraw;

/**
 * The server and the data of a load or a procedure. The data are a copy of the data set, the data set itself if nothing is written, an
 * empty store for a procedure that loads it, existing data, or the store of a run that this process joins. Closing {@code resources}
 * releases everything. The record is immutable, but its parts are not.
 *
 * @param plan the plan of the run; for existing data, with the times of their events
 * @param reading the stores that users search, by {@link RunPlan#routing}: the run's own store, or replicas
 * @param others the benches on further servers, for procedures with several servers
 * @param draw fills in the values of searches
 */
public record Bench(
        RunHost host,
        RunPlan plan,
        Resources resources,
        ProvidedServer server,
        Target target,
        Store store,
        List<ReadStore> reading,
        List<Bench> others,
        SearchDraw draw)
        implements AutoCloseable {

    public Bench {
        reading = List.copyOf(reading);
        others = List.copyOf(others);
    }

    /**
     * Prepares everything for a run.
     *
     * @param runId becomes part of the name of everything that is created
     * @param there a server that is already open; empty to open one
     * @throws ConfigException if settings or files are wrong, or others are using the server
     * @throws TargetException if the database is not available
     */
    static Bench open(RunHost host, RunPlan plan, Resources resources, String runId, Optional<ProvidedServer> there) {
        Opening opening = new Opening(host, plan, resources);
        ProvidedServer server = there.orElseGet(opening::server);
        CacheKeeper.require(plan.caches(), server);
        if (plan.asksExisting()) {
            return opening.existing(server);
        }
        Target target = opening.connect(server, plan.sessions());
        List<Replica> replicas = opening.replicas(target, server.address());
        ValuePools pools = plan.startsEmpty() ? opening.values() : opening.load(target);
        String verb = plan.writes() ? "copying " : "opening ";
        host.status(
                plan.startsEmpty() ? "creating tables" : verb + plan.source().name() + " for this run");
        Store store = opening.store(target, plan.writes(), runId);
        if (plan.writes()) {
            store.makeRoom(plan.writtenTimes());
        }
        if (plan.storesTrends()) {
            store.createTrends();
        }
        List<ReadStore> reading = opening.on(replicas, store);
        SearchDraw draw = plan.searchDraw(pools, List.of());
        List<Bench> others = new ArrayList<>();
        for (int number = 2; number <= plan.servers(); number++) {
            others.add(opening.other(number, runId + "-" + number, draw));
        }
        return new Bench(host, plan, resources, server, target, store, reading, others, draw);
    }

    /**
     * Joins the store of the run for which this process is an injector.
     *
     * @param name the name of the store
     * @throws TargetException if the server cannot be reached, or has no such store
     */
    static Bench join(RunHost host, RunPlan plan, ServerAddress address, String name, Resources resources) {
        Opening opening = new Opening(host, plan, resources);
        ProvidedServer server = ProvidedServer.external(address);
        Target target = resources.add(plan.choice().plugin().connect(address, Opening.options(plan, plan.sessions())));
        Store store = resources.add(target.join(opening.key(target), name));
        List<ReadStore> reading = opening.on(opening.replicas(target, address), store);
        SearchDraw draw = plan.searchDraw(opening.values(), List.of());
        return new Bench(host, plan, resources, server, target, store, reading, List.of(), draw);
    }

    /**
     * Connects to the server of a later run in the same way as that run, and checks everything that the run will need there. Nothing is
     * created; servers that are not running are not started.
     *
     * @param problems receives each problem: a {@link ConfigException}, or a {@link TargetException}
     */
    public static void check(RunHost host, RunPlan plan, Consumer<RuntimeException> problems) {
        if (plan.choice().provision() != Provision.EXTERNAL) {
            return;
        }
        try (Resources resources = new Resources()) {
            Opening opening = new Opening(host, plan, resources);
            ProvidedServer server = opening.server();
            CacheKeeper.require(plan.caches(), server);
            if (plan.asksStatements()) {
                var unused = opening.existing(server);
            } else {
                var unused = opening.connect(server, plan.sessions());
            }
        } catch (ConfigException | TargetException wrong) {
            problems.accept(wrong);
        } finally {
            host.status("");
        }
    }

    /**
     * Loads the data set of the settings without a run, and keeps it for later runs.
     *
     * @throws ConfigException if settings or files are wrong
     * @throws TargetException if the database is not available
     */
    public static void keepDataset(RunHost host) {
        try (Resources resources = new Resources()) {
            host.onShutdown(resources::close);
            RunPlan plan = RunPlan.read(host.settings(), host.home(), host::status);
            boolean contained = plan.choice().provision() == Provision.CONTAINER;
            String gone = "a data set in a container is deleted with the container (load it into another server)";
            plan.refuseIf(plan.asksExisting(), Property.DATA, "existing data are already loaded (remove this)");
            plan.refuseIf(plan.isInjected(), Property.INJECTORS, "only one process loads data (leave injectors out)");
            plan.refuseIf(contained, Property.PROVISION, gone);
            plan.source().warnings().forEach(host::line);
            Opening opening = new Opening(host, plan, resources);
            ProvidedServer server = opening.server();
            Target target = opening.connect(server, RunPlan.OTHER_CONNECTIONS);
            DatasetKey key = opening.key(target);
            if (target.holds(key) && !plan.settings().value(Property.RELOAD)) {
                host.line(key.label() + ": already loaded (-Dreload=true loads it anew)");
            } else {
                var unused = opening.load(target);
            }
        }
    }

    /** Returns this bench for one of the runs that share it; each run releases what it opens itself. */
    Bench with(RunHost other, RunPlan again, Resources own) {
        return new Bench(other, again, own, server, target, store, reading, others, draw);
    }

    /** Adds an action for when the process is stopped; an internal failure skips the action, since results cannot be trusted then. */
    public void onInterrupt(Runnable action) {
        host.onShutdown(() -> {
            if (!Breakdown.hasHappened()) {
                action.run();
            }
        });
    }

    @Override
    public void close() {
        resources.close();
    }

    /** Returns this bench and the benches on the other servers. */
    private Stream<Bench> all() {
        return Stream.concat(Stream.of(this), others.stream());
    }

    /** Returns the copy of the data set on each server, starting with the first server. */
    List<Store> stores() {
        return all().map(Bench::store).toList();
    }

    /** Finds the processes of all database servers. */
    DatabaseProcesses processes() {
        return DatabaseProcesses.of(
                all().map(one -> Opening.processes(one.server, plan.choice().plugin()))
                        .toList());
    }

    /** Returns the address of the server, with the login. */
    public ServerAddress address() {
        return server.address();
    }

    /** Measures the offset of this process's clock from the server's clock, or from the machine's clock if the server has none. */
    public ClockOffset clock() {
        Optional<ServerClock> opened = store.openClock();
        if (opened.isEmpty()) {
            return ClockOffset.measure(Instant::now, Duration.ZERO, System::nanoTime);
        }
        try (ServerClock clock = opened.orElseThrow()) {
            return ClockOffset.measure(clock::now, clock.resolution(), System::nanoTime);
        }
    }
}
