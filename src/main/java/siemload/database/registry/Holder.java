package siemload.database.registry;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A process that uses something on a server, so that others of the same machine see whether it is still there. Immutable.
 *
 * @param machine the start of the operating system and the space of its process numbers; empty where that cannot be told
 * @param process its number
 * @param start when it started, in the system's own count since its own start
 */
public record Holder(String machine, long process, String start) {
    private static final Pattern TEXT = Pattern.compile("(\\S+) (\\d{1,18}) (\\d+)");
    private static final Path PROCESSES = Path.of("/proc");
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Path SPACE = Path.of("/proc/self/ns/pid");
    /** In {@code /proc/<number>/status}: one number for each space, the innermost last. */
    private static final String NUMBERS = "NSpid:";
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

    /**
     * The numbers by which this process sees those that wrote these texts, as far as they run on this machine and can be seen: a process
     * in a container has another number outside of it.
     */
    public static Set<Long> numbersHere(Collection<String> texts) {
        String system = system(thisMachine());
        Set<String> wanted = new HashSet<>();
        for (String text : texts) {
            Matcher written = TEXT.matcher(text);
            if (!system.isEmpty() && written.matches() && system.equals(system(written.group(1)))) {
                wanted.add(written.group(2) + " " + written.group(3));
            }
        }
        return wanted.isEmpty() ? Set.of() : numbers(wanted);
    }

    /** @param wanted the number in the innermost space, and the start, of each */
    private static Set<Long> numbers(Set<String> wanted) {
        Set<Long> found = new HashSet<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
            for (Path process : processes) {
                long number = Long.parseLong(String.valueOf(process.getFileName()));
                String start = startOf(number).orElse("");
                if (wanted.stream().anyMatch(one -> one.endsWith(" " + start))
                        && wanted.contains(innermost(process) + " " + start)) {
                    found.add(number);
                }
            }
        } catch (IOException unreadable) {
            return Set.of();
        }
        return found;
    }

    /** The number that a process has for itself; empty where it is gone. */
    private static String innermost(Path process) {
        try (Stream<String> lines = Files.lines(process.resolve("status"), StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> line.startsWith(NUMBERS))
                    .map(line -> line.substring(line.lastIndexOf('\t') + 1))
                    .findFirst()
                    .orElse("");
        } catch (IOException | UncheckedIOException gone) {
            return "";
        }
    }

    /** The start of the operating system alone, which containers share. */
    private static String system(String machine) {
        return machine.split("/", 2)[0];
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
