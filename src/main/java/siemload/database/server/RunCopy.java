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
 * What a run works on, and the threads that watch over its searches. Closing it drops the tables of a run, and what killed runs left
 * behind; closing twice is harmless. Thread-safe.
 */
public final class RunCopy implements AutoCloseable {
    private static final String KIND_END = ":";

    private final StoreKind kind;
    private final String name;
    private final Optional<EventTables> tables;
    private final boolean joined;
    private final Runnable release;
    private final ScheduledThreadPoolExecutor watchers = Canceller.watchers();
    private final AtomicBoolean closed = new AtomicBoolean();

    private RunCopy(StoreKind kind, String name, Optional<EventTables> tables, boolean joined, Runnable release) {
        this.kind = kind;
        this.name = name;
        this.tables = tables;
        this.joined = joined;
        this.release = release;
    }

    /** @param name of the tables, which the claim has, too, unless they are a kept data set */
    static RunCopy claimed(StoreKind kind, Claim claim, String name, EventTables tables, Registry registry) {
        return new RunCopy(kind, name, Optional.of(tables), false, () -> {
            claim.close();
            if (kind == StoreKind.DATA_SET && registry.readers(name).isEmpty()) {
                tables.lock();
            }
            registry.sweep();
        });
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
            BiFunction<String, EventTables, Optional<Claim>> writing) {
        for (StoreKind kind : StoreKind.values()) {
            if (name.startsWith(kind.name() + KIND_END)) {
                String joined = name.substring(kind.name().length() + KIND_END.length());
                EventTables found = tables.apply(joined);
                Optional<Claim> claim = writing.apply(joined, found);
                return new RunCopy(kind, joined, Optional.of(found), true, () -> claim.ifPresent(Claim::close));
            }
        }
        throw new TargetException("'" + name + "' is not the name of a store that can be joined");
    }

    /** The same for tables that this process reads alone. */
    public static RunCopy joined(String name, Function<String, EventTables> tables) {
        return joined(name, tables, (found, unclaimed) -> Optional.empty());
    }

    /** What was there before, under this name. */
    public static RunCopy existing(String name) {
        return new RunCopy(StoreKind.EXISTING, name, Optional.empty(), true, () -> {});
    }

    /** By what other processes work on it, too; empty where they cannot. */
    Optional<String> nameToJoin() {
        return tables.map(joinable -> kind.name() + KIND_END + name);
    }

    /** Whether it was made by others. */
    public boolean isJoined() {
        return joined;
    }

    /** What it is. */
    public StoreKind kind() {
        return kind;
    }

    /** The name of its tables. */
    public String name() {
        return name;
    }

    /** Its tables as a whole, unless they were there before. */
    public EventTables tables() {
        return tables.orElseThrow();
    }

    /** For what must not wait for a session: requests to stop a search, and alarms at its deadline. */
    public ScheduledExecutorService watchers() {
        return watchers;
    }

    @Override
    public void close() {
        if (!closed.getAndSet(true)) {
            watchers.shutdownNow();
            release.run();
        }
    }
}
