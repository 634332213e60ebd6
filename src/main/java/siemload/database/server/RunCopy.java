package siemload.database.server;

import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Function;
import siemload.database.Store.StoreKind;
import siemload.database.TargetException;
import siemload.database.registry.Claim;
import siemload.database.registry.Registry;

/**
 * The tables that a run works on, and the threads that watch over its searches. Closing it drops the tables, unless they are a
 * kept data set, and what killed runs left behind; closing twice is harmless. Thread-safe.
 */
public final class RunCopy implements AutoCloseable {
    private static final String KIND_END = ":";

    private final StoreKind kind;
    private final boolean joined;
    private final Optional<Claim> claim;
    private final String name;
    private final EventTables tables;
    private final Registry registry;
    private final ScheduledThreadPoolExecutor watchers;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** @param name of the tables, which the claim has, too, unless they are a kept data set */
    RunCopy(StoreKind kind, Claim claim, String name, EventTables tables, Registry registry) {
        this(kind, false, Optional.of(claim), name, tables, registry);
    }

    private RunCopy(
            StoreKind kind, boolean joined, Optional<Claim> claim, String name, EventTables tables, Registry registry) {
        this.kind = kind;
        this.joined = joined;
        this.claim = claim;
        this.name = name;
        this.tables = tables;
        this.registry = registry;
        this.watchers = Canceller.watchers();
    }

    /**
     * The tables of a run that another process has made and watches over.
     *
     * @param name the {@link #nameToJoin} that it has there
     * @param tables finds tables by their name
     * @param writing claims them for as long as this process works on them, where they need that
     * @throws TargetException if it is no such name
     */
    static RunCopy joined(
            String name,
            Function<String, EventTables> tables,
            BiFunction<String, EventTables, Optional<Claim>> writing,
            Registry registry) {
        String[] kindAndName = name.split(KIND_END, 2);
        for (StoreKind kind : StoreKind.values()) {
            if (kindAndName.length == 2 && kind.name().equals(kindAndName[0])) {
                EventTables found = tables.apply(kindAndName[1]);
                return new RunCopy(kind, true, writing.apply(kindAndName[1], found), kindAndName[1], found, registry);
            }
        }
        throw new TargetException("'" + name + "' is not the name of a store that can be joined");
    }

    /** The same for tables that this process reads alone. */
    public static RunCopy joined(String name, Function<String, EventTables> tables, Registry registry) {
        return joined(name, tables, (found, unclaimed) -> Optional.empty(), registry);
    }

    /** By what other processes work on them, too. */
    String nameToJoin() {
        return kind.name() + KIND_END + name;
    }

    /** Whether another process has made them and watches over them. */
    public boolean isJoined() {
        return joined;
    }

    /** What they are. */
    public StoreKind kind() {
        return kind;
    }

    /** The name of its tables. */
    public String name() {
        return name;
    }

    /** Is told how the server tells its tables from others after more of them were made, so that they are dropped with it. */
    public void made(String identity) {
        claim.ifPresent(own -> own.made(identity));
    }

    /** Its tables as a whole. */
    public EventTables tables() {
        return tables;
    }

    /** For what must not wait for a session: requests to stop a search, and alarms at its deadline. */
    public ScheduledExecutorService watchers() {
        return watchers;
    }

    @Override
    public void close() {
        if (!closed.getAndSet(true)) {
            watchers.shutdownNow();
            claim.ifPresent(this::release);
        }
    }

    private void release(Claim own) {
        if (joined) {
            own.release();
            return;
        }
        registry.release(own);
        if (kind == StoreKind.DATA_SET && registry.readers(name).isEmpty()) {
            tables.lock();
        }
        registry.sweep();
    }
}
