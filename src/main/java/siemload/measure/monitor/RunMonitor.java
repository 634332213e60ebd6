package siemload.measure.monitor;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import org.HdrHistogram.Histogram;
import siemload.config.DaemonThread;
import siemload.database.Counters;
import siemload.database.Counters.CounterReading;
import siemload.database.Counters.Io;
import siemload.database.Counters.Relation;
import siemload.database.Counters.StatementSource;
import siemload.database.Counters.StatementTime;
import siemload.database.SearchException;
import siemload.database.TargetException;
import siemload.measure.RunClock;
import siemload.measure.monitor.HostCounts.NodeExporter;
import siemload.measure.monitor.HostCounts.OwnHost;
import siemload.results.HostActivity;
import siemload.results.HostActivity.Disk;
import siemload.results.ResultValue;
import siemload.results.RunFile;
import siemload.results.RunResult.DatabaseActivity;
import siemload.results.RunWriter;
import siemload.results.RunWriter.TableWriter;

/**
 * Monitors database, machine and other hosts during one run, each once a second on its own thread, and writes its readings into the run's
 * directory: {@code host.csv}, {@code disks.csv}, {@code database-io.csv} and {@code database-counters.csv}. Thread-safe.
 */
public final class RunMonitor implements AutoCloseable {
    /** Readings before the load, so that Java has compiled most of their code. */
    private static final int REHEARSALS = 10;

    private static final String SILENT = "the database did not answer when its counters were read at the end";

    private final RunWriter writer;
    private final Optional<Counters> counters;
    private final DatabaseProcesses processes;
    private final OwnHost machine;
    private final List<NodeExporter> others;
    /** The reason why nothing is known about the database, if it is not watched. */
    private final String untold;

    private final List<String> notes = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    /** This host is first; all hosts share the files. Each has its own thread, so that a silent host delays no other host. */
    private List<HostWatch> hosts = List.of();

    private Optional<DatabaseWatch> database = Optional.empty();
    private Optional<GcPauses> pauses = Optional.empty();
    /** Whether other processes generate the load, so that pauses of this process do not matter. */
    private boolean isLoadElsewhere;

    private boolean hangs;

    /**
     * Prepares everything before the load.
     *
     * @param writer writes into the directory of the run
     * @param opening opens the counters of the database, if it has any; if that fails, the run goes on without counters
     * @param others urls of other hosts' metrics, perhaps with user and password
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
     * The observations of the measured phase.
     *
     * @param statements how long the server worked on each statement
     * @param hosts this host, and others that were watched
     * @param faults the reasons why the numbers are meaningless
     * @param notes the things that could not be observed, and why
     */
    public record Seen(
            DatabaseActivity database,
            StatementTimes statements,
            List<HostActivity> hosts,
            List<String> faults,
            List<String> notes) {
        public static final Seen NOTHING = new Seen(
                DatabaseActivity.NONE, StatementTimes.none("nothing was watched"), List.of(), List.of(), List.of());

        public Seen {
            hosts = List.copyOf(hosts);
            faults = List.copyOf(faults);
            notes = List.copyOf(notes);
        }

        /** Creates the observations of this process alone, for runs in which other processes watch database and machine. */
        public static Seen ofProcess(GcPauses pauses) {
            List<HostActivity> own = List.of(HostActivity.ofProcess(pauses.pauses()));
            return new Seen(DatabaseActivity.NONE, NOTHING.statements(), own, List.of(), List.of());
        }

        public HostActivity host() {
            return hosts.stream().findFirst().orElse(HostActivity.NONE);
        }
    }

    /**
     * The time for which the server worked on each statement in the measured phase. Immutable.
     *
     * @param source of the times, or why there are none
     * @param times by the names of {@link siemload.database.SearchSession#statement}
     */
    public record StatementTimes(StatementSource source, Map<String, StatementTime> times) {
        public StatementTimes {
            times = Map.copyOf(times);
        }

        /** Creates times of no statement, with the reason as shown to people. */
        static StatementTimes none(String why) {
            return new StatementTimes(StatementSource.none(why), Map.of());
        }
    }

    /** Lists other hosts that do not answer before the measurement, each with the reason. */
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

    /** Counts other processes of this machine as part of the load generator; to be called before the start. */
    public synchronized void countAsGenerator(Set<Long> generators) {
        isLoadElsewhere = !generators.isEmpty();
        machine.countAsGenerator(generators);
    }

