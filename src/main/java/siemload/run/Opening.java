package siemload.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.config.ConfigException;
import siemload.config.Credentials;
import siemload.config.DaemonThread;
import siemload.config.Durations;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.RegularFile;
import siemload.config.Settings;
import siemload.config.Sha256;
import siemload.config.directory.Ownership;
import siemload.config.directory.Ownership.ForeignDirectory;
import siemload.database.Partitions;
import siemload.database.Provision;
import siemload.database.SearchSession;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Target;
import siemload.database.Target.Replica;
import siemload.database.Target.ServerUse;
import siemload.database.Target.TargetOptions;
import siemload.database.Target.Transport;
import siemload.database.Target.Transport.Security;
import siemload.database.TargetException;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.ContainerServer.ContainerOptions;
import siemload.database.TargetPlugin.EmbeddedServer.EmbeddedOptions;
import siemload.database.Variant;
import siemload.database.provision.ProvidedServer;
import siemload.database.provision.ProvidedServer.ServerContainer;
import siemload.dataset.EventSource;
import siemload.dataset.ExistingData;
import siemload.dataset.ValuePools;
import siemload.event.EventFormatException;
import siemload.event.IdeaReader;
import siemload.measure.monitor.DatabaseProcesses;
import siemload.query.CountedValue;
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
import siemload.results.ResultText.WholeFile;
import siemload.results.SearchKey;
import siemload.run.LoadRun.ReadRouting.ReadStore;
import siemload.run.RunHost.ProgressBar;
import siemload.scenario.SearchDraw;
import siemload.scenario.StatementPlan;
import siemload.scenario.StatementPlan.Values;

/**
 * The steps of opening a {@link Bench}, some of which other commands use as well. On servers that siemload did not start, the user is told
 * in advance what will be written. A run that would fill the disk or disturb other users does not begin. Used by one thread.
 */
record Opening(RunHost host, RunPlan plan, Resources resources) {
    /** The maximum number of values of one field: more values would not change the classes of popularity. */
    private static final int MOST_VALUES = 100_000;
    /** The longest time that a replica may take until it has the data set of the run. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);
    /** Connections to a replica in addition to those that search: to check it, to read its position, and for the store. */
    private static final int OTHER_CONNECTIONS = 4;
    /** The maximum number of other users of a server that a message names. */
    private static final int SHOWN = 5;

    private static final long MEGABYTE = 1 << 20;
    /** This version is increased when a target stores or sums up the same events in another way than before. */
    private static final int STORAGE_VERSION = 3;
    /** The number of events that are loaded at once. */
    private static final int BATCH = 1_000;
    /** Space for the server's own files, its write-ahead log and the fed events. */
    private static final long RESERVE_BYTES = 512 * MEGABYTE;

    /** How many characters of a writing statement are shown. */
    private static final int SHOWN_CHARACTERS = 100;
    /** The mark after a url at which the user has allowed siemload to write into existing data. */
    private static final String WRITING = " (writing)";

    private TargetPlugin plugin() {
        return plan.choice().plugin();
    }

