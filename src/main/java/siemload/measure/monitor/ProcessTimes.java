package siemload.measure.monitor;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.measure.monitor.HostCounts.OwnHost;

/**
 * Adds up the CPU time of processes that come and go: those of the database, and the others by name. For a process outside of the database,
 * the CPU time between the last reading and the process's end is unknown. Used by one thread.
 */
final class ProcessTimes {
    /** User programs see a hundred ticks a second on all machines that Java runs on. */
    static final long NANOS_PER_TICK = 10_000_000;

    static final Path PROC = Path.of("/proc");
    /** The name of the CPU time of the load generator and of the processes that do its work. */
    static final String GENERATOR = "generator";

    /** The most bytes in a line of 52 numbers and a name. */
    private static final int LONGEST_LINE = 1_200;
    /** The indexes of the fields after the name; index 0, the state, is field 3 in proc(5). */
    private static final int PARENT = 1;

    private static final int FLAGS = 6;
    private static final int USER_TIME = 11;
    private static final int SYSTEM_TIME = 12;
    private static final int CHILDREN_USER_TIME = 13;
    private static final int CHILDREN_SYSTEM_TIME = 14;
    private static final int THREADS = 17;
    /** The flag of a kernel thread. */
    private static final long OF_KERNEL = 0x0020_0000;
    /** A zombie: it has ended, does nothing more, and may vanish at any moment. */
    private static final String ZOMBIE = "Z";

    static final long[] UNTOLD = new long[2];
    private static final int MOST_READINGS = 11;
    /** Ended threads are forgotten once they outnumber the running threads by more than this. */
    private static final int MOST_ENDED = 1_000;

    private final DatabaseProcesses database;
    private final long self;
    private final Path proc;
    /** Tells for each thread number whether the thread's name is that of a compiler of Java. */
    private final Map<Long, Boolean> compilers = new HashMap<>();

    private final Map<String, Long> counts =
            new HashMap<>(Map.of("database", 0L, GENERATOR, 0L, "kernel", 0L, "waited", 0L));
    private Map<Long, Long> lastOthers = Map.of();
    private Map<Long, Entry> lastOurs = Map.of();
    /** The waits of all threads seen, which are kept since the kernel may omit running threads while others end. */
    private final Map<Long, Long> lastWaits = new HashMap<>();

    private Set<Long> generators = Set.of();
    private long ended;

    /**
     * @param self the process of the load generator; it and the processes that it starts are not counted among the others
     * @param proc the kernel's directory of processes; without it no processes are seen
     */
    ProcessTimes(DatabaseProcesses database, long self, Path proc) {
        this.database = database;
        this.self = self;
        this.proc = proc;
    }

    /** Counts these processes as the load generator's from now on, whoever started them. */
    void countAsGenerator(Collection<Long> processes) {
        generators = Set.copyOf(processes);
    }

    /**
     * A copy of the times so far, in nanoseconds, by name. {@code database} counts from before the first reading; the others count from it:
     * {@link #GENERATOR}, {@code kernel}, {@code program/sshd} of others, and {@code waited}. The last name stands for how long threads of
     * database and load generator were ready to run while others ran, except between the last reading and a thread's end.
     */
    Map<String, Long> counts() {
        return Map.copyOf(counts);
    }

    /** Returns the database's processes at the last reading. */
    Set<Long> databaseProcesses() {
        return Set.copyOf(lastOurs.keySet());
    }

    /** Returns how much the processes of a database have used of one resource so far; empty if no process reports its use. */
    static OptionalLong sum(DatabaseProcesses database, Function<Entry, OptionalLong> used) {
        long self = ProcessHandle.current().pid();
        Function<List<Entry>, Set<Long>> found = all -> database.among(all, entry -> isOf(self, entry));
        List<Entry> all = settled(() -> read(PROC), Set.of(), found);
        Set<Long> ours = found.apply(all);
        return all.stream()
                .filter(entry -> ours.contains(entry.process()))
                .flatMapToLong(entry -> used.apply(entry).stream())
                .reduce(Long::sum);
    }

    void look() {
        look(() -> read(proc), this::waits);
    }

