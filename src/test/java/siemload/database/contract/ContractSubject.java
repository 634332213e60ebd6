package siemload.database.contract;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Replacing;
import siemload.database.SearchSession;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Store.PreparedEvents;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.Abilities;
import siemload.database.TargetPlugin.EmbeddedServer;
import siemload.database.TargetPlugin.EmbeddedServer.EmbeddedOptions;
import siemload.database.TargetPlugin.Offer;
import siemload.database.Variant;
import siemload.database.memory.MemoryPlugin;
import siemload.database.postgresql.PostgresqlPlugin;
import siemload.database.postgresql.PostgresqlTestServer;
import siemload.database.postgresql.ServerDirectory;
import siemload.event.SecurityEvent;
import siemload.query.Order;
import siemload.query.Paging;
import siemload.query.Search;

/**
 * The target under the contract, with an embedded server for all tests of a class, and the events of the contract loaded
 * into it and into the reference.
 */
public final class ContractSubject implements BeforeAllCallback, AfterAllCallback {
    public static final Duration TIMEOUT = Duration.ofSeconds(20);

    /** {@code -Dcontract.searches=all}, as by night: every part of the contract asks every search of every target. */
    private static final boolean ALL =
            System.getProperty("contract.searches", "").equals("all");

    private static final int STEP = 5;
    private static final int SESSIONS = 8;
    private static final String FINGERPRINT = "c0117ac8";

    private final TargetPlugin plugin;
    private final Variant variant;
    private final Set<DatasetKey> loaded = new HashSet<>();
    private final Supplier<EmbeddedServer> starting;
    private EmbeddedServer server;
    private Target target;
    private Optional<Store> shared = Optional.empty();
    private int copies;

    /** The target's own layout with these indexes, without a hint. */
    public ContractSubject(TargetPlugin plugin, IndexSet indexes) {
        this(plugin, usual(plugin, indexes));
    }

    private static Variant usual(TargetPlugin plugin, IndexSet indexes) {
        Abilities abilities = plugin.abilities();
        return new Variant(
                abilities.layouts().get(0), abilities.partitions().get(0), indexes, Hint.NONE, Paging.OFFSET);
    }

    public ContractSubject(TargetPlugin plugin, Variant variant) {
        this(
                plugin,
                variant,
                () -> plugin.startEmbedded(new EmbeddedOptions(
                        ServerDirectory.of(plugin.id()),
                        2 * SESSIONS,
                        plugin instanceof PostgresqlPlugin ? PostgresqlTestServer.UNSYNCED : Map.of())));
    }

    /**
     * With a server of the test's own.
     *
     * @param starting starts it; closing it ends what the test started
     */
    public ContractSubject(TargetPlugin plugin, Variant variant, Supplier<EmbeddedServer> starting) {
        this.plugin = plugin;
        this.variant = variant;
        this.starting = starting;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        start();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        stop();
    }

    /** Starts the server and loads the contract's events. */
    void start() {
        server = starting.get();
        target = connect(TIMEOUT);
        load(target, key(), ContractEvents.ALL);
    }

    /**
     * Another variant on the same server.
     *
     * @return a subject that the caller closes with {@link #close}
     */
    public ContractSubject sharing(Variant other) {
        ContractSubject subject = new ContractSubject(plugin, other);
        subject.server = server;
        subject.target = subject.connect(TIMEOUT);
        if (loaded.add(subject.key())) {
            load(subject.target, subject.key(), ContractEvents.ALL);
        }
        return subject;
    }

    /** Closes what {@link #sharing} opened. */
    public void close() {
        shared.ifPresent(Store::close);
        target.close();
    }

    /** Stops the server. */
    void stop() {
        if (server == null) {
            return; // The start was skipped: there is no such server here.
        }
        close();
        server.close();
    }

    /** Loads two events, whatever was loaded under this key before. */
    void loadTwoEvents(DatasetKey key) {
        target.discard(key);
        load(target, key, ContractEvents.BY_HAND.subList(0, 2));
    }

