package siemload.run;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import siemload.database.TargetException;
import siemload.measure.monitor.RunMonitor;
import siemload.run.procedure.CrashControl;
import siemload.scenario.Procedure;

/** Kills a server that siemload started, and starts it again. Used by one thread. */
record ServerCrash(RunSetup setup, RunMonitor monitor, CacheKeeper caches) implements CrashControl {
    private static final int PATIENCE_SECONDS = 30;

    /**
     * For the server of a run.
     *
     * @throws TargetException if the procedure asks for a crash, and the server has no process that could be killed
     */
    static CrashControl of(Procedure procedure, RunSetup setup, RunMonitor monitor, CacheKeeper caches) {
        boolean asked = procedure instanceof Procedure.Transactions transactions
                && transactions.crash().isPresent();
        if (!asked) {
            return CrashControl.NONE;
        }
        if (setup.database().server().process().get().isEmpty()) {
            throw new TargetException("crash: the server of target "
                    + setup.plan().choice().plugin().id() + " has no process of its own (leave crash out)");
        }
        return new ServerCrash(setup, monitor, caches);
    }

    @Override
    public void crash() {
        try (RunMonitor.Pause unused = monitor.pause()) {
            long first = setup.database()
                    .server()
                    .process()
                    .get()
                    .orElseThrow(() -> new TargetException("crash: the server has ended by itself before"));
            ProcessHandle.of(first).ifPresent(ServerCrash::kill);
            caches.startAgain();
        }
    }

    /** The first one first, so that it starts no others in the place of those that go. */
    private static void kill(ProcessHandle first) {
        List<ProcessHandle> all =
                Stream.concat(Stream.of(first), first.descendants()).toList();
        all.forEach(ProcessHandle::destroyForcibly);
        awaitEnd(first);
        // What it started after the look, of which the system still knows whose it was.
        List<ProcessHandle> late = first.descendants().toList();
        late.forEach(ProcessHandle::destroyForcibly);
        Stream.concat(all.stream(), late.stream()).forEach(ServerCrash::awaitEnd);
    }

    private static void awaitEnd(ProcessHandle process) {
        try {
            ProcessHandle unused = process.onExit().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException stays) {
            throw new TargetException("crash: process " + process.pid() + " of the server cannot be killed", stays);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            throw new TargetException("waiting for the end of the server was interrupted", hurried);
        }
    }
}