    /** @param processes reads all processes, one after the other */
    void look(Supplier<List<Entry>> processes, Function<Entry, Map<Long, Long>> waits) {
        List<Entry> entries = settled(
                processes,
                lastOurs.keySet(),
                all -> all.stream()
                        .map(Entry::process)
                        .filter(lastOurs::containsKey)
                        .collect(Collectors.toSet()));
        Set<Long> ofDatabase = database.among(entries, this::isGenerator);
        Map<Long, Entry> nowOurs = new HashMap<>();
        Map<Long, Long> nowOthers = new HashMap<>();
        Map<Long, Long> nowWaits = new HashMap<>();
        for (Entry entry : entries) {
            boolean isOurs = ofDatabase.contains(entry.process());
            boolean isGenerator = isGenerator(entry);
            if (isOurs) {
                nowOurs.put(entry.process(), entry);
            } else if (entry.process() != self) {
                nowOthers.put(entry.process(), entry.cpuNanos());
                String whose = isGenerator
                        ? GENERATOR
                        : entry.kind() == Kind.KERNEL ? "kernel" : HostCounts.PROGRAM + entry.name();
                if (!lastOthers.isEmpty()) {
                    // A process that was not there at the last reading has used all of its time since then.
                    add(whose, since(lastOthers.getOrDefault(entry.process(), 0L), entry.cpuNanos()));
                }
            }
            if (isOurs || isGenerator) {
                boolean isWhole = !lastWaits.isEmpty() && entry.kind() == Kind.ONE_THREAD;
                waits.apply(entry).forEach((thread, now) -> {
                    if (now > 0) {
                        add("waited", since(lastWaits.getOrDefault(thread, isWhole ? 0L : now), now));
                        nowWaits.put(thread, now);
                    }
                });
            }
        }
        // The parent's times include those of an ended process; if the parent has ended, too, as when a server stops,
        // they are kept here.
        for (Entry entry : lastOurs.values()) {
            if (!nowOurs.containsKey(entry.process()) && !nowOurs.containsKey(entry.parent())) {
                ended += entry.allCpuNanos();
            }
        }
        long running = nowOurs.values().stream().mapToLong(Entry::allCpuNanos).sum();
        counts.merge("database", ended + running, Math::max);
        lastOurs = nowOurs;
        lastOthers = nowOthers;
        if (lastWaits.size() > 2 * nowWaits.size() + MOST_ENDED) {
            lastWaits.clear();
        }
        lastWaits.putAll(nowWaits);
    }

    /**
     * A process that ends during a reading may be missed in both places: its parent was read before the end, and the process itself would
     * have been read afterwards. All sessions of a run may end at once, during the last reading. So all processes are read again until no
     * watched process has ended meanwhile, {@value #MOST_READINGS} times at most.
     */
    private static List<Entry> settled(
            Supplier<List<Entry>> processes, Set<Long> known, Function<List<Entry>, Set<Long>> watched) {
        Set<Long> before = known;
        for (int reading = 1; ; reading++) {
            List<Entry> entries = processes.get();
            Set<Long> there = watched.apply(entries);
            if (there.equals(before) || reading == MOST_READINGS) {
                return entries;
            }
            before = there;
        }
    }

    private boolean isGenerator(Entry entry) {
        return isOf(self, entry) || generators.contains(entry.process());
    }

    /** Returns whether an entry is the process with this number, or was started by that process. */
    private static boolean isOf(long self, Entry entry) {
        return entry.process() == self || entry.parent() == self;
    }

    private void add(String name, long nanos) {
        counts.merge(name, nanos, Long::sum);
    }

    /** If a number became smaller, another thread or process has got its identifier since the last reading. */
    private static long since(long before, long now) {
        return now >= before ? now - before : now;
    }

    /**
     * Reads all visible processes from {@code /proc/<process>/stat}, as proc(5) describes it. For a process with one thread {@code
     * schedstat} is read, too: {@code stat} cuts off up to 10 ms each of user and system time, which makes 1.5 s for 150 new sessions.
     *
     * @param proc where the kernel shows processes
     * @see <a href="https://docs.kernel.org/scheduler/sched-stats.html">/proc/pid/schedstat</a>
     */
    static List<Entry> read(Path proc) {
        List<Entry> entries = new ArrayList<>();
        try (DirectoryStream<Path> processes = numbers(proc)) {
            for (Path process : processes) {
                line(process.resolve("stat"))
                        .flatMap(stat -> parse(stat, () -> scheduled(process)))
                        .ifPresent(entries::add);
            }
        } catch (IOException unreadable) {
            return List.of();
        }
        return entries;
    }

    @SuppressWarnings("StreamResourceLeak") // The caller closes it.
    private static DirectoryStream<Path> numbers(Path directory) throws IOException {
        return Files.newDirectoryStream(
                directory,
                entry -> Character.isDigit(entry.getFileName().toString().charAt(0)));
    }

