package siemload.measure.monitor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Reads {@code /proc/<process>/stat}, as proc(5) describes it, and of a process of one thread {@code schedstat}, too: the former cuts
 * off up to 10 ms twice, which are 1.5 s for a hundred and fifty sessions that have just begun.
 *
 * @see <a href="https://docs.kernel.org/scheduler/sched-stats.html">/proc/pid/schedstat</a>
 */
final class LinuxProcesses implements ProcessTable {
    private static final Path PROC = Path.of("/proc");
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
    /** The parent of all threads of the kernel. */
    private static final long KERNEL = 2;
    /** It has ended, and its parent has not asked how: it does and reads nothing more, and is gone at any moment. */
    private static final String ZOMBIE = "Z";

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
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, LinuxProcesses::isProcess)) {
            for (Path process : processes) {
                read(process).ifPresent(entries::add);
            }
        } catch (IOException unreadable) {
            return List.of();
        }
        return entries;
    }

    private static boolean isProcess(Path entry) {
        char first = entry.getFileName().toString().charAt(0);
        return first >= '0' && first <= '9';
    }

    private static Optional<Entry> read(Path process) {
        try {
            byte[] stat = Files.readAllBytes(process.resolve("stat"));
            return parse(new String(stat, StandardCharsets.ISO_8859_1), () -> scheduledNanos(process));
        } catch (IOException ended) {
            return Optional.empty();
        }
    }

    /** For how long its first thread has run; 0 where the kernel does not tell. */
    private static long scheduledNanos(Path process) {
        try {
            String running = Files.readString(process.resolve("schedstat"));
            return Long.parseLong(running.substring(0, running.indexOf(' ')));
        } catch (IOException | IndexOutOfBoundsException | NumberFormatException untold) {
            return 0;
        }
    }

    /**
     * A name stands in parentheses and may hold anything, parentheses and spaces too.
     *
     * @param scheduled for how long the first thread has run; asked where there is no other one
     */
    static Optional<Entry> parse(String stat, LongSupplier scheduled) {
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
        boolean hasOneThread = numbers[THREADS] == 1 && numbers[PARENT] != KERNEL;
        return Optional.of(new Entry(
                Long.parseLong(stat.substring(0, open).strip()),
                numbers[PARENT],
                stat.substring(open + 1, close),
                hasOneThread ? Math.max(ticked, scheduled.getAsLong()) : ticked,
                (numbers[CHILDREN_USER_TIME] + numbers[CHILDREN_SYSTEM_TIME]) * NANOS_PER_TICK));
    }
}
