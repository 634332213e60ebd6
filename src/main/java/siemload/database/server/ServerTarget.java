package siemload.database.server;

import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import siemload.database.Store;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.DatasetKey;
import siemload.database.Store.StoreKind;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.database.registry.Registry;
import siemload.database.registry.Registry.Claim;
import siemload.database.registry.Registry.Entry;
import siemload.database.registry.Registry.Entry.Purpose;
import siemload.database.server.EventTables.TableContents;
import siemload.database.server.ServerStore.RunCopy;

/**
 * A target on a server on which each data set and each run has tables of its own. Whatever is made is claimed before and
 * given up where making it fails; what killed runs left is dropped before anything is made and after a run. A database says what
 * differs: every such call blocks, is made by any thread, and throws a {@link TargetException} where the server cannot be asked or
 * refuses.
 */
public abstract class ServerTarget implements Target {
    /** As many characters as any of these servers takes. */
    private static final int LONGEST_NAME = 63;

    private Optional<Registry> registry = Optional.empty();

    /** What it is and where, for messages: its name, {@code at}, host, port and database. */
    protected abstract String place();

    /** Where it keeps the registry, and what is written there; nothing is made on the server before the first entry is added. */
    protected abstract Registry.Server home();

    /**
     * A name from {@link Registry#name} for tables that are to be made.
     *
     * @param fingerprint of the data set in them; empty for the empty tables of a run
     * @param runId whose they are; empty for a data set on its way in
     */
    protected String newName(Purpose purpose, String fingerprint, String runId) {
        return purpose == Purpose.RUN || purpose == Purpose.READING
                ? Registry.name("siemload_run_", runId.toLowerCase(Locale.ROOT), LONGEST_NAME)
                : Registry.name("siemload_data_", fingerprint, LONGEST_NAME);
    }

    /** The tables of this name, whether they are there or not. */
    protected abstract EventTables tables(String name);

    /** Opens the copy of a run. Closing the store closes the copy. */
    protected abstract Store openStore(RunCopy copy);

    /** Gives back what connecting opened. */
    protected abstract void disconnect();

    /** What lies on this server, whosever process has made it. */
    protected final synchronized Registry registry() {
        Registry known = registry.orElseGet(() -> new Registry(home()));
        registry = Optional.of(known);
        return known;
    }

    @Override
    public final boolean holds(DatasetKey key) {
        return registry().kept(key.fingerprint()).isPresent();
    }

    @Override
    public final void discard(DatasetKey key) {
        registry().discard(key.fingerprint());
    }

    @Override
    public final void load(DatasetKey key, Consumer<BulkLoad> events, Consumer<String> step) {
        String label = "the data set '" + key.label() + "'";
        Claim unusedClaim = made(Purpose.LOADING, key.fingerprint(), "", key.label(), "", (claim, tables) -> {
            try (BulkLoad load = tables.createLoading(claim, label)) {
                events.accept(load);
                long unused = load.store();
            }
            tables.complete(step);
            step.accept("count");
            TableContents stored = tables.contents();
            if (stored.events() != key.events()) {
                throw new TargetException(label + " has " + key.events() + " events, but " + stored.events()
                        + " are in " + tables.place() + " after the load");
            }
            step.accept("keep");
            tables.lock();
            if (!claim.keep(stored.summary(), stored.events())) {
                claim.close(); // Another process was faster: its data set is the one that all find.
            }
            return claim;
        });
    }

    @Override
    public final Store copy(DatasetKey key, String runId) {
        Entry kept = kept(key);
        String label = "run " + runId + " on " + kept.label();
        return made(Purpose.RUN, kept.fingerprint(), runId, label, "", (claim, tables) -> {
            tables.copyFrom(kept.name(), claim);
            requireWhole(kept, tables.contents());
            tables.completeCopy();
            return open(owned(StoreKind.COPY, claim.name(), claim, tables));
        });
    }

    private RunCopy owned(StoreKind kind, String name, Claim claim, EventTables tables) {
        Runnable release = () -> {
            claim.close();
            registry().sweep();
        };
        return new RunCopy(kind, name, Optional.of(tables), false, release, Canceller.watchers());
    }

    private Entry kept(DatasetKey key) {
        return registry()
                .kept(key.fingerprint())
                .orElseThrow(() -> new TargetException(
                        "the data set '" + key.label() + "' is not loaded into " + place() + "; load it first"));
    }

    @Override
    public final boolean readsInPlace(DatasetKey key) {
        return tables(key.fingerprint()).areReadInPlace();
    }

    /** It is claimed before its entry is looked up once more: whoever discards it removes that first, and then sees the claim. */
    @Override
    public final Store read(DatasetKey key, String runId) {
        Entry kept = kept(key);
        EventTables tables = tables(kept.name());
        return !tables.areReadInPlace()
                ? copy(key, runId)
                : made(Purpose.READING, key.fingerprint(), runId, "run " + runId, kept.name(), (claim, unused) -> {
                    if (!kept(key).name().equals(kept.name())) {
                        throw new TargetException(
                                "the data set '" + key.label() + "' was loaded anew meanwhile; start again");
                    }
                    requireWhole(kept, tables.contents());
                    return open(owned(StoreKind.DATA_SET, kept.name(), claim, tables));
                });
    }

    @Override
    public final Store join(DatasetKey key, String name) {
        String[] given = name.split(ServerStore.KIND_END, 2);
        EventTables tables = tables(given[1]);
        StoreKind kind = StoreKind.valueOf(given[0]);
        return open(new RunCopy(kind, given[1], Optional.of(tables), true, () -> {}, Canceller.watchers()));
    }

    @Override
    public final Store emptyStore(String runId) {
        return made(Purpose.RUN, "", runId, "run " + runId, "", (claim, tables) -> {
            tables.create(claim);
            return open(owned(StoreKind.EMPTY, claim.name(), claim, tables));
        });
    }

    @Override
    public final void close() {
        synchronized (this) {
            registry.ifPresent(Registry::close);
        }
        disconnect();
    }

    /** Makes tables that are claimed, and are dropped again if that fails. */
    private <T> T made(
            Purpose purpose,
            String fingerprint,
            String runId,
            String label,
            String identity,
            BiFunction<Claim, EventTables, T> making) {
        registry().sweep();
        String name = newName(purpose, fingerprint, runId);
        Claim claim = registry().claim(purpose, name, fingerprint, label, identity);
        try {
            return making.apply(claim, tables(name));
        } catch (RuntimeException | Error failure) {
            try {
                claim.close();
            } catch (TargetException unreachable) {
                failure.addSuppressed(unreachable); // Some later run drops it.
            }
            throw failure;
        }
    }

    /** A server or a disk that lost rows gives fewer events, and nobody would notice before an answer is checked. */
    private void requireWhole(Entry kept, TableContents now) {
        if (!now.summary().equals(kept.contents())) {
            throw new TargetException("the data set '" + kept.label() + "' that is kept in "
                    + tables(kept.name()).place() + " is damaged: it held " + kept.contents()
                    + " when it was loaded, and now " + now.summary()
                    + " (look for errors of the disk; -Dreload=true loads it anew)");
        }
    }

    private Store open(RunCopy copy) {
        try {
            return openStore(copy);
        } catch (TargetException e) {
            copy.close();
            throw e;
        }
    }
}