    /** Reads a line of the kernel at once, since channels would take twice as many system calls. */
    private static Optional<String> line(Path file) {
        try (FileInputStream kernel = new FileInputStream(file.toFile())) {
            byte[] line = new byte[LONGEST_LINE];
            return Optional.of(new String(line, 0, Math.max(0, kernel.read(line)), StandardCharsets.ISO_8859_1));
        } catch (IOException ended) {
            return Optional.empty();
        }
    }

    /**
     * Returns for how long each thread of a process has been ready to run while others ran, in nanoseconds, by thread number, without
     * Java's compiler threads, for which no search waits. Empty if unknown.
     */
    Map<Long, Long> waits(Entry process) {
        if (process.kind() == Kind.ONE_THREAD) {
            return Map.of(process.process(), process.waitedNanos());
        }
        Map<Long, Long> waits = new HashMap<>();
        try (DirectoryStream<Path> threads = numbers(proc.resolve(process.process() + "/task"))) {
            for (Path thread : threads) {
                long number = Long.parseLong(thread.getFileName().toString());
                boolean compiles = compilers.computeIfAbsent(
                        number,
                        unseen -> line(thread.resolve("comm"))
                                .filter(name -> name.contains("CompilerThre"))
                                .isPresent());
                if (!compiles) {
                    waits.put(number, scheduled(thread)[1]);
                }
            }
        } catch (IOException ended) {
            return Map.of();
        }
        return waits;
    }

    /** Returns how long a thread ran, and how long others ran while it was ready, in nanoseconds; 0 if the scheduler reports neither. */
    private static long[] scheduled(Path thread) {
        List<String> fields = OwnHost.fields(line(thread.resolve("schedstat")).orElse(""), 2);
        return fields.size() < 2
                ? UNTOLD
                : fields.stream().mapToLong(Long::parseLong).toArray();
    }

    /**
     * Parses a line. The name of the program is in parentheses and may itself contain parentheses and spaces.
     *
     * @param scheduled how long the first thread ran and waited; read only if there is no other thread
     */
    static Optional<Entry> parse(String stat, Supplier<long[]> scheduled) {
        int open = stat.indexOf('(');
        int close = stat.lastIndexOf(')');
        List<String> fields = OwnHost.fields(stat.substring(close + 1), THREADS + 1);
        if (open < 0
                || close < open
                || fields.size() <= THREADS
                || fields.get(0).equals(ZOMBIE)) {
            return Optional.empty();
        }
        long[] numbers = new long[fields.size()];
        for (int i = PARENT; i < numbers.length; i++) {
            numbers[i] = Long.parseLong(fields.get(i));
        }
        long ticked = (numbers[USER_TIME] + numbers[SYSTEM_TIME]) * NANOS_PER_TICK;
        Kind kind = (numbers[FLAGS] & OF_KERNEL) != 0
                ? Kind.KERNEL
                : numbers[THREADS] == 1 ? Kind.ONE_THREAD : Kind.SEVERAL_THREADS;
        long[] first = kind == Kind.ONE_THREAD ? scheduled.get() : UNTOLD;
        return Optional.of(new Entry(
                Long.parseLong(stat.substring(0, open).strip()),
                numbers[PARENT],
                stat.substring(open + 1, close),
                Math.max(ticked, first[0]),
                (numbers[CHILDREN_USER_TIME] + numbers[CHILDREN_SYSTEM_TIME]) * NANOS_PER_TICK,
                kind,
                first[1]));
    }

    /**
     * One process.
     *
     * @param name of its program, without directory and arguments
     * @param cpuNanos CPU time it has used, user and system
     * @param endedChildrenNanos the CPU time of all ended children of the process, and of their ended children
     * @param kind of process
     * @param waitedNanos for how long it has been ready to run while others ran, if it has one thread; else 0
     */
    record Entry(
            long process,
            long parent,
            String name,
            long cpuNanos,
            long endedChildrenNanos,
            Kind kind,
            long waitedNanos) {
        long allCpuNanos() {
            return cpuNanos + endedChildrenNanos;
        }

        /** The bytes that the process and its ended children had to read from disks, see proc(5); empty if hidden from this user. */
        OptionalLong diskBytes() {
            try (Stream<String> lines = Files.lines(PROC.resolve(process + "/io"))) {
                return lines.filter(line -> line.startsWith("read_bytes: "))
                        .mapToLong(line -> Long.parseLong(line.substring("read_bytes: ".length())))
                        .findFirst();
            } catch (IOException | UncheckedIOException endedOrRefused) {
                return OptionalLong.empty();
            }
        }
    }

    enum Kind {
        ONE_THREAD,
        SEVERAL_THREADS,
        /** A kernel thread: a part of the system, not a program. */
        KERNEL
    }
}