    /** Opens the server that the settings ask for, and waits until it is ready; the resources release it. */
    ProvidedServer server() {
        Settings settings = plan.settings();
        boolean isThere = plan.choice().provision() == Provision.EXTERNAL;
        prepareCache(!isThere);
        host.status((isThere ? "connecting to " : "starting ") + plugin().id());
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
                        .add(new ServerContainer(plugin(), settings.find(Property.IMAGE), options, host))
                        .start();
            }
        };
    }

    private ProvidedServer embedded(Path directory) {
        requireDisk(0);
        EmbeddedOptions options = new EmbeddedOptions(directory, plan.sessions(), plan.parameters());
        return resources.open(() -> ProvidedServer.embedded(plugin(), options, host));
    }

    /** Creates the cache directory, where only its user can write; runs that do not need the directory go on if it is unusable. */
    private void prepareCache(boolean needed) {
        try {
            if (needed || Files.exists(plan.cache(), LinkOption.NOFOLLOW_LINKS)) {
                Ownership.ofThisUser().makePrivate(plan.cache());
            }
        } catch (ForeignDirectory foreign) {
            throw plan.refusal(Property.CACHE, RegularFile.reason(foreign));
        } catch (IOException unusable) {
            String why = "the cache directory " + plan.cache() + " cannot be used: " + RegularFile.reason(unusable);
            plan.refuseIf(needed, Property.CACHE, why + " (choose another with -Dcache=DIR)");
        }
    }

    /**
     * Connects to a server, checks who uses it, and tells the user what will happen there.
     *
     * @param sessions how many free connections the server must have
     * @throws ConfigException if others are using the server
     * @throws TargetException if the server is not available, or has no space for the run's data
     */
    Target connect(ProvidedServer server, int sessions) {
        Target target = connected(server, sessions);
        Optional<DatasetKey> loaded = plan.asksExisting() ? Optional.empty() : Optional.of(key(target));
        loaded.ifPresent(key -> requireDisk(bytesNeeded(target, key)));
        look(target, loaded, server.address().url());
        return target;
    }

    private Target connected(ProvidedServer server, int sessions) {
        ServerAddress address = server.address();
        TargetOptions options = options(plan, sessions);
        Target target = resources.add(
                plan.asksExisting() ? plugin().connectExisting(address, options) : plugin().connect(address, options));
        transportWarning(target.transport(), address.url(), plugin()).ifPresent(host::line);
        return target;
    }

    /** @param sessions how many free connections the server must have */
    static TargetOptions options(RunPlan plan, int sessions) {
        return new TargetOptions(plan.variant(), plan.searchTimeout(), sessions, plan.parameters());
    }

    /** Returns a warning about a connection that others on the network could read or answer; empty for a safe connection. */
    static Optional<String> transportWarning(Transport transport, String url, TargetPlugin plugin) {
        if (!transport.isOpenToOthers() || isHere(url, plugin)) {
            return Optional.empty();
        }
        String what = transport.security() == Security.NONE
                ? "is not encrypted: others on the network can read events and searches and change answers"
                : "is encrypted, but the server was not verified: somebody on the network can take its place";
        return Optional.of("warning: the connection to this server on another host " + what + " (give "
                + plugin.product().howToVerify() + "; docs/security.md says more)");
    }

    /** Finds the processes of a server. */
    static DatabaseProcesses processes(ProvidedServer server, TargetPlugin plugin) {
        if (server.server().process().isPresent()) {
            return DatabaseProcesses.descendingFrom(server.server()::process);
        }
        List<String> names = plugin.product().processNames();
        if (names.isEmpty()) {
            return DatabaseProcesses.HERE;
        }
        return isHere(server.address().url(), plugin) ? DatabaseProcesses.named(names) : DatabaseProcesses.ELSEWHERE;
    }

    /** Returns whether a url leads to this machine. */
    private static boolean isHere(String url, TargetPlugin plugin) {
        return plugin.host(url)
                .filter(host -> {
                    try {
                        InetAddress address = InetAddress.getByName(host.replaceAll("[\\[\\]]", ""));
                        return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
                    } catch (IOException unknown) {
                        return false;
                    }
                })
                .isPresent();
    }

    // ---- a server that siemload did not start

    /**
     * Checks a server that siemload did not start, and tells the user what will happen there.
     *
     * @param loaded the key of the data set that is loaded there; empty for existing data, where nothing is created
     * @throws ConfigException if others are using the server, or the user has not allowed its use yet
     * @throws TargetException if the data set does not fit
     */
    void look(Target target, Optional<DatasetKey> loaded, String url) {
        if (plan.choice().provision() != Provision.EXTERNAL) {
            return;
        }
        host.status("checking who uses the server");
        Optional<ServerUse> use = target.use();
        host.status("");
        if (loaded.isEmpty()) {
            sayWhatIsAsked(url);
        } else if (use.isPresent()) {
            sayWhatIsMade(target, loaded.orElseThrow(), use.orElseThrow());
        } else {
            return;
        }
        Problems problems = new Problems();
        use.ifPresent(seen -> requireQuiet(seen, problems));
        boolean writes = loaded.isEmpty() && !plan.scenario().writing().isEmpty();
        requireConsent(url, writes ? WRITING : "", problems);
        for (String replica : plan.readUrls()) {
            host.line("siemload only searches on this replica, and creates nothing: " + replica);
            requireConsent(replica, "", problems);
        }
        problems.throwIfAny();
    }

    private void sayWhatIsMade(Target target, DatasetKey key, ServerUse use) {
        long needed = bytesNeeded(target, key) / MEGABYTE;
        OptionalLong free = use.freeBytes();
        String room = free.isPresent() ? megabytes(free.getAsLong() / MEGABYTE) : "unknown";
        String what = plan.bytesOfSetup().isPresent() ? "the tables of the scenario" : "the events of the run";
        host.line("siemload did not start this server. It creates the following there, and touches nothing else:");
        use.makes().forEach(thing -> host.line("  " + thing));
        host.line("  " + what + ": about " + megabytes(needed) + "; free: " + room);
        if (free.isPresent() && free.getAsLong() / MEGABYTE < needed) {
            throw new TargetException("the server has " + room + " free, but this run needs about " + megabytes(needed)
                    + " there (take a smaller data set, or make room)");
        }
    }

    private static String megabytes(long count) {
        return String.format(Locale.ROOT, "%,d MB", count);
    }

    /** Prints what is executed on the server, what is written there, and how many searches or statements run at a time. */
    private void sayWhatIsAsked(String url) {
        List<Statement> statements = plan.scenario().statements().stream()
                .map(StatementPlan::statement)
                .toList();
        boolean writes = !plan.scenario().writing().isEmpty();
        host.line("siemload did not start this server. At " + url + " it creates nothing"
                + (writes ? ", but IT WRITES, and its changes stay:" : " and writes nothing. It runs:"));
        if (writes) {
            statements.stream().filter(Statement::writes).forEach(statement -> {
                String text = statement
                        .text()
                        .written()
                        .replaceAll("[\\s\\p{Cntrl}]+", " ")
                        .strip();
                boolean isLong = text.length() > SHOWN_CHARACTERS;
                String shown = isLong ? text.substring(0, SHOWN_CHARACTERS) + "..." : text;
                host.line("  " + statement.name().name() + ": " + shown);
            });
            host.line("It runs:");
        }
        Stream<String> asked = plan.asksStatements()
                ? statements.stream().map(statement -> statement.name().name())
                : plan.searches().stream();
        host.line("  " + asked.collect(Collectors.joining(", ")));
        boolean inTransactions = plugin().offers(TargetPlugin.Offer.STATEMENTS);
        String kept = inTransactions ? "in a read-only transaction" : "as a search, which cannot write";
        host.line(String.format(
                Locale.ROOT,
                "  at most %,d at a time, each on its own connection, %s, given up after %s",
                plan.workers(),
                writes ? "in its own transaction, read-only unless the statement is listed above" : kept,
                Durations.format(plan.searchTimeout())));
    }

    private void requireQuiet(ServerUse use, Problems problems) {
        String load = String.format(
                Locale.ROOT, "%.1f of their sessions at work, %.0f operations/s", use.working(), use.perSecond());
        String who = use.others().isEmpty() ? "nobody else is connected" : ServerUse.first(use.others(), SHOWN);
        String gaps = use.gaps().isEmpty() ? "" : "; not visible to this user: " + String.join(", ", use.gaps());
        host.line("  other users: " + who + "; " + load + gaps);
        if (use.isBusy() && !plan.settings().value(Property.ALLOW_BUSY_SERVER)) {
            String why = "others are using this server: " + load + ". A run would"
                    + " slow them down, and they would distort its numbers (choose another server or another time,"
                    + " or set -DallowBusyServer=true)";
            problems.add(plan.settings().origin(Property.URL), why);
        }
    }

    /**
     * Makes the user confirm a new url before anything happens there: it may be mistyped, or from somebody else's settings. Allowed urls
     * are in a file of the cache: a line for each user and url, without passwords.
     *
     * @param more the mark for writing, or empty: a user who has allowed reading at this url may not want to write
     */
    private void requireConsent(String url, String more, Problems problems) {
        Path file = plan.cache().resolve("known-servers.txt");
        String known = plan.settings().credentials().user().orElse("") + " " + url + more;
        try {
            if (Files.exists(file) && Files.readAllLines(file).contains(known)) {
                return;
            }
            if (!plan.settings().value(Property.YES)) {
                String why = "siemload has not " + (more.isEmpty() ? "run on" : "written on")
                        + " this server before (what it will do is listed above; to go ahead, add -Dyes=true: later runs do not need it)";
                problems.add(plan.settings().origin(Property.URL), why);
            } else if (problems.isEmpty()) {
                Files.createDirectories(file.getParent());
                Files.write(file, List.of(known), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            }
        } catch (IOException unusable) {
            throw new UncheckedIOException("cannot be read or written: " + file, unusable);
        }
    }

    // ---- the data set, and the run's own store of it

    /** Names the loaded data set so that equal names mean equal contents. */
    DatasetKey key(Target target) {
        Variant variant = plan.variant();
        Partitions partitions = variant.partitions();
        String storage = variant.layout() + (partitions == Partitions.NONE ? "" : " by " + partitions.label());
        String database = plugin().id() + " " + target.version();
        String label = String.join(
                ", ", plan.source().name(), storage, variant.indexes().label(), database);
        String all = String.join("\n", label, plan.source().fingerprint(), String.valueOf(STORAGE_VERSION));
        return new DatasetKey(Sha256.fingerprint(all), label, plan.source().count());
    }

    /**
     * Loads the data set if it is not loaded yet, or is to be reloaded. The values to search for are collected while the server makes
     * indexes and statistics, so that the load has all processors for itself.
     *
     * @throws TargetException if it cannot be loaded
     */
    ValuePools load(Target target) {
        EventSource source = plan.source();
        DatasetKey key = key(target);
        boolean reloads = plan.settings().value(Property.RELOAD);
        if (reloads) {
            target.discard(key);
        }
        if (target.holds(key)) {
            return values();
        }
        CompletableFuture<ValuePools> values = new CompletableFuture<>();
        AtomicLong bytes = new AtomicLong();
        AtomicLong storedNanos = new AtomicLong();
        long startNanos = System.nanoTime();
        try (ProgressBar bar = new ProgressBar(host, "loading " + source.name(), source.count(), "events")) {
            target.load(
                    key,
                    load -> {
                        source.read(BATCH, load::prepare, prepared -> {
                            prepared.write();
                            bar.advance(prepared.events().size());
                        });
                        host.status(source.name() + ": storing the last events");
                        bytes.set(load.store());
                        storedNanos.set(System.nanoTime());
                        values.completeAsync(
                                () -> reloads
                                        ? counted(unused -> {})
                                        : keptValues().orElseGet(() -> counted(unused -> {})),
                                task -> DaemonThread.start("siemload-values", task));
                    },
                    step -> host.status(source.name() + ": " + step));
        }
        double storing = (storedNanos.get() - startNanos) / 1e9;
        boolean contained = plan.choice().provision() == Provision.CONTAINER;
        host.line(String.format(
                Locale.ROOT,
                "loaded %s: %,d events stored in %.1f s (%,.0f events/s, %,.0f KB/s), indexes and statistics in %.1f s; kept %s",
                source.name(),
                source.count(),
                storing,
                source.count() / storing,
                bytes.get() / storing / 1000,
                (System.nanoTime() - storedNanos.get()) / 1e9,
                contained ? "as long as the container" : "for later runs"));
        host.status(source.name() + ": collecting the values to search for");
        ValuePools counted = DaemonThread.await(values);
        host.status("");
        return counted;
    }

    /**
     * Estimates the bytes that a run stores on its server: the tables of its procedure, or the data set. The data set counts once if it is
     * loaded, and once more if the run stores a copy or events of its own.
     */
    private long bytesNeeded(Target target, DatasetKey key) {
        boolean loads = !plan.startsEmpty() && !target.holds(key);
        boolean own = plan.writes() || !target.readsInPlace(key);
        long events = plan.servers() * plan.source().count() * ((loads ? 1 : 0) + (own ? 1 : 0));
        return plan.bytesOfSetup().orElse(events * plugin().abilities().bytesPerEvent());
    }

    /**
     * Refuses data that do not fit on the disk of an embedded server; other disks are not checked.
     *
     * @throws TargetException if there is too little space, including the server's own files, its log and the fed events
     */
    private void requireDisk(long bytes) {
        if (plan.choice().provision() != Provision.EMBEDDED) {
            return;
        }
        try {
            long free = Files.getFileStore(plan.cache()).getUsableSpace();
            long needed = bytes + RESERVE_BYTES;
            if (free < needed) {
                throw new TargetException(plan.cache() + ": " + megabytes(free / MEGABYTE)
                        + " free, but this run needs about " + megabytes(needed / MEGABYTE)
                        + " (choose another disk with -Dcache=DIR, a smaller data set, or a smaller scale)");
            }
        } catch (IOException unusable) {
            String why = "the free space of " + plan.cache() + " is unknown: " + RegularFile.reason(unusable);
            throw new TargetException(why + " (choose another with -Dcache=DIR)", unusable);
        }
    }

    /** Returns the values to search for, without loading anything. */
    ValuePools values() {
        EventSource source = plan.source();
        return keptValues().orElseGet(() -> {
            try (ProgressBar bar = new ProgressBar(host, "reading " + source.name(), source.count(), "events")) {
                return counted(bar::advance);
            }
        });
    }

    /** Counts the values of all events, and keeps them. */
    private ValuePools counted(LongConsumer progress) {
        ValuePools.Builder values = new ValuePools.Builder();
        plan.source().read(BATCH, events -> {
            values.add(events);
            progress.accept(events.size());
        });
        return keep(values.build());
    }

    private Path valuesFile() {
        return plan.cache().resolve("values/" + plan.source().fingerprint() + ".json");
    }

    /** Returns the values kept next to the loaded data sets; empty if the file is missing, damaged or of another version. */
    private Optional<ValuePools> keptValues() {
        try {
            return Optional.of(ValuePools.fromJson(Files.readString(valuesFile())));
        } catch (IOException | IllegalArgumentException unusable) {
            return Optional.empty();
        }
    }

    /** Keeps the values, so that a second run need not read all events again; values that cannot be kept are collected again. */
    private ValuePools keep(ValuePools values) {
        try {
            Ownership.ofThisUser().makePrivate(plan.cache().resolve("values"));
            WholeFile.write(valuesFile(), values.toJson());
        } catch (IOException notKept) {
            System.getLogger(Opening.class.getName()).log(System.Logger.Level.DEBUG, "values not kept", notKept);
        }
        return values;
    }

    /** Opens the run's own store, on a server that has the data set. */
    Store store(Target target, boolean writes, String name) {
        if (plan.startsEmpty()) {
            return resources.add(target.emptyStore(name));
        }
        DatasetKey key = key(target);
        return resources.add(writes ? target.copy(key, name) : target.read(key, name));
    }

    /** Starts another embedded server in a directory of its own, and loads the data set unless the procedure begins without it. */
    Bench other(int number, String name, SearchDraw draw) {
        host.status("starting " + plugin().id() + " " + number);
        ProvidedServer server = embedded(plan.cache().resolve("server-" + number));
        Target target = connected(server, plan.sessions());
        if (!plan.startsEmpty()) {
            var unused = load(target);
        }
        return bench(server, target, store(target, false, name), draw);
    }

    /** Returns a bench without further servers or replicas. */
    private Bench bench(ProvidedServer server, Target target, Store store, SearchDraw draw) {
        return new Bench(host, plan, resources, server, target, store, on(List.of(), store), List.of(), draw);
    }

    /**
     * Connects to the replicas that answer the searches, in the order of their urls; there are none if the run's own store answers them.
     *
     * @param server the run's server, whose user and password also apply to the replicas
     * @throws TargetException if one of the servers is not a replica of the connected server
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

    /** Opens the store of the run on its replicas, once they have caught up; without replicas the store itself is searched. */
    List<ReadStore> on(List<Replica> replicas, Store store) {
        List<ReadStore> stores = new ArrayList<>();
        for (Replica replica : replicas) {
            host.status("waiting for " + replica.place());
            replica.awaitCaughtUp(LONGEST_WAIT);
            stores.add(new ReadStore(resources.add(replica.open(store.nameToJoin())), Optional.of(replica)));
        }
        return stores.isEmpty() ? List.of(new ReadStore(store, Optional.empty())) : stores;
    }

    // ---- existing data

    /**
     * Opens an existing database, in which nothing is created. It serves the statements of a run, which are only checked here, or searches
     * with a layout that has {@code loading: none}.
     *
     * @throws ConfigException if others are using the server, or a statement cannot be executed
     * @throws TargetException if the database is not available, has no events, or no values to search for
     */
    Bench existing(ProvidedServer server) {
        Target target = connect(server, plan.sessions());
        if (!plan.asksStatements()) {
            return searched(server, target);
        }
        List<StatementPlan> asked = plan.scenario().statements();
        List<Statement> statements =
                asked.stream().map(StatementPlan::statement).toList();
        Store store = resources.add(target.openStatements(statements));
        Problems problems = new Problems();
        boolean replays = plan.scenario().replays();
        for (Statement statement : statements) {
            // As users do not edit recordings, the message says how to leave out a refused statement.
            String name = statement.name().name();
            String wayOut = replays ? " (remove it from the replay: without: [" + name + "])" : "";
            store.refusal(statement)
                    .ifPresent(why -> problems.add(
                            plan.scenario()
                                    .origin(Predicate.isEqual(
                                            replays ? "replay.recording" : "statements." + name + ".sql")),
                            name + ": " + why + wayOut));
        }
        problems.throwIfAny();
        List<StatementPlan> answered = asked.stream()
                .map(one -> one.answered((parameter, values) -> values(store, parameter, values)))
                .toList();
        return bench(server, target, store, plan.searchDraw(new ValuePools.Builder().build(), answered));
    }

    private Values values(Store store, String parameter, Values.Asked asked) {
        host.status("asking for the values of " + parameter);
        List<String> values = store.values(asked.query().written(), Values.Asked.MOST + 1);
        if (values.isEmpty()) {
            throw new TargetException("the query for the values of " + parameter + " returns no row: "
                    + asked.query().written());
        }
        List<String> taken = values.stream().limit(Values.Asked.MOST).toList();
        boolean isCut = values.size() > taken.size();
        String cut = isCut ? ", the first ones of the query (ORDER BY random() LIMIT ... would take others)" : "";
        host.line(String.format(Locale.ROOT, "values of %s: %,d%s", parameter, taken.size(), cut));
        return new Values.Listed(taken);
    }

    private Bench searched(ProvidedServer server, Target target) {
        Store store = resources.add(target.openEvents());
        host.status("reading the times of the events");
        Store.Span span = store.span();
        host.status("asking for the values to search for");
        Map<ValueField, List<CountedValue>> values = store.values(MOST_VALUES);
        // An event from a clock that is ahead must not determine where search windows end.
        Instant now = Instant.now();
        Instant oldest = span.oldest();
        boolean ahead = span.newest().isAfter(now.plus(Duration.ofDays(1))) && oldest.isBefore(now);
        Instant newest = ahead ? now : span.newest();
        List<String> notes = new ArrayList<>();
        if (ahead) {
            String future = "some events have a time in the future, up to " + span.newest();
            notes.add(future + ": search windows end at the current time");
        }
        if (span.timeless() > 0) {
            String events = "events without a time, or with an infinite one, which are in no search window: ";
            notes.add(events + String.format(Locale.ROOT, "%,d", span.timeless()));
        }
        host.line(String.format(Locale.ROOT, "%,d events from %s to %s", span.events(), oldest, newest));
        notes.forEach(host::line);
        values.forEach((field, some) -> {
            String cut = some.size() < MOST_VALUES ? "" : ", the first ones of the query (its ORDER BY decides which)";
            host.line(String.format(Locale.ROOT, "values of %s: %,d%s", field.label(), some.size(), cut));
        });
        Problems problems = new Problems();
        for (String name : plan.searches()) {
            SearchDefinition search = plan.scenario().catalog().get(new SearchName(name));
            String missing = Stream.of(CriterionKey.values())
                    .filter(search::draws)
                    .flatMap(key -> missing(search, key, values).stream())
                    .distinct()
                    .collect(Collectors.joining(", "));
            if (!missing.isEmpty()) {
                String why = name + " needs values for which the layout "
                        + plan.variant().layout() + " has no query in its block values: " + missing
                        + " (write them, or leave the search out)";
                problems.add(plan.settings().origin(Property.LAYOUT), why);
            }
        }
        problems.throwIfAny();
        RunPlan known = plan.on(ExistingData.of(span.events(), oldest, newest, notes));
        return new Opening(host, known, resources)
                .bench(server, target, store, known.searchDraw(ValuePools.ofExisting(values), List.of()));
    }

    /** Names the query or column from which a search draws its values, if that returned nothing; see {@link SearchDraw}. */
    private static Optional<String> missing(
            SearchDefinition search, CriterionKey key, Map<ValueField, List<CountedValue>> values) {
        boolean either = search.side() == EventSide.EITHER;
        boolean source = search.side() == EventSide.SOURCE;
        boolean byAddress = either && (search.draws(CriterionKey.ADDRESS) || search.draws(CriterionKey.ADDRESSES));
        ValueField field = switch (key) {
            case ADDRESS, ADDRESSES, RANGE ->
                either ? ValueField.ADDRESS : source ? ValueField.SOURCE : ValueField.TARGET;
            case SERVICE -> ValueField.PORT;
            case PORT -> either ? ValueField.PORT : source ? ValueField.SOURCE_PORT : ValueField.TARGET_PORT;
            case CATEGORY, DETECTOR, ID, TEXT, DESCRIPTION -> ValueField.valueOf(key.name());
        };
        // This is true if the value must have occurred together with an address.
        boolean withAddress = switch (key) {
            case SERVICE -> true;
            case PORT -> byAddress || (either && search.draws(CriterionKey.SERVICE));
            case CATEGORY -> byAddress || (either && search.draws(CriterionKey.RANGE));
            case DETECTOR -> byAddress;
            case ADDRESS, ADDRESSES, RANGE, ID, TEXT, DESCRIPTION -> false;
        };
        boolean withDetector = key == CriterionKey.CATEGORY && either && search.draws(CriterionKey.DETECTOR);
        ValueField beside = withAddress ? ValueField.ADDRESS : withDetector ? ValueField.DETECTOR : field;
        List<CountedValue> known = values.getOrDefault(beside, List.of());
        if (known.isEmpty()) {
            return Optional.of(beside.label());
        }
        return beside == field
                        || known.stream().anyMatch(value -> value.beside().containsKey(field))
                ? Optional.empty()
                : Optional.of("the column " + field.label() + " of " + beside.label());
    }

    /**
     * Checks whether the layout has everything that a run needs. If users narrow searches by a row, the row's event must be readable.
     *
     * @param searches several of each kind
     * @throws ConfigException that names each search for which a part of the layout is missing, and the missing part
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
                                kind.label() + " cannot run with the layout " + layout + ": it has no block " + block
                                        + " (write it, or leave the search out)"))));
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
            String why = "rows of the layout " + layout
                    + " are not IDEA events, which follow-up searches need: " + wrong.getMessage()
                    + " (leave followUp out, or make the layout return ID, DetectTime, Category and all other fields)";
            throw new ConfigException(plan.scenario().origin(path -> path.endsWith(".followUp")), why);
        }
    }
}
