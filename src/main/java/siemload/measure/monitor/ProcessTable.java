package siemload.measure.monitor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * All processes of this machine. Used by one thread.
 *
 * <p>OSHI has one, too, but reads half a dozen files for each process: 10 to 20 ms of CPU on a machine with 90 of them,
 * against 1.5 ms here.
 */
interface ProcessTable {

    /** Those that run now and can be seen. */
    List<Entry> read();

    /** Whether {@link Entry#endedChildrenNanos} is known. */
    boolean knowsEndedChildren();

    /**
     * For how long the threads of a process have been ready to run while others ran, in nanoseconds, by the number of each; without those
     * that compile Java, for which no search waits. Empty where nobody tells.
     */
    Map<Long, Long> waits(Entry process);

    /**
     * One process.
     *
     * @param name of its program, without directory and arguments
     * @param cpuNanos CPU time it has used, user and system
     * @param endedChildrenNanos the same of all its children that have ended, and of theirs
     * @param kind what it is
     * @param waitedNanos for how long it has been ready to run while others ran, where it has one thread; else 0
     */
    record Entry(
            long process,
            long parent,
            String name,
            long cpuNanos,
            long endedChildrenNanos,
            Kind kind,
            long waitedNanos) {}

    /** What a process is. */
    enum Kind {
        ONE_THREAD,
        SEVERAL_THREADS,
        /** A thread of the kernel: a part of the system, and no program. */
        KERNEL
    }

    /** The cheapest one that this machine has. */
    static ProcessTable ofThisMachine() {
        return LinuxProcesses.isThere() ? new LinuxProcesses() : new JavaProcesses();
    }

    /**
     * Reads {@code /proc/<process>/stat}, as proc(5) describes it, and of a process of one thread {@code schedstat}, too: the former cuts
     * off up to 10 ms twice, which are 1.5 s for a hundred and fifty sessions that have just begun.
     *
     * @see <a href="https://docs.kernel.org/scheduler/sched-stats.html">/proc/pid/schedstat</a>
     */
    final class LinuxProcesses implements ProcessTable {
        private static final Path PROC = Path.of("/proc");
        private static final String SCHEDULED = "schedstat";
        /** What user programs see is a hundred ticks a second on all machines that Java runs on. */
        private static final long NANOS_PER_TICK = 10_000_000;
        /** The fields after the name, of which the first, the state, is number 3 in the manual. */
        private static final int STATE = 0;

        private static final int PARENT = 1;
        private static final int USER_TIME = 11;
        private static final int SYSTEM_TIME = 12;
        private static final int CHILDREN_USER_TIME = 13;
        private static final int CHILDREN_SYSTEM_TIME = 14;
        private static final int THREADS = 17;
        private static final int FLAGS = 6;
        /** Among the flags of a process: a thread of the kernel. */
        private static final long OF_KERNEL = 0x0020_0000;
        /** It has ended, and its parent has not asked how: it does and reads nothing more, and is gone at any moment. */
        private static final String ZOMBIE = "Z";

        private final Path proc;
        /** Threads of whose names it is known that they compile, or do not. */
        private final Map<Long, Boolean> compilers = new HashMap<>();

        LinuxProcesses() {
            this(PROC);
        }

        /** @param proc where the kernel shows processes */
        LinuxProcesses(Path proc) {
            this.proc = proc;
        }

        static boolean isThere() {
            return Files.isReadable(PROC.resolve("self/stat"));
        }

        @Override
        public boolean knowsEndedChildren() {
            return true;
        }

