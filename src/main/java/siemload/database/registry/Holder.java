package siemload.database.registry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A process that uses something on a server, so that others of the same machine see whether it is still there. Immutable.
 *
 * @param machine the start of the operating system and the space of its process numbers; empty where that cannot be told
 * @param process its number
 * @param start when it started, in the system's own count since its own start
 */
public record Holder(String machine, long process, String start) {
    private static final Pattern TEXT = Pattern.compile("(\\S+) (\\d{1,18}) (\\d+)");
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Path SPACE = Path.of("/proc/self/ns/pid");
    /** In what follows the name of the program in {@code /proc/<number>/stat}, which may hold blanks. */
    private static final int START_FIELD = 19;

    /** This process. */
    public static Holder ofThisProcess() {
        long process = ProcessHandle.current().pid();
        return new Holder(thisMachine(), process, startOf(process).orElse("0"));
    }

    /** As it is written down. */
    public String text() {
        return (machine.isEmpty() ? "?" : machine) + " " + process + " " + start;
    }

    /** What became of whoever wrote this text, as far as this machine knows. */
    public static Life of(String text) {
        Matcher written = TEXT.matcher(text);
        String machine = thisMachine();
        if (!written.matches() || machine.isEmpty() || !written.group(1).equals(machine)) {
            return Life.UNKNOWN;
        }
        return startOf(Long.parseLong(written.group(2)))
                        .filter(start -> start.equals(written.group(3)))
                        .isPresent()
                ? Life.ALIVE
                : Life.GONE;
    }

    /** What is known of a holder. */
    public enum Life {
        ALIVE,
        GONE,
        /** It runs elsewhere. */
        UNKNOWN
    }

    private static String thisMachine() {
        try {
            return Files.readString(BOOT).strip() + "/"
                    + Files.readSymbolicLink(SPACE).toString().replaceAll("\\D", "");
        } catch (IOException anotherSystem) {
            return "";
        }
    }

    private static Optional<String> startOf(long process) {
        try {
            String state = Files.readString(Path.of("/proc", Long.toString(process), "stat"));
            String[] fields =
                    state.substring(state.lastIndexOf(')') + 1).strip().split(" ", -1);
            return fields.length > START_FIELD && !fields[0].equals("Z")
                    ? Optional.of(fields[START_FIELD])
                    : Optional.empty();
        } catch (IOException gone) {
            return Optional.empty();
        }
    }
}
