package siemload.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.config.ConfigException;
import siemload.config.Credentials;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.Settings;
import siemload.config.directory.ForeignDirectoryException;
import siemload.config.directory.Ownership;
import siemload.config.directory.Reason;
import siemload.database.ContainerServer.ContainerOptions;
import siemload.database.EmbeddedServer.EmbeddedOptions;
import siemload.database.Provision;
import siemload.database.Replica;
import siemload.database.SearchSession;
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
import siemload.dataset.ExistingData;
import siemload.dataset.ExistingValues;
import siemload.dataset.ValuePools;
import siemload.dataset.ValuePoolsBuilder;
import siemload.event.EventFormatException;
import siemload.event.IdeaReader;
import siemload.measure.ClockOffset;
import siemload.measure.monitor.DatabaseProcesses;
import siemload.query.CriterionKey;
import siemload.query.EventSide;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchDefinition;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.query.ValueField;
import siemload.query.Window;
import siemload.results.SearchKey;
import siemload.run.ForeignServerCheck.ServerHost;
import siemload.run.LoadRun.ReadRouting.ReadStore;
import siemload.run.procedure.CacheKeeper;
import siemload.scenario.SearchDraw;
import siemload.scenario.StatementPlan;
import siemload.scenario.StatementValues;

/**
 * What a load, or a procedure, works on. It is opened in one place, whatever the run: with a copy of the data set on a server, with the data set
 * itself where nothing is written, with an empty store for what loads it, with data that were there before, or with the store of a
 * run that this process joins. Its resources give everything back. Immutable; its parts are not.
 *
 * @param plan of existing data, with when their events were
 * @param reading where users search, by {@link RunPlan#routing}: in the store itself, or on replicas that have it
 * @param others the same on the servers beside the first one, of procedures that work with several
 * @param draw fills in the values of what is asked
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
    /** When a statement of loading, copying, indexing, counting or deleting is given up. */
    private static final Duration MAINTENANCE_TIMEOUT = Duration.ofDays(1);

    public Bench {
        reading = List.copyOf(reading);
        others = List.copyOf(others);
    }

    /**
     * Gets everything ready for a run.
     *
     * @param runId part of the names of what is made
     * @param there a server that is there already, if there is one
     * @throws ConfigException if settings or files are wrong, or others are using the server
     * @throws TargetException if the database cannot be had
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
        opening.look(target, server);
        DatasetLoading dataset = new DatasetLoading(host, plan);
        ValuePools pools = plan.startsEmpty() ? dataset.values() : dataset.load(target, server);
        String verb = plan.writes() ? "copying " : "opening ";
        host.status(
                plan.startsEmpty() ? "creating tables" : verb + plan.source().name() + " for this run");
        Store store = opening.ownStore(target, runId);
        host.status("");
        List<ReadStore> reading = opening.on(replicas, store);
        SearchDraw draw = plan.searchDraw(pools, List.of());
        List<Bench> others = new ArrayList<>();
        for (int number = 2; number <= plan.servers(); number++) {
            others.add(opening.other(number, runId + "-" + number, draw));
        }
        return new Bench(host, plan, resources, server, target, store, reading, others, draw);
    }

    /**
     * Joins the store of a run of which this process is an injector.
     *
     * @param name of the store
     * @throws TargetException if the server cannot be reached, or has no such store
     */
    static Bench join(RunHost host, RunPlan plan, ServerAddress address, String name, Resources resources) {
        ProvidedServer server = ProvidedServer.external(address);
        Target target = resources.add(plan.choice().plugin().connect(address, Opening.options(plan, plan.sessions())));
        Store store = resources.add(target.join(DatasetLoading.key(plan, target), name));
        Opening opening = new Opening(host, plan, resources);
        List<ReadStore> reading = opening.on(opening.replicas(target, address), store);
        SearchDraw draw = plan.searchDraw(new DatasetLoading(host, plan).values(), List.of());
        return new Bench(host, plan, resources, server, target, store, reading, List.of(), draw);
    }

    /** The same for one of several runs on it, which gives back by itself what it opens. */
    Bench with(RunHost other, RunPlan again, Resources own) {
        return new Bench(other, again, own, server, target, store, reading, others, draw);
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
        return Stream.concat(Stream.of(store), others.stream().map(Bench::store))
                .toList();
    }

    /** How to find the processes of all servers. */
    DatabaseProcesses processes() {
        return DatabaseProcesses.of(
                Stream.concat(Stream.of(server), others.stream().map(Bench::server))
                        .map(one -> ServerHost.processes(one, plan.choice().plugin()))
                        .toList());
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

    /** The steps of opening, some of which other commands take as well. Used by one thread. */
    record Opening(RunHost host, RunPlan plan, Resources resources) {
        /** Of one kind, at most: more make no other classes. */
        private static final int MOST_VALUES = 100_000;
        /** How long a replica may take until it has the data set of the run. */
        private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);
        /** At a replica, beside those that search: for looking at it, for how far it is, and for the store. */
        private static final int OTHER_CONNECTIONS = 4;

        /** The server that the settings ask for, when it is ready; the resources give it back. */
        ProvidedServer server() {
            TargetPlugin plugin = plan.choice().plugin();
            Settings settings = plan.settings();
            boolean isThere = plan.choice().provision() == Provision.EXTERNAL;
            prepareCache(!isThere);
            host.status((isThere ? "connecting to " : "starting ") + plugin.id());
            return switch (plan.choice().provision()) {
                case EMBEDDED -> embedded(plan.cache());
                case EXTERNAL -> {
                    String url = settings.value(Property.URL);
                    Credentials known = settings.credentials(url);
                    yield resources.add(ProvidedServer.external(new ServerAddress(
                            url, known.user().orElse(""), known.password().orElse(""))));
                }
                case CONTAINER -> {
                    long memory = settings.value(Property.CONTAINER_MEMORY);
                    double cpus = settings.value(Property.CONTAINER_CPUS);
                    ContainerOptions options = new ContainerOptions(memory, cpus, plan.sessions(), plan.parameters());
                    yield resources
                            .add(new ServerContainer(plugin, settings.find(Property.IMAGE), options, host))
                            .start();
                }
            };
        }

        private ProvidedServer embedded(Path directory) {
            DatasetLoading.requireDisk(plan, 0);
            EmbeddedOptions options = new EmbeddedOptions(directory, plan.sessions(), plan.parameters());
            return resources.open(() -> ProvidedServer.embedded(plan.choice().plugin(), options, host));
        }

        /** Makes the directory of what is kept between runs, where nobody but its user can put anything; others do without. */
        private void prepareCache(boolean needed) {
            try {
                if (needed || Files.exists(plan.cache(), LinkOption.NOFOLLOW_LINKS)) {
                    Ownership.ofThisUser().makePrivate(plan.cache());
                }
            } catch (ForeignDirectoryException foreign) {
                throw plan.refusal(Property.CACHE, Reason.of(foreign));
            } catch (IOException unusable) {
                String why = "the cache directory " + plan.cache() + " cannot be used: " + Reason.of(unusable);
                plan.refuseIf(needed, Property.CACHE, why + " (choose another with -Dcache=DIR)");
            }
        }

        /** @param sessions how many connections the server must have free for what is to be done */
        Target connect(ProvidedServer server, int sessions) {
            TargetPlugin plugin = plan.choice().plugin();
            ServerAddress address = server.address();
            TargetOptions options = options(plan, sessions);
            Target target = resources.add(
                    plan.asksExisting() ? plugin.connectExisting(address, options) : plugin.connect(address, options));
            transportWarning(target.transport(), address.url(), plugin).ifPresent(host::line);
            return target;
        }

        /** @param sessions as for {@link #connect} */
        static TargetOptions options(RunPlan plan, int sessions) {
            return new TargetOptions(
                    plan.variant(), plan.searchTimeout(), MAINTENANCE_TIMEOUT, sessions, plan.parameters());
        }

        /** What people must know of a connection that others on its way could read or answer; empty where it leads to this machine. */
        static Optional<String> transportWarning(Transport transport, String url, TargetPlugin plugin) {
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

        /**
         * Looks who uses the server, and says what is about to happen there.
         *
         * @throws ConfigException if others are using it
         * @throws TargetException if there is no room for what the run stores
         */
        void look(Target target, ProvidedServer server) {
            Optional<DatasetKey> loaded =
                    plan.asksExisting() ? Optional.empty() : Optional.of(DatasetLoading.key(plan, target));
            loaded.ifPresent(key -> DatasetLoading.requireDisk(plan, DatasetLoading.bytesNeeded(plan, target, key)));
            new ForeignServerCheck(host, plan)
                    .take(target, loaded, server.address().url());
        }

        /** The run's own store, ready for what the run writes. */
        Store ownStore(Target target, String name) {
            Store store = resources.add(store(target, plan.writes(), name));
            if (plan.writes()) {
                store.makeRoom(plan.writtenTimes());
            }
            if (plan.storesTrends()) {
                store.createTrends();
            }
            return store;
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
        Bench other(int number, String name, SearchDraw draw) {
            host.status("starting " + plan.choice().plugin().id() + " " + number);
            ProvidedServer server = embedded(plan.cache().resolve("server-" + number));
            Target target = connect(server, plan.sessions());
            if (!plan.startsEmpty()) {
                new DatasetLoading(host, plan).load(target, server);
            }
            Store store = resources.add(store(target, false, name));
            host.status("");
            return bench(server, target, store, draw);
        }

        /**
         * Connects to the replicas that answer the searches, in the order of their urls; none where the run's own store does.
         *
         * @param server of the run, whose user asks them as well
         * @throws TargetException if one is no replica of the server that the target is connected to
         */
        List<Replica> replicas(Target target, ServerAddress server) {
            List<Replica> connected = new ArrayList<>();
            for (String url : plan.readUrls()) {
                ServerAddress address = new ServerAddress(url, server.user(), server.password());
                int sessions = plan.workers(connected.size()) + plan.cursors() + OTHER_CONNECTIONS;
                connected.add(resources.add(target.connectReplica(address, sessions)));
            }
            return connected;
        }

        /** Opens the store of the run on its replicas, when they have caught up; where there are none, it is searched itself. */
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

        /**
         * Opens a database that was there before the run, in which nothing is made: for the statements of a run, none of which is executed,
         * or for its searches by a layout without loading.
         *
         * @throws ConfigException if others are using the server, or something cannot be asked
         * @throws TargetException if it cannot be had, has no events, or values to ask for cannot be had
         */
        Bench existing(ProvidedServer server) {
            Target target = connect(server, plan.sessions());
            look(target, server);
            if (!plan.asksStatements()) {
                return searched(server, target);
            }
            List<StatementPlan> asked = plan.scenario().statements();
            List<Statement> statements =
                    asked.stream().map(StatementPlan::statement).toList();
            Store store = resources.add(target.openStatements(statements));
            Problems problems = new Problems();
            for (Statement statement : statements) {
                store.refusal(statement).ifPresent(why -> refuse(statement.name(), why, problems));
            }
            problems.throwIfAny();
            List<StatementPlan> answered = asked.stream()
                    .map(one -> one.answered((parameter, values) -> values(store, parameter, values)))
                    .toList();
            return bench(server, target, store, plan.searchDraw(new ValuePoolsBuilder().build(), answered));
        }

        /** One without servers or replicas beside it. */
        private Bench bench(ProvidedServer server, Target target, Store store, SearchDraw draw) {
            return new Bench(host, plan, resources, server, target, store, ReadStore.alone(store), List.of(), draw);
        }

        /** Nobody writes into a recording: what cannot be asked of one is left out. */
        private void refuse(SearchName statement, String why, Problems problems) {
            boolean replays = plan.scenario().replays();
            String place = replays ? "replay.recording" : "statements." + statement.name() + ".sql";
            String wayOut = replays ? " (leave it out of the replay by without: [" + statement.name() + "])" : "";
            problems.add(plan.resolved().origin(place), statement.name() + ": " + why + wayOut);
        }

        private StatementValues values(Store store, String parameter, StatementValues.Asked asked) {
            host.status("asking for the values of " + parameter);
            List<String> values = store.values(asked.query(), StatementValues.Asked.MOST + 1);
            host.status("");
            if (values.isEmpty()) {
                throw new TargetException(
                        "the query for the values of " + parameter + " gives no row: " + asked.query());
            }
            boolean more = values.size() > StatementValues.Asked.MOST;
            List<String> taken = more ? values.subList(0, StatementValues.Asked.MOST) : values;
            String cut = more ? ", the first of the query's (ORDER BY random() LIMIT ... would take others)" : "";
            long different = taken.stream().distinct().count();
            host.line(String.format(
                    Locale.ROOT,
                    "values of %s: %,d, of which %,d are different%s",
                    parameter,
                    taken.size(),
                    different,
                    cut));
            return new StatementValues.Listed(taken);
        }

        private Bench searched(ProvidedServer server, Target target) {
            Store store = resources.add(target.openEvents());
            host.status("looking when the events were");
            Store.Span span = store.span();
            host.status("asking for the values to search for");
            ExistingValues values = new ExistingValues(store.values(MOST_VALUES));
            host.status("");
            // A clock that is ahead must not decide where windows of searches end.
            Instant now = Instant.now();
            Instant oldest = span.oldest();
            boolean ahead = span.newest().isAfter(now.plus(Duration.ofDays(1))) && oldest.isBefore(now);
            Instant newest = ahead ? now : span.newest();
            String future = "some events have a time in the future, up to " + span.newest();
            List<String> notes = ahead ? List.of(future + ": windows of searches end now") : List.of();
            host.line(String.format(Locale.ROOT, "%,d events from %s to %s", span.events(), oldest, newest));
            notes.forEach(host::line);
            values.counts().forEach((field, count) -> {
                String cut = count < MOST_VALUES ? "" : ", the first of the query's (its ORDER BY decides which)";
                host.line(String.format(Locale.ROOT, "values of %s: %,d%s", field.label(), count, cut));
            });
            Problems problems = new Problems();
            for (String name : plan.searches()) {
                SearchDefinition search = plan.resolved().catalog().get(new SearchName(name));
                String missing = Stream.of(CriterionKey.values())
                        .filter(search::draws)
                        .flatMap(key -> missing(search, key, values).stream())
                        .distinct()
                        .collect(Collectors.joining(", "));
                if (!missing.isEmpty()) {
                    String why = name + " looks for values that the layout "
                            + plan.variant().layout() + " has no query for in its block values: " + missing
                            + " (write them, or leave the search out)";
                    problems.add(plan.settings().origin(Property.LAYOUT), why);
                }
            }
            problems.throwIfAny();
            RunPlan known = plan.on(ExistingData.of(span.events(), oldest, newest, notes));
            return new Opening(host, known, resources)
                    .bench(server, target, store, known.searchDraw(values.pools(), List.of()));
        }

        /** The query or column that a search draws from, as {@link SearchDraw} does, where it gave nothing, for people. */
        private static Optional<String> missing(SearchDefinition search, CriterionKey key, ExistingValues values) {
            boolean either = search.side() == EventSide.EITHER;
            boolean source = search.side() == EventSide.SOURCE;
            boolean byAddress = either && (search.draws(CriterionKey.ADDRESS) || search.draws(CriterionKey.ADDRESSES));
            boolean byRange = either && search.draws(CriterionKey.RANGE);
            boolean byService = either && search.draws(CriterionKey.SERVICE);
            boolean byDetector = either && search.draws(CriterionKey.DETECTOR);
            ValueField field = switch (key) {
                case ADDRESS, ADDRESSES, RANGE ->
                    either ? ValueField.ADDRESS : source ? ValueField.SOURCE : ValueField.TARGET;
                case SERVICE -> ValueField.PORT;
                case PORT -> either ? ValueField.PORT : source ? ValueField.SOURCE_PORT : ValueField.TARGET_PORT;
                case CATEGORY, DETECTOR, ID, TEXT, DESCRIPTION -> ValueField.valueOf(key.name());
            };
            // Together with which other value it must have occurred.
            ValueField beside = switch (key) {
                case SERVICE -> ValueField.ADDRESS;
                case PORT -> byAddress || byService ? ValueField.ADDRESS : field;
                case CATEGORY -> byAddress || byRange ? ValueField.ADDRESS : byDetector ? ValueField.DETECTOR : field;
                case DETECTOR -> byAddress ? ValueField.ADDRESS : field;
                case ADDRESS, ADDRESSES, RANGE, ID, TEXT, DESCRIPTION -> field;
            };
            if (!values.has(beside)) {
                return Optional.of(beside.label());
            }
            return beside == field || values.has(/* field= */ beside, /* beside= */ field)
                    ? Optional.empty()
                    : Optional.of("the column " + field.label() + " of " + beside.label());
        }

        /**
         * Looks whether the layout has what a run will ask. Who narrows a search by a row that was seen must be able to read it.
         *
         * @param searches several of each kind
         * @throws ConfigException with each search that it lacks something for, and what
         */
        static void requireAnswerable(RunPlan plan, Store store, Map<SearchKey, List<Search>> searches) {
            Problems problems = new Problems();
            String layout = plan.variant().layout();
            plan.choice()
                    .missingBlocks()
                    .ifPresent(missing -> searches.forEach((kind, some) -> some.stream()
                            .flatMap(search -> missing.apply(search, kind.page()).stream())
                            .findFirst()
                            .ifPresent(block -> problems.add(
                                    plan.settings().origin(Property.LAYOUT),
                                    kind.label() + " cannot be asked by the layout " + layout + ": it has no block "
                                            + block + " (write it, or leave the search out)"))));
            problems.throwIfAny();
            if (plan.scenario().analysts().stream()
                    .noneMatch(group -> group.searched().followUpRatio() > 0)) {
                return;
            }
            Window all = new Window(plan.source().first(), plan.source().until());
            Page first = new Page.Numbered(1, 1);
            Search newest = new Search(new SearchName("MENTAT"), all, List.of(), Order.NEWEST_FIRST, first);
            List<byte[]> rows = new ArrayList<>();
            try (SearchSession session = store.openSession()) {
                session.search(newest, row -> rows.add(row.idea()));
            }
            try {
                rows.forEach(new IdeaReader()::read);
            } catch (EventFormatException wrong) {
                throw new ConfigException(
                        plan.resolved().origin(path -> path.endsWith(".followUp")),
                        "rows of the layout " + layout
                                + " are no IDEA events, from which users could go on to another search: "
                                + wrong.getMessage()
                                + " (leave followUp out, or have the layout give ID, DetectTime, Category and what else there is)");
            }
        }
    }
}