    /** Starts to watch. @throws IOException if a file cannot be written */
    public synchronized void start(RunClock clock) throws IOException {
        TableWriter seconds = writer.table(RunFile.HOST);
        TableWriter disks = writer.table(RunFile.DISKS);
        hosts = Stream.concat(
                        Stream.of(new HostWatch(HostActivity.THIS_HOST, machine::read, clock, seconds, disks)),
                        others.stream().map(other -> new HostWatch(other.name(), other::read, clock, seconds, disks)))
                .toList();
        if (counters.isPresent()) {
            database = Optional.of(new DatabaseWatch(writer, clock, counters.orElseThrow()));
        }
        pauses = isLoadElsewhere ? Optional.empty() : Optional.of(new GcPauses(clock));
        Stream.concat(hosts.stream(), database.stream()).forEach(Watch::start);
    }

    /**
     * Stops reading counters until the pause is closed, because the server is restarted meanwhile; the restart is not a fault. Does nothing
     * if no database is watched.
     */
    public synchronized Pause pause() {
        Optional<DatabaseWatch> paused = database;
        paused.ifPresent(DatabaseWatch::pause);
        return () -> paused.ifPresent(DatabaseWatch::resume);
    }

    /** A time in which no counters are read. */
    @FunctionalInterface
    public interface Pause extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Stops and sums up; to be called when all sessions of the run are closed.
     *
     * @param endNanos when the load ended
     */
    public synchronized Seen finish(long endNanos) {
        if (hosts.isEmpty()) {
            return Seen.NOTHING;
        }
        hosts.forEach(Watch::stop);
        HostActivity.Pauses paused = pauses.map(GcPauses::pauses).orElse(HostActivity.NO_PAUSES);
        List<HostActivity> seen =
                hosts.stream().map(watch -> watch.activity(paused)).toList();
        noteUnseen();
        hosts.forEach(watch -> notes.addAll(watch.notes()));
        DatabaseActivity activity = DatabaseActivity.NONE;
        StatementTimes statements = StatementTimes.none(untold);
        if (database.isPresent()) {
            DatabaseWatch watch = database.orElseThrow();
            hangs |= !watch.stop();
            if (hangs) {
                notes.add(SILENT);
                statements = StatementTimes.none(SILENT);
            } else {
                activity = watch.finish(endNanos);
                statements = watch.statements();
                notes.addAll(watch.notes());
                faults.addAll(watch.faults());
            }
        }
        close();
        return new Seen(activity, statements, seen, faults, notes);
    }

    /** Notes what could not be observed of this machine and of the database on it, and why. */
    private void noteUnseen() {
        if (!machine.unreadable().isEmpty()) {
            notes.add("this machine does not show " + String.join(", ", machine.unreadable()));
        }
        if (processes.elsewhere() && others.isEmpty()) {
            notes.add(
                    "the database or one of its servers runs on another machine, whose CPU, memory and disks were not watched"
                            + " (-DhostMetrics watches them if a node exporter runs there)");
        }
        if (!processes.prefixes().isEmpty() && !machine.sawDatabase()) {
            notes.add("no process of the database was found on this machine (looked for "
                    + processes.prefixes().stream().map(name -> name + "...").collect(Collectors.joining(", "))
                    + "): if the database runs here, its CPU time counts as that of other programs");
        }
    }

    /**
     * Closes everything that is open; closing twice is harmless. A connection that still waits for an answer cannot be closed: it ends with
     * the process.
     */
    @Override
    public synchronized void close() {
        hosts.forEach(Watch::stop);
        pauses.ifPresent(GcPauses::close);
        database.ifPresent(watch -> hangs |= !watch.stop());
        hosts = List.of();
        database = Optional.empty();
        if (!hangs) {
            counters.ifPresent(Counters::close);
        }
    }

    /**
     * Listens to the garbage collectors of this process and keeps the pauses of the measured phase, in Java's whole milliseconds.
     * Thread-safe.
     */
    public static final class GcPauses implements AutoCloseable {
        private final RunClock clock;
        private final long javaStartNanos;
        private final NotificationListener listener = (notification, handback) -> take(notification);
        /** The sources of notifications about garbage collectors that stop the program while they work. */
        private final List<NotificationEmitter> emitters = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .filter(collector -> stopsTheWorld(collector.getName()))
                .filter(NotificationEmitter.class::isInstance)
                .map(NotificationEmitter.class::cast)
                .toList();

