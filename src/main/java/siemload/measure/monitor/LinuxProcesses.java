package siemload.measure.monitor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads {@code /proc/<process>/stat}, as proc(5) describes it. */
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
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                read(process).ifPresent(entries::add);
            }
        } catch (IOException unreadable) {
            return List.of();
        }
        return entries;
    }

    private static Optional<Entry> read(Path process) {
        try {
            byte[] stat = Files.readAllBytes(process.resolve("stat"));
            return parse(new String(stat, StandardCharsets.ISO_8859_1));
        } catch (IOException ended) {
            return Optional.empty();
        }
    }

    /** A name stands in parentheses and may hold anything, parentheses and spaces too. */
    static Optional<Entry> parse(String stat) {
        int open = stat.indexOf('(');
        int close = stat.lastIndexOf(')');
        if (open < 0 || close < open) {
            return Optional.empty();
        }
        String[] fields = stat.substring(close + 1).strip().split(" ", CHILDREN_SYSTEM_TIME + 2);
        if (fields.length <= CHILDREN_SYSTEM_TIME || fields[STATE].equals(ZOMBIE)) {
            return Optional.empty();
        }
        return Optional.of(new Entry(
                Long.parseLong(stat.substring(0, open).strip()),
                Long.parseLong(fields[PARENT]),
                stat.substring(open + 1, close),
                nanos(fields[USER_TIME]) + nanos(fields[SYSTEM_TIME]),
                nanos(fields[CHILDREN_USER_TIME]) + nanos(fields[CHILDREN_SYSTEM_TIME])));
    }

    private static long nanos(String ticks) {
        return Long.parseLong(ticks) * NANOS_PER_TICK;
    }
}
