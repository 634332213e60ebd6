package siemload.measure.monitor;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import siemload.database.Counters;
import siemload.database.SearchException;
import siemload.database.TargetException;
import siemload.measure.RunClock;
import siemload.results.DatabaseActivity;
import siemload.results.HostActivity;
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
    /** Why nothing is known of the database where it is not watched. */
    private final String untold;

    private final List<String> notes = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private Optional<Running> running = Optional.empty();
    /** Whether other processes make the load, so that pauses of this one delay nothing that is measured. */
    private boolean isLoadElsewhere;

    private boolean hangs;

    /**
     * Gets everything ready before the load, so that nothing has to be found out during it.
     *
     * @param writer writes into the directory of the run
     * @param opening opens the counters of the database, if it has any; where it refuses, the run goes on without
     * @param others where other hosts that are watched, too, tell their metrics: perhaps with user and password
     */
    public RunMonitor(
            RunWriter writer, Supplier<Optional<Counters>> opening, DatabaseProcesses processes, List<URI> others) {
        this.writer = writer;
        this.processes = processes;
        this.others = others.stream().map(NodeExporter::new).toList();
        this.machine = new OwnHost(processes);
        for (int i = 0; i < REHEARSALS; i++) {
            machine.read();
        }
        Optional<Counters> opened = Optional.empty();
        try {
            opened = opening.get();
            for (int i = 0; i < REHEARSALS; i++) {
                opened.ifPresent(Counters::read);
            }
        } catch (TargetException | SearchException refused) {
            notes.add("the counters of the database could not be read: " + refused.getMessage());
            opened.ifPresent(Counters::close);
            opened = Optional.empty();
        }
        this.counters = opened;
        this.untold = notes.isEmpty() ? "siemload reads no counters of this database" : notes.get(0);
    }

    /**
     * What watches now.
     *
     * @param hosts this one first, which has the files of all; each has a thread, so that one that does not answer keeps none waiting
     */
    private record Running(List<HostWatch> hosts, Optional<DatabaseWatch> database, GcPauses pauses) {
        private Stream<Watch> watches() {
            return Stream.concat(hosts.stream(), database.stream());
        }
    }

    /**
     * What was seen in the measured phase.
     *
     * @param statements how long the server worked on each
     * @param hosts this host, and others that were watched
     * @param faults what happened that leaves the numbers without a meaning
     * @param notes what could not be seen, and why
     */
    public record Seen(
            DatabaseActivity database,
            StatementTimes statements,
            List<HostActivity> hosts,
            List<String> faults,
            List<String> notes) {
        /** Nothing was watched. */
        public static final Seen NOTHING = new Seen(
                DatabaseActivity.NONE, StatementTimes.none("nothing was watched"), List.of(), List.of(), List.of());

        public Seen {
            hosts = List.copyOf(hosts);
            faults = List.copyOf(faults);
            notes = List.copyOf(notes);
        }

        /** Of this process alone, where others watch database and machine. */
        public static Seen ofProcess(GcPauses pauses) {
            List<HostActivity> own = List.of(HostActivity.ofProcess(pauses.pauses()));
            return new Seen(DatabaseActivity.NONE, NOTHING.statements(), own, List.of(), List.of());
        }

        /** What this host did. */
        public HostActivity host() {
            return hosts.stream().findFirst().orElse(HostActivity.NONE);
        }
    }

    /** Those of the other hosts that do not answer now, each with the reason; asked for before anything is measured. */
    public List<String> unanswered() {
        List<String> unanswered = new ArrayList<>();
        for (NodeExporter other : others) {
            try {
                HostCounts unused = other.read();
            } catch (UncheckedIOException failure) {
                unanswered.add(other.name() + ": " + failure.getMessage());
            }
        }
        return unanswered;
    }

    /** Counts other processes of this machine as the load generator's, too; to be called before it starts to watch. */
    public synchronized void countAsGenerator(Set<Long> generators) {
        isLoadElsewhere = !generators.isEmpty();
        machine.countAsGenerator(generators);
    }

    /** Starts to watch. @throws IOException if a file cannot be written */
    public synchronized void start(RunClock clock) throws IOException {
        HostWatch own = new HostWatch(machine, clock, writer);
        List<HostWatch> hosts = Stream.concat(Stream.of(own), others.stream().map(other -> new HostWatch(other, own)))
                .toList();
        Optional<DatabaseWatch> database = counters.isPresent()
                ? Optional.of(new DatabaseWatch(writer, clock, counters.orElseThrow()))
                : Optional.empty();
        Running now = new Running(hosts, database, new GcPauses(clock));
        running = Optional.of(now);
        now.pauses().start();
        now.watches().forEach(Watch::start);
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
     */
    public synchronized Seen finish(long endNanos) {
        if (running.isEmpty()) {
            return Seen.NOTHING;
        }
        Running now = running.orElseThrow();
        now.hosts().forEach(Watch::stop);
        HostActivity.Pauses pauses =
                isLoadElsewhere ? HostActivity.NO_PAUSES : now.pauses().pauses();
        List<HostActivity> hosts =
                now.hosts().stream().map(watch -> watch.activity(pauses)).toList();
        noteUnseen();
        now.hosts().forEach(watch -> notes.addAll(watch.notes()));
        DatabaseActivity database = DatabaseActivity.NONE;
        StatementTimes statements = StatementTimes.none(untold);
        if (now.database().isPresent()) {
            DatabaseWatch watch = now.database().orElseThrow();
            hangs |= !watch.stop();
            if (hangs) {
                notes.add(SILENT);
                statements = StatementTimes.none(SILENT);
            } else {
                database = watch.finish(endNanos);
                statements = watch.statements();
                notes.addAll(watch.notes());
                faults.addAll(watch.faults());
            }
        }
        close();
        return new Seen(database, statements, hosts, faults, notes);
    }

    /** What could not be seen of this machine and the database on it, and why. */
    private void noteUnseen() {
        if (!machine.unreadable().isEmpty()) {
            notes.add("this machine does not let us see " + String.join(", ", machine.unreadable()));
        }
        boolean elsewhere = processes instanceof DatabaseProcesses.Together several
                ? several.servers().stream().anyMatch(DatabaseProcesses.Elsewhere.class::isInstance)
                : processes instanceof DatabaseProcesses.Elsewhere;
        if (elsewhere && others.isEmpty()) {
            notes.add(
                    "the database, or a server of it, runs on another machine: its CPU, memory and disks were not watched"
                            + " (-DhostMetrics does, where a node exporter runs there)");
        }
        if (processes instanceof DatabaseProcesses.Named named && !machine.sawDatabase()) {
            notes.add("no process of the database was found on this machine (looked for "
                    + named.prefixes().stream().map(name -> name + "...").collect(Collectors.joining(", "))
                    + "): its CPU time counts as that of others, if it is here");
        }
    }

    /**
     * Gives back what is open; closing twice is harmless. A connection on which an answer is still awaited cannot be closed: nobody
     * waits for that, it goes with the process.
     */
    @Override
    public synchronized void close() {
        running.ifPresent(now -> {
            now.hosts().forEach(Watch::stop);
            now.pauses().close();
            closeFile(now.hosts().get(0));
            now.database().ifPresent(watch -> {
                hangs |= !watch.stop();
                if (!hangs) {
                    closeFile(watch);
                }
            });
        });
        running = Optional.empty();
        if (!hangs) {
            counters.ifPresent(Counters::close);
        }
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
}