        private final LongSummaryStatistics millis = new LongSummaryStatistics();

        public GcPauses(RunClock clock) {
            this.clock = clock;
            this.javaStartNanos = System.nanoTime()
                    - TimeUnit.MILLISECONDS.toNanos(
                            ManagementFactory.getRuntimeMXBean().getUptime());
            emitters.forEach(emitter -> emitter.addNotificationListener(listener, null, null));
        }

        /** Returns whether a bean reports pauses; other beans report whole cycles that run concurrently, such as {@code ZGC Cycles}. */
        static boolean stopsTheWorld(String collector) {
            return !collector.contains("Cycles") && !collector.contains("Concurrent");
        }

        /** The pauses of the measured phase. */
        synchronized HostActivity.Pauses pauses() {
            return new HostActivity.Pauses(
                    millis.getCount(), 1_000 * millis.getSum(), 1_000 * Math.max(0, millis.getMax()));
        }

        @Override
        public void close() {
            for (NotificationEmitter emitter : emitters) {
                try {
                    emitter.removeNotificationListener(listener);
                } catch (javax.management.ListenerNotFoundException gone) {
                    // The listener was removed before, as intended.
                }
            }
        }

        private synchronized void take(Notification notification) {
            if (notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
                var collection = GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData())
                        .getGcInfo();
                if (clock.measures(javaStartNanos + TimeUnit.MILLISECONDS.toNanos(collection.getStartTime()))) {
                    millis.accept(collection.getDuration());
                }
            }
        }
    }

    /**
     * Takes a reading at every full second of a run, counted from the start of the measured phase, and at its start and end, on a thread of
     * its own. Seconds that pass during a reading are skipped. Thread-safe.
     */
    abstract static class Watch {
        private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
        private static final Duration PATIENCE = Duration.ofSeconds(5);

        final RunClock clock;
        private final Thread thread;
        private volatile boolean open = true;
        /** The number of readings in the measured phase, how many of them failed, and why the last one failed. */
        long looks;

        long failures;
        String failure = "";

        Watch(String name, RunClock clock) {
            this.clock = clock;
            this.thread = DaemonThread.of(name, this::run);
        }

        /** Takes a reading, with the lock held; a reading due at this instant belongs to the second before it. */
        abstract void look(long dueNanos);

        /** The things that could not be observed, with the reasons, for people. */
        abstract List<String> notes();

        final synchronized void tick(long dueNanos) {
            attempt(dueNanos, () -> look(dueNanos));
        }

        final void attempt(long nanos, Runnable look) {
            int counted = nanos - clock.measureNanos() >= 0 ? 1 : 0;
            looks += counted;
            try {
                look.run();
            } catch (SearchException | UncheckedIOException refused) {
                failures += counted;
                failure = String.valueOf(refused.getMessage());
            }
        }

        final void start() {
            thread.start();
        }

        /** Stops; the first call waits for a reading in progress, for 5 s at most. @return whether the thread has ended */
        final boolean stop() {
            if (open) {
                open = false;
                LockSupport.unpark(thread);
                DaemonThread.awaitEnd(List.of(thread), PATIENCE);
            }
            return !thread.isAlive();
        }

        private void run() {
            tick(clock.startNanos());
            for (long due = next(clock.startNanos()); open; due = next(due)) {
                for (long left = due - System.nanoTime(); left > 0 && open; left = due - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                if (open) {
                    tick(due);
                }
                if (clock.isOver(due)) {
                    return;
                }
            }
        }

        /** Returns the next full second; if several full seconds have passed already, the latest of these. */
        private long next(long last) {
            long now = System.nanoTime();
            long from = Math.max(0, now - SECOND - last) + last;
            long next = clock.measureNanos() + Math.floorDiv(from - clock.measureNanos(), SECOND) * SECOND + SECOND;
            return clock.isOver(next) ? clock.endNanos() : next;
        }
    }

    /**
     * Writes the activity of a host in each second, and sums it up over the measured phase. Seconds in which another host does not answer
     * are only gaps: they say nothing about the run. Thread-safe.
     */
    static final class HostWatch extends Watch {
        private static final double HEAVY_RATIO = 0.05;
        /** In a second in which database and load generator ran for less than this, they can lose hardly any time. */
        private static final long LEAST_RAN_NANOS = 20_000_000;

        private final String name;
        private final Supplier<HostCounts> host;
        private final TableWriter seconds;
        private final TableWriter disks;
        private Optional<HostCounts> last = Optional.empty();
        /** The counts of the measured phase; empty before that phase. */
        private Optional<HostCounts> measured = Optional.empty();
        /** The time lost to others, in nanoseconds, and for each second in thousandths of database's and load generator's running time. */
        private double lostNanos;

        private final Histogram lostPermille = new Histogram(2);

        /** @param name in results */
        HostWatch(String name, Supplier<HostCounts> host, RunClock clock, TableWriter seconds, TableWriter disks) {
            super("siemload-host", clock);
            this.name = name;
            this.host = host;
            this.seconds = seconds;
            this.disks = disks;
        }

        @Override
        void look(long dueNanos) {
            HostCounts now = host.get();
            last.map(now::since).ifPresent(span -> {
                write(clock.second(dueNanos), span);
                measured.ifPresent(before -> {
                    measured = Optional.of(before.plus(span));
                    double lost = span.lostNanos();
                    lostNanos += lost;
                    lostPermille.recordValue(Math.round(1_000 * lost / Math.max(LEAST_RAN_NANOS, span.ranNanos())));
                });
            });
            last = Optional.of(now);
            if (measured.isEmpty() && dueNanos - clock.measureNanos() >= 0) {
                measured = Optional.of(HostCounts.NONE);
            }
        }

        /**
         * What the host did in the measured phase up to the last reading.
         *
         * @param pauses the pauses of this process, if it runs on this host
         */
        synchronized HostActivity activity(HostActivity.Pauses pauses) {
            HostCounts all = measured.orElse(HostCounts.NONE);
            Map<String, Object> figures = all.figures();
            figures.put("lostRatio", HostCounts.rounded(lostNanos / Math.max(LEAST_RAN_NANOS, all.ranNanos())));
            figures.put("lostRatioP95", lostPermille.getValueAtPercentile(95) / 1e3);
            Map<String, Object> activity = new HashMap<>(figures);
            activity.put("name", name);
            activity.put("cpus", (int) all.level("cpus"));
            activity.put("contention", figures);
            List.of("load1", "memoryUsedBytes", "pageCacheBytes")
                    .forEach(level -> activity.put(level + "Max", figures.get(level)));
            activity.put("disks", all.disks());
            activity.put("heavyProcesses", all.heavierThan(HEAVY_RATIO));
            activity.put("pauses", name.equals(HostActivity.THIS_HOST) ? pauses : HostActivity.NO_PAUSES);
            activity.put("looks", looks);
            activity.put("failedLooks", failures);
            return ResultValue.value(ResultValue.tree(activity), HostActivity.class);
        }

        /** Says how often the host did not answer in the measured phase, and why; empty if it always answered. */
        @Override
        synchronized List<String> notes() {
            String gaps = failures == looks
                    ? "was never seen, so its figures are missing"
                    : "did not answer " + failures + " of " + looks + " times, so its figures have gaps";
            return failures == 0 ? List.of() : List.of("the host " + name + " " + gaps + ": " + failure);
        }

        /**
         * Writes the lines of a second.
         *
         * @param span the counts of about a second, or longer if the host did not answer; amounts are scaled to one second
         */
        private void write(double second, HostCounts span) {
            HostCounts one = span.ofASecond();
            Map<String, Object> figures = one.figures();
            figures.put("host", name);
            figures.put("waitedSeconds", HostCounts.rounded(span.of("waited") / 1e9));
            seconds.row(second, figures);
            for (Disk disk : one.disks()) {
                disks.row(
                        second,
                        name,
                        disk.name(),
                        disk.reads(),
                        disk.readBytes(),
                        disk.writes(),
                        disk.writtenBytes(),
                        disk.utilisationRatio());
            }
        }
    }

    /**
     * Writes what the database counted in each second, and sums it up over the measured phase: from the first reading in it to a last one
     * after all sessions were closed. The lines after second 0 add up to exactly the sum over the measured phase. Thread-safe.
     */
    static final class DatabaseWatch extends Watch {
        private final Counters counters;
        private final TableWriter io;
        private final TableWriter series;
        private Optional<CounterReading> atStart = Optional.empty();
        private Optional<CounterReading> last = Optional.empty();
        private long samples;
        private long samplingNanos;
        private boolean startedAnew;
        private boolean restarted;
        private boolean restartKnown;
        private boolean paused;

        DatabaseWatch(RunWriter writer, RunClock clock, Counters counters) throws IOException {
            super("siemload-counters", clock);
            this.counters = counters;
            this.io = writer.table(RunFile.DATABASE_IO);
            this.series = writer.table(RunFile.DATABASE_COUNTERS);
        }

        @Override
        void look(long dueNanos) {
            if (paused) {
                return;
            }
            long start = System.nanoTime();
            CounterReading reading = counters.read();
            if (atStart.isPresent()) {
                samples++;
                samplingNanos += System.nanoTime() - start;
            }
            take(dueNanos, reading);
        }

        synchronized void pause() {
            paused = true;
        }

        /** Continues to read counters, over another connection if the server was restarted. */
        synchronized void resume() {
            paused = false;
            restartKnown = true;
            try {
                counters.read();
            } catch (SearchException cut) {
                // The restart cut the connection, as expected; the next reading connects again.
            }
        }

        /** Reads the counters for the last time, after all sessions were closed, and sums up. */
        synchronized DatabaseActivity finish(long endNanos) {
            long end = System.nanoTime();
            attempt(end, () -> take(end, counters.readSettled()));
            if (atStart.isEmpty() || last.equals(Optional.of(CounterReading.NONE))) {
                return DatabaseActivity.NONE;
            }
            CounterReading all = last.orElseThrow().since(atStart.orElseThrow());
            List<Relation> relations = all.relations().values().stream()
                    .filter(relation -> relation.blocksRead() + relation.blocksHit() > 0)
                    .sorted(Comparator.comparing(Relation::name))
                    .toList();
            Map<String, Long> changed = new TreeMap<>(all.counters());
            changed.values().removeIf(value -> value == 0);
            double seconds = clock.measuredSeconds(endNanos);
            double ratio = seconds == 0 ? 0 : Math.round(samplingNanos / seconds / 1e9 * 1e6) / 1e6;
            return new DatabaseActivity(List.copyOf(all.io().values()), relations, changed, samples, ratio);
        }

        /** Returns how long the server worked on each statement in the measured phase, as of the last reading. */
        synchronized StatementTimes statements() {
            return atStart.isEmpty()
                    ? StatementTimes.none("the counters of the database could not be read")
                    : new StatementTimes(
                            counters.statements(),
                            last.orElseThrow().since(atStart.orElseThrow()).statements());
        }

        @Override
        synchronized List<String> notes() {
            List<String> notes = new ArrayList<>();
            counters.gaps().forEach(gap -> notes.add("not counted by the database: " + gap));
            if (failures > 0) {
                notes.add("the counters of the database could not be read " + failures + " times: " + failure);
            }
            if (startedAnew && !restarted) {
                notes.add("the database's counters were reset during the run: differences are too small");
            }
            return notes;
        }

        /** Reports a restart in the measured phase, whose numbers are then those of two servers. */
        synchronized List<String> faults() {
            String fault = "the database was restarted in the measured phase: the numbers are those of two servers, the"
                    + " second one with empty caches";
            return restarted ? List.of(fault) : List.of();
        }

        private void take(long nanos, CounterReading read) {
            CounterReading reading = read;
            if (last.isPresent()) {
                CounterReading before = last.orElseThrow();
                startedAnew |= read.startedAnewSince(before);
                restarted |= atStart.isPresent() && !restartKnown && read.restartedSince(before);
                restartKnown = false;
                reading = read.notBelow(before);
                write(nanos, reading.since(before));
            }
            last = Optional.of(reading);
            if (atStart.isEmpty() && nanos - clock.measureNanos() >= 0) {
                atStart = last;
            }
        }

        private void write(long nanos, CounterReading difference) {
            double second = clock.second(nanos);
            for (Io one : difference.io().values()) {
                io.row(
                        second,
                        one.category(),
                        one.reads(),
                        one.readBytes(),
                        one.writes(),
                        one.writtenBytes(),
                        one.hits());
            }
            difference.counters().forEach((name, value) -> {
                if (value != 0) {
                    series.row(second, name, value);
                }
            });
        }
    }
}
