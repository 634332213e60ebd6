package siemload.measure.monitor;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import siemload.config.DaemonThread;
import siemload.database.Counters;
import siemload.database.SearchException;
import siemload.database.TargetException;
import siemload.measure.RunClock;
import siemload.measure.monitor.OwnHost.Look;
import siemload.results.DatabaseActivity;
import siemload.results.HostActivity;
import siemload.results.HostActivity.HostFigures;
import siemload.results.MicrosSummary;
import siemload.results.RunWriter;

/**
 * Watches database, machine and other hosts during one run, each once a second by a thread of its own, and writes what it sees into
 * the run's directory: {@code host.csv}, {@code cpus.csv}, {@code disks.csv}, {@code database-io.csv} and {@code database-counters.csv}.
 * Thread-safe.
 */
public final class RunMonitor implements AutoCloseable {
    /** Before the load, so that Java has compiled most of it. */
    private static final int REHEARSALS = 10;

    private static final String SILENT = "the database did not answer when its counters were read at the end";

    private final RunWriter writer;
    private final Optional<Counters> counters;
    private final DatabaseProcesses processes;
    private final OwnHost machine;
    private final List<NodeExporter> others;
    private final List<String> notes;
    /** Why nothing is known of the database where it is not watched. */
    private final String untold;

    private final List<String> faults = new ArrayList<>();
    private Optional<Running> running = Optional.empty();
    private boolean hangs;

    private RunMonitor(
            RunWriter writer,
            Optional<Counters> counters,
            DatabaseProcesses processes,
            OwnHost machine,
            List<NodeExporter> others,
            List<String> notes) {
        this.notes = notes;
        this.untold = notes.isEmpty() ? "siemload reads no counters of this database" : notes.get(0);
        this.writer = writer;
        this.counters = counters;
        this.processes = processes;
        this.machine = machine;
        this.others = others;
    }

    /**
     * What watches now.
     *
     * @param hosts this one first, which has the files of all
     * @param hostThreads one for each, so that one that does not answer keeps none waiting
     */
    private record Running(
            List<HostWatch> hosts,
            List<EverySecond> hostThreads,
            Optional<DatabaseWatch> database,
            Optional<EverySecond> databaseThread,
            GcPauses pauses) {}

    /**
     * What was seen in the measured phase.
     *
     * @param statements how long the server worked on each
     * @param hosts this host, and others that were watched, as sysstat would show them
     * @param faults what happened that leaves the numbers without a meaning
     * @param notes what could not be seen, and why
     */
    public record Seen(
            DatabaseActivity database,
            StatementTimes statements,
            HostActivity host,
            List<HostFigures> hosts,
            List<String> faults,
            List<String> notes) {
        /** Nothing was watched. */
        public static final Seen NOTHING = new Seen(
                DatabaseActivity.NONE,
                StatementTimes.none("nothing was watched"),
                HostActivity.NONE,
                List.of(),
                List.of(),
                List.of());

        public Seen {
            hosts = List.copyOf(hosts);
            faults = List.copyOf(faults);
            notes = List.copyOf(notes);
        }

        /** Of this process alone, where others watch database and machine. */
        public static Seen ofProcess(GcPauses pauses, MicrosSummary eventLoopLateness) {
            HostActivity own = HostActivity.ofProcess(pauses.pauses(), eventLoopLateness);
            return new Seen(DatabaseActivity.NONE, NOTHING.statements(), own, List.of(), List.of(), List.of());
        }
    }

    /**
     * Gets everything ready before the load, so that nothing has to be found out during it.
     *
     * @param writer writes into the directory of the run
     * @param opening opens the counters of the database, if it has any; where it refuses, the run goes on without
     * @param others where other hosts that are watched, too, tell their metrics: perhaps with user and password
     */
    public static RunMonitor open(
            RunWriter writer, Supplier<Optional<Counters>> opening, DatabaseProcesses processes, List<URI> others) {
        OwnHost machine = new OwnHost(processes);
        for (int i = 0; i < REHEARSALS; i++) {
            machine.read();
        }
        List<String> notes = new ArrayList<>();
        Optional<Counters> counters = Optional.empty();
        try {
            counters = opening.get();
            for (int i = 0; i < REHEARSALS; i++) {
                counters.ifPresent(Counters::read);
            }
        } catch (TargetException | SearchException refused) {
            notes.add("the counters of the database could not be read: " + refused.getMessage());
            counters.ifPresent(Counters::close);
            counters = Optional.empty();
        }
        List<NodeExporter> hosts = others.stream().map(NodeExporter::new).toList();
        return new RunMonitor(writer, counters, processes, machine, hosts, notes);
    }

    /** Those of the other hosts that do not answer now, each with the reason; asked for before anything is measured. */
    public List<String> unanswered() {
        List<String> unanswered = new ArrayList<>();
        for (NodeExporter other : others) {
            try {
                Look unused = other.read();
            } catch (UncheckedIOException failure) {
                unanswered.add(other.name() + ": " + failure.getMessage());
            }
        }
        return unanswered;
    }

