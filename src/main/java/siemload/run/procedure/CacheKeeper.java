package siemload.run.procedure;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import siemload.database.Pause;
import siemload.database.Store;
import siemload.database.TargetException;
import siemload.database.provision.ProvidedServer;
import siemload.database.provision.ProvidedServer.Emptied;
import siemload.measure.monitor.RunMonitor;
import siemload.scenario.CacheState;

/**
 * Empties the caches of a run's server, and does not believe it: what is read first afterwards must come from outside the
 * server's cache, and where the system's cache was emptied, too, from disks. Used by one thread.
 */
public final class CacheKeeper {
    /** How long to wait until a server that was started anew takes connections. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private static final int MILLIS_BETWEEN_TRIES = 200;

    private final Consumer<String> status;
    private final ProvidedServer server;
    private final Store store;
    private final Supplier<OptionalLong> disks;
    private final Supplier<RunMonitor.Pause> pauses;
    private final List<String> notes;
    private Optional<CacheState> unproven = Optional.empty();

    /**
     * Of one run.
     *
     * @param status is told what is being done; an empty text clears it
     * @param disks how many bytes the server has read from disks up to now, where that is known
     * @param pauses begins a pause of the monitor of server and machine
     * @param notes takes what could not be proven, and why
     */
    public CacheKeeper(
            Consumer<String> status,
            ProvidedServer server,
            Store store,
            Supplier<OptionalLong> disks,
            Supplier<RunMonitor.Pause> pauses,
            List<String> notes) {
        this.notes = notes;
        this.status = status;
        this.pauses = pauses;
        this.server = server;
        this.store = store;
        this.disks = disks;
    }

    /**
     * Refuses a state that this server cannot be brought into.
     *
     * @throws TargetException with what is missing and what can be done
     */
    public static void require(CacheState state, ProvidedServer server) {
        emptied(state).flatMap(server::refusal).ifPresent(reason -> {
            throw new TargetException("caches=" + label(state) + ": " + reason);
        });
    }

    /**
     * Prepares the caches right before something is measured; returns when it is done. Nothing is done for {@link CacheState#AS_FOUND}, nor
     * for {@link CacheState#HOT}, which steps bring about themselves, by doing once unmeasured what they measure. Emptying them starts the
     * server anew: sessions that are open then must connect again.
     *
     * @throws TargetException if the state cannot be had, with what is missing and what can be done
     */
    void prepare(CacheState state) {
        emptied(state).ifPresent(what -> {
            restart(what, "restarting the server for " + label(state) + " caches");
            unproven = Optional.of(state);
        });
    }

    /** Starts a server again that was killed. @throws TargetException if it does not start */
    public void startAgain() {
        restart(Emptied.SERVER, "starting the killed server again");
    }

    private void restart(Emptied what, String told) {
        status.accept(told);
        try (RunMonitor.Pause unused = pauses.get()) {
            server.empty(what);
            for (long start = System.nanoTime(); !isConnected(start); ) {
                Pause.millis(MILLIS_BETWEEN_TRIES, "waiting for the restarted server");
            }
        }
        status.accept("");
    }

    private boolean isConnected(long startNanos) {
        try {
            store.openSession().close();
            return true;
        } catch (TargetException notYet) {
            if (System.nanoTime() - startNanos > PATIENCE_NANOS) {
                throw notYet;
            }
            return false;
        }
    }

    /**
     * To be called right before something is read; what is read first after {@link #prepare} proves the state. What comes back is to be told
     * right afterwards how many blocks were read from outside the server's own cache, empty where the server does not count them, and throws a
     * {@link TargetException} if the caches cannot have been in the state that they were brought into.
     */
    Consumer<OptionalLong> watch() {
        if (unproven.isEmpty()) {
            return blocksRead -> {};
        }
        CacheState state = unproven.orElseThrow();
        unproven = Optional.empty();
        OptionalLong before = disks.get();
        return blocksRead -> prove(state, blocksRead, before);
    }

    private void prove(CacheState state, OptionalLong blocksRead, OptionalLong before) {
        String caches = "caches=" + label(state);
        if (blocksRead.isPresent() && blocksRead.getAsLong() == 0) {
            throw new TargetException(caches + ": the first search after the restart found all of its"
                    + " blocks in the server's cache; perhaps the server fills it when it starts");
        }
        String untold = caches + " is not proven: the server does not tell what it reads from outside its cache";
        noteIf(blocksRead.isEmpty(), untold);
        if (state != CacheState.COLD) {
            return;
        }
        OptionalLong now = disks.get();
        boolean seen = now.isPresent() && before.isPresent();
        if (seen && now.getAsLong() <= before.getAsLong()) {
            String blocks = blocksRead.isPresent() ? blocksRead.getAsLong() + " blocks" : "blocks";
            throw new TargetException(caches + ": the first search after the restart read " + blocks
                    + " from outside the server's cache, but nothing came from disks: its files are still in memory. Put"
                    + " them on a file system that is not in memory (-Dcache=DIR), or take caches=lukewarm");
        }
        noteIf(!seen, caches + " is not proven: nobody here sees what the server reads from disks");
    }

    /** Once, however often the caches are emptied. */
    private void noteIf(boolean holds, String text) {
        if (holds && !notes.contains(text)) {
            notes.add(text);
        }
    }

    private static Optional<Emptied> emptied(CacheState state) {
        return switch (state) {
            case AS_FOUND, HOT -> Optional.empty();
            case LUKEWARM -> Optional.of(Emptied.SERVER);
            case COLD -> Optional.of(Emptied.SERVER_AND_SYSTEM);
        };
    }

    private static String label(CacheState state) {
        return state.name().toLowerCase(Locale.ROOT);
    }
}
