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
import siemload.scenario.Procedure.CacheState;

/**
 * Empties the caches of a run's server, and verifies that they are empty. The first read afterwards must come from outside the server's
 * cache and, if the system's cache was emptied, too, from disks. Used by one thread.
 *
 * @param status shows the current step; an empty text clears it
 * @param disks how many bytes the server has read from disks so far, if known
 * @param pauses begins a pause of the monitor
 * @param notes receives what could not be verified, and why
 */
public record CacheKeeper(
        Consumer<String> status,
        ProvidedServer server,
        Store store,
        Supplier<OptionalLong> disks,
        Supplier<RunMonitor.Pause> pauses,
        List<String> notes) {
    /** The longest wait until a restarted server accepts connections. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** Throws a {@link TargetException} with advice if the server's caches cannot be brought into this state. */
    public static void require(CacheState state, ProvidedServer server) {
        emptied(state).flatMap(server::refusal).ifPresent(reason -> {
            throw new TargetException(label(state) + ": " + reason);
        });
    }

    private static Optional<Emptied> emptied(CacheState state) {
        return switch (state) {
            case AS_FOUND, HOT -> Optional.empty();
            case LUKEWARM -> Optional.of(Emptied.SERVER);
            case COLD -> Optional.of(Emptied.SERVER_AND_SYSTEM);
        };
    }

    private static String label(CacheState state) {
        return "caches=" + state.name().toLowerCase(Locale.ROOT);
    }

    /**
     * Prepares the caches right before a measurement. Nothing is done for {@link CacheState#AS_FOUND} and {@link CacheState#HOT}: for hot
     * caches, steps first do their work once unmeasured. Emptying the caches restarts the server: open sessions must connect again.
     *
     * @throws TargetException if the state cannot be reached, with the reason and advice
     */
    void prepare(CacheState state) {
        emptied(state).ifPresent(what -> restart(what, "restarting the server for " + label(state)));
    }

    /** Restarts a server that was killed. @throws TargetException if it does not start */
    public void startAgain() {
        restart(Emptied.SERVER, "starting the killed server again");
    }

    private void restart(Emptied what, String told) {
        status.accept(told);
        try (RunMonitor.Pause unused = pauses.get()) {
            server.empty(what);
            boolean connected = false;
            for (long start = System.nanoTime(); !connected; ) {
                try {
                    store.openSession().close();
                    connected = true;
                } catch (TargetException notYet) {
                    if (System.nanoTime() - start > PATIENCE_NANOS) {
                        throw notYet;
                    }
                    Pause.millis(200, "waiting for the restarted server");
                }
            }
        }
        status.accept("");
    }

    /**
     * To be called right before a read; the first read after {@link #prepare} verifies the state. Right after the read, the returned
     * consumer must get the number of blocks read from outside the server's own cache; empty if the server does not count them. The
     * consumer throws a {@link TargetException} if the caches cannot have been in that state.
     */
    Consumer<OptionalLong> watch(CacheState state) {
        if (emptied(state).isEmpty()) {
            return blocksRead -> {};
        }
        OptionalLong before = disks.get();
        return blocksRead -> prove(state, blocksRead, before);
    }

    private void prove(CacheState state, OptionalLong blocksRead, OptionalLong before) {
        if (blocksRead.isPresent() && blocksRead.getAsLong() == 0) {
            throw new TargetException(label(state) + ": the first search after the restart found all of its"
                    + " blocks in the server's cache; perhaps the server fills it when it starts");
        }
        OptionalLong now = disks.get();
        boolean seen = now.isPresent() && before.isPresent();
        if (state == CacheState.COLD && seen && now.getAsLong() <= before.getAsLong()) {
            throw new TargetException(label(state) + ": the first search after the restart read"
                    + " from outside the server's cache, but nothing came from disks: its files are still in memory. Put"
                    + " them on a file system that is not in memory (-Dcache=DIR), or take caches=lukewarm");
        }
        noteIf(blocksRead.isEmpty(), state, "the server does not report what it reads from outside its cache");
        noteIf(state == CacheState.COLD && !seen, state, "this machine does not show what the server reads from disks");
    }

    /** Notes an unproven state once, however often the caches are emptied. */
    private void noteIf(boolean holds, CacheState state, String why) {
        String text = label(state) + " is not proven: " + why;
        if (holds && !notes.contains(text)) {
            notes.add(text);
        }
    }
}