    /** Counts other processes of this machine as the load generator's, too; to be called before it starts to watch. */
    public synchronized void countAsGenerator(Set<Long> generators) {
        machine.countAsGenerator(generators);
    }

    /** Starts to watch. @throws IOException if a file cannot be written */
    public synchronized void start(RunClock clock) throws IOException {
        HostWatch own = new HostWatch(machine, clock, writer);
        List<HostWatch> hosts = Stream.concat(Stream.of(own), others.stream().map(other -> new HostWatch(other, own)))
                .toList();
        List<EverySecond> hostThreads = hosts.stream()
                .map(host -> new EverySecond("siemload-host", clock, host::tick))
                .toList();
        Optional<DatabaseWatch> database = Optional.empty();
        Optional<EverySecond> databaseThread = Optional.empty();
        if (counters.isPresent()) {
            DatabaseWatch watch = new DatabaseWatch(writer, clock, counters.orElseThrow());
            database = Optional.of(watch);
            databaseThread = Optional.of(new EverySecond("siemload-counters", clock, watch::tick));
        }
        GcPauses pauses = new GcPauses(clock);
        running = Optional.of(new Running(hosts, hostThreads, database, databaseThread, pauses));
        pauses.start();
        hostThreads.forEach(EverySecond::start);
        databaseThread.ifPresent(EverySecond::start);
    }

    /**
     * Leaves out what happens until the pause is closed: it belongs to the run, but not to what is measured, as a restart of
     * the server. Nothing happens while nothing is watched.
     */
    public synchronized Pause pause() {
        running.ifPresent(now -> {
            now.hosts().get(0).pause();
            now.database().ifPresent(DatabaseWatch::pause);
        });
        return this::resume;
    }

    private synchronized void resume() {
        running.ifPresent(now -> {
            now.database().ifPresent(DatabaseWatch::resume);
            now.hosts().get(0).resume();
        });
    }

    /** A time that does not count. */
    @FunctionalInterface
    public interface Pause extends AutoCloseable {
        /** Ends it. */
        @Override
        void close();
    }

    /**
     * Stops watching and sums up; to be called when all sessions of the run are closed.
     *
     * @param endNanos when the load ended
     * @param eventLoopLateness how late the timers of the load generator were in the measured phase
     */
    public synchronized Seen finish(long endNanos, MicrosSummary eventLoopLateness) {
        if (running.isEmpty()) {
            return Seen.NOTHING;
        }
        Running now = running.orElseThrow();
        now.hostThreads().forEach(EverySecond::close);
        HostActivity host =
                now.hosts().get(0).activity(machine.cpus(), now.pauses().pauses(), eventLoopLateness);
        List<HostFigures> hosts = now.hosts().stream().map(HostWatch::figures).toList();
        noteUnseen();
        now.hosts().forEach(watch -> notes.addAll(watch.notes()));
        DatabaseActivity database = now.database().isPresent()
                ? finish(now.database().orElseThrow(), now.databaseThread().orElseThrow(), endNanos)
                : DatabaseActivity.NONE;
        StatementTimes statements = now.database()
                .filter(watch -> !hangs)
                .map(DatabaseWatch::statements)
                .orElseGet(() -> StatementTimes.none(hangs ? SILENT : untold));
        close();
        return new Seen(database, statements, host, hosts, faults, notes);
    }

    /** What could not be seen of this machine and the database on it, and why. */
    private void noteUnseen() {
        if (!machine.unreadable().isEmpty()) {
            notes.add("this machine does not let us see " + String.join(", ", machine.unreadable()));
        }
        if (processes instanceof DatabaseProcesses.Elsewhere && others.isEmpty()) {
            notes.add("the database runs on another machine: its CPU, memory and disks were not watched"
                    + " (-DhostMetrics does, where a node exporter runs there)");
        }
        if (others.isEmpty()
                && processes instanceof DatabaseProcesses.Together several
                && several.servers().stream().anyMatch(DatabaseProcesses.Elsewhere.class::isInstance)) {
            notes.add("some of the servers run on other machines: their CPU, memory and disks were not watched");
        }
        if (processes instanceof DatabaseProcesses.Named named && !machine.sawDatabase()) {
            notes.add("no process of the database was found on this machine (looked for "
                    + named.prefixes().stream().map(name -> name + "...").collect(Collectors.joining(", "))
                    + "): its CPU time counts as that of others, if it is here");
        }
    }

    private DatabaseActivity finish(DatabaseWatch watch, EverySecond thread, long endNanos) {
        close(thread);
        if (hangs) {
            notes.add(SILENT);
            return DatabaseActivity.NONE;
        }
        DatabaseActivity activity = watch.finish(endNanos);
        notes.addAll(watch.notes());
        faults.addAll(watch.faults());
        return activity;
    }