    /** Loads events, of which the second half is prepared by another thread, and before the first half. */
    public static void load(Target target, DatasetKey key, List<SecurityEvent> events) {
        target.load(
                key,
                load -> {
                    int half = events.size() / 2;
                    PreparedEvents second = CompletableFuture.supplyAsync(
                                    () -> load.prepare(events.subList(half, events.size())))
                            .join();
                    load.write(events.subList(0, half));
                    second.write();
                },
                step -> {});
    }

    public ServerAddress address() {
        return server.address();
    }

    public Target target() {
        return target;
    }

    /** Whether the target says that it offers this. */
    public boolean offers(Offer offer) {
        return plugin.offers(offer);
    }

    /** The variant of the target under test. */
    public Variant variant() {
        return variant;
    }

    /** The key of the contract's events with the layout and the indexes of the variant. */
    public DatasetKey key() {
        int stored = (variant.layout() + " " + variant.partitions().label() + " "
                        + variant.indexes().label())
                .hashCode();
        String fingerprint = String.format(Locale.ROOT, FINGERPRINT + "%08x", stored);
        return new DatasetKey(fingerprint, "contract", ContractEvents.ALL.size());
    }

    public Target connect(Duration timeout) {
        return plugin.connect(server.address(), options(timeout));
    }

    public TargetOptions options(Duration timeout) {
        return new TargetOptions(variant, timeout, SESSIONS);
    }

    /** The contract's events, for tests that write nothing: all of them have the same copy. */
    public Store events() {
        Store events = shared.orElseGet(() -> target.copy(key(), nextRunId()));
        shared = Optional.of(events);
        return Replacing.methods(
                Store.class, events, Map.of("close", Replacing.nothing(), "openSink", (store, none) -> {
                    throw new UnsupportedOperationException("other tests share this copy: nothing is written into it");
                }));
    }

    /** Asks about them over a session of its own. */
    void ask(Consumer<SearchSession> asking) {
        try (SearchSession session = events().openSession()) {
            asking.accept(session);
        }
    }

    /**
     * What those parts of the contract ask that are about something else than criteria: on PostgreSQL all searches, on other targets some,
     * since {@link SearchContract} asks each of them of every target.
     */
    List<Search> searches() {
        return ALL || plugin instanceof PostgresqlPlugin
                ? ContractSearches.inTheStudyWindow(Order.NEWEST_FIRST)
                : ContractSearches.every(STEP, Order.NEWEST_FIRST);
    }

    /** A copy of the contract's events that a test may write into; the caller closes it. */
    public Store copy() {
        return target.copy(key(), nextRunId());
    }

    /** A copy of such events in the reference, to write into. */
    static Store reference(List<SecurityEvent> events) {
        MemoryPlugin memory = new MemoryPlugin();
        TargetOptions options = new TargetOptions(usual(memory, IndexSet.NONE), TIMEOUT, SESSIONS);
        Target reference = memory.connect(new ServerAddress("", "", ""), options);
        DatasetKey key = new DatasetKey(FINGERPRINT + "00000000", "reference", events.size());
        load(reference, key, events);
        return reference.copy(key, "reference");
    }

    /** So many random events that their pages come in portions; the caller closes the copy. */
    public Store manyEvents() {
        // With their number in it: the server of the tests keeps what other versions of them have loaded.
        String many = String.format(Locale.ROOT, "c0%06x", ContractEvents.MANY);
        String fingerprint = key().fingerprint().replace(FINGERPRINT, many);
        DatasetKey key = new DatasetKey(fingerprint, "many events", ContractEvents.MANY);
        if (!target.holds(key)) {
            load(target, key, ContractEvents.random(ContractEvents.MANY));
        }
        return target.copy(key, nextRunId());
    }

    public String nextRunId() {
        copies++;
        return String.format(Locale.ROOT, "contract-%s-%d", variant.indexes().label(), copies);
    }
}