        @Override
        public List<Entry> read() {
            List<Entry> entries = new ArrayList<>();
            try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, LinuxProcesses::isNumber)) {
                for (Path process : processes) {
                    read(process).ifPresent(entries::add);
                }
            } catch (IOException unreadable) {
                return List.of();
            }
            return entries;
        }

        private static boolean isNumber(Path entry) {
            char first = entry.getFileName().toString().charAt(0);
            return first >= '0' && first <= '9';
        }

        private static Optional<Entry> read(Path process) {
            try {
                byte[] stat = Files.readAllBytes(process.resolve("stat"));
                return parse(new String(stat, StandardCharsets.ISO_8859_1), () -> scheduled(process));
            } catch (IOException ended) {
                return Optional.empty();
            }
        }

        @Override
        public Map<Long, Long> waits(Entry process) {
            if (process.kind() == Kind.ONE_THREAD) {
                return Map.of(process.process(), process.waitedNanos());
            }
            Map<Long, Long> waits = new HashMap<>();
            try (DirectoryStream<Path> threads = Files.newDirectoryStream(
                    proc.resolve(Long.toString(process.process())).resolve("task"), LinuxProcesses::isNumber)) {
                for (Path thread : threads) {
                    long number = Long.parseLong(thread.getFileName().toString());
                    if (!compilers.computeIfAbsent(number, unseen -> compiles(thread))) {
                        waits.put(number, scheduled(thread).waitedNanos());
                    }
                }
            } catch (IOException ended) {
                return Map.of();
            }
            return waits;
        }

        private static boolean compiles(Path thread) {
            try {
                return Files.readString(thread.resolve("comm")).contains("CompilerThre");
            } catch (IOException ended) {
                return false;
            }
        }

        /**
         * What the scheduler did with a thread.
         *
         * @param waitedNanos for how long it was ready to run while others ran
         */
        record Scheduled(long ranNanos, long waitedNanos) {
            static final Scheduled UNTOLD = new Scheduled(0, 0);
        }

        private static Scheduled scheduled(Path thread) {
            try {
                List<String> fields = KernelLine.fields(Files.readString(thread.resolve(SCHEDULED)), 2);
                return new Scheduled(Long.parseLong(fields.get(0)), Long.parseLong(fields.get(1)));
            } catch (IOException | IndexOutOfBoundsException | NumberFormatException untold) {
                return Scheduled.UNTOLD;
            }
        }

        /**
         * A name stands in parentheses and may hold anything, parentheses and spaces too.
         *
         * @param scheduled what the scheduler did with the first thread; asked where there is no other one
         */
        static Optional<Entry> parse(String stat, Supplier<Scheduled> scheduled) {
            int open = stat.indexOf('(');
            int close = stat.lastIndexOf(')');
            if (open < 0 || close < open) {
                return Optional.empty();
            }
            List<String> fields = KernelLine.fields(stat.substring(close + 1), THREADS + 1);
            if (fields.size() <= THREADS || fields.get(STATE).equals(ZOMBIE)) {
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
            Scheduled first = kind == Kind.ONE_THREAD ? scheduled.get() : Scheduled.UNTOLD;
            return Optional.of(new Entry(
                    Long.parseLong(stat.substring(0, open).strip()),
                    numbers[PARENT],
                    stat.substring(open + 1, close),
                    Math.max(ticked, first.ranNanos()),
                    (numbers[CHILDREN_USER_TIME] + numbers[CHILDREN_SYSTEM_TIME]) * NANOS_PER_TICK,
                    kind,
                    first.waitedNanos()));
        }
    }

    /** What Java knows of processes on every system; of those of other users perhaps nothing. */
    final class JavaProcesses implements ProcessTable {

        @Override
        public boolean knowsEndedChildren() {
            return false;
        }

        @Override
        public List<Entry> read() {
            return ProcessHandle.allProcesses().map(JavaProcesses::entry).toList();
        }

        private static Entry entry(ProcessHandle process) {
            ProcessHandle.Info info = process.info();
            return new Entry(
                    process.pid(),
                    process.parent().map(ProcessHandle::pid).orElse(0L),
                    info.command().map(JavaProcesses::name).orElse("?"),
                    info.totalCpuDuration().orElse(Duration.ZERO).toNanos(),
                    0,
                    Kind.SEVERAL_THREADS,
                    0);
        }

        @Override
        public Map<Long, Long> waits(Entry process) {
            return Map.of();
        }

        private static String name(String command) {
            Path name = Path.of(command).getFileName();
            return name == null ? command : name.toString();
        }
    }
}