    /** Gives back what is open; closing twice is harmless. */
    @Override
    public synchronized void close() {
        running.ifPresent(now -> {
            now.hostThreads().forEach(EverySecond::close);
            now.pauses().close();
            closeFile(now.hosts().get(0));
            now.databaseThread().ifPresent(this::close);
            if (!hangs) {
                now.database().ifPresent(this::closeFile);
            }
        });
        running = Optional.empty();
        if (!hangs) {
            counters.ifPresent(Counters::close);
        }
    }

    /** A connection on which an answer is still awaited cannot be closed: nobody waits for that, it goes with the process. */
    private void close(EverySecond databaseThread) {
        databaseThread.close();
        hangs |= !databaseThread.hasEnded();
    }

    private void closeFile(AutoCloseable watch) {
        try {
            watch.close();
        } catch (Exception incomplete) {
            notes.add(String.valueOf(incomplete.getMessage()));
        }
    }

    /**
     * Listens to the garbage collectors of this process and keeps the pauses of the measured phase; Java tells them in whole
     * milliseconds. Thread-safe.
     */
    public static final class GcPauses implements AutoCloseable {
        private final RunClock clock;
        private final long javaStartNanos;
        private final NotificationListener listener = (notification, handback) -> take(notification);
        private final List<NotificationEmitter> emitters = new ArrayList<>();
        private long count;
        private long totalMicros;
        private long maxMicros;

        public GcPauses(RunClock clock) {
            this.clock = clock;
            this.javaStartNanos = System.nanoTime()
                    - TimeUnit.MILLISECONDS.toNanos(
                            ManagementFactory.getRuntimeMXBean().getUptime());
        }

        /** Starts to listen to those collectors that stop the program while they work. */
        public void start() {
            for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
                if (collector instanceof NotificationEmitter emitter && stopsTheWorld(collector.getName())) {
                    emitter.addNotificationListener(listener, null, null);
                    emitters.add(emitter);
                }
            }
        }

        /** Java has beans for whole cycles, which run beside the program, as {@code ZGC Cycles}, and beans for pauses. */
        static boolean stopsTheWorld(String collector) {
            return !collector.contains("Cycles") && !collector.contains("Concurrent");
        }

        /** The pauses of the measured phase. */
        synchronized HostActivity.Pauses pauses() {
            return new HostActivity.Pauses(count, totalMicros, maxMicros);
        }

        @Override
        public void close() {
            for (NotificationEmitter emitter : emitters) {
                try {
                    emitter.removeNotificationListener(listener);
                } catch (javax.management.ListenerNotFoundException gone) {
                    // Nobody listens any more, which is what was wanted.
                }
            }
            emitters.clear();
        }

        private void take(Notification notification) {
            if (notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
                var collection = GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData());
                long start =
                        TimeUnit.MILLISECONDS.toNanos(collection.getGcInfo().getStartTime());
                take(javaStartNanos + start, collection.getGcInfo().getDuration());
            }
        }

        /** Counts a pause that began at this instant of the monotonic clock. */
        synchronized void take(long startNanos, long millis) {
            if (clock.measures(startNanos)) {
                count++;
                totalMicros += millis * 1000;
                maxMicros = Math.max(maxMicros, millis * 1000);
            }
        }
    }

    /**
     * A thread that does something at every full second of a run, counted from the start of the measured phase, and at the
     * start and the end of the run. Seconds that were missed because it took too long are left out. Thread-safe.
     */
    private static final class EverySecond implements AutoCloseable {
        private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
        private static final Duration PATIENCE = Duration.ofSeconds(5);

        private final RunClock clock;
        private final LongConsumer action;
        private final Thread thread;
        private volatile boolean open = true;

        /** @param action is given the instant that was due, on the monotonic clock */
        EverySecond(String name, RunClock clock, LongConsumer action) {
            this.clock = clock;
            this.action = action;
            this.thread = DaemonThread.of(name, this::run);
        }

        void start() {
            thread.start();
        }

        /** Stops; the first call waits for an action that is under way, for 5 s at most. */
        @Override
        public void close() {
            if (!open) {
                return;
            }
            open = false;
            LockSupport.unpark(thread);
            DaemonThread.awaitEnd(List.of(thread), PATIENCE);
        }

        /** Whether the thread has ended, so that nothing is under way. */
        boolean hasEnded() {
            return !thread.isAlive();
        }

        private void run() {
            action.accept(clock.startNanos());
            for (long due = next(clock.startNanos()); open; due = next(due)) {
                waitUntil(due);
                if (!open) {
                    return;
                }
                action.accept(due);
                if (clock.isOver(due)) {
                    return;
                }
            }
        }

        /** The next full second; the latest of those that are over already. */
        private long next(long last) {
            long now = System.nanoTime();
            long from = Math.max(0, now - SECOND - last) + last;
            long next = clock.measureNanos() + Math.floorDiv(from - clock.measureNanos(), SECOND) * SECOND + SECOND;
            return clock.isOver(next) ? clock.endNanos() : next;
        }

        private void waitUntil(long due) {
            for (long left = due - System.nanoTime(); left > 0 && open; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }
    }
}
