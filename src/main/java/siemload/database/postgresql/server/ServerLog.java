package siemload.database.postgresql.server;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds in what a program of PostgreSQL said the line that says why it failed, and knows what can be done. */
final class ServerLog {
    private static final List<String> DECISIVE =
            List.of("PANIC:", "FATAL:", "ERROR:", "error:", "fatal:", "could not fork");

    /** The first that fits. */
    private static final List<Advice> ADVICE = List.of(
            new Advice("No space left on device", "free some disk space, or use another cache directory"),
            new Advice(
                    "Cannot allocate memory",
                    "there is too little free memory: end other programs, or use your own server"),
            new Advice("shared memory", "give the machine or container more shared memory (Docker: --shm-size=256m)"),
            new Advice("cannot be run as root", "run as an ordinary user, or allow user namespaces (unshare -U)"),
            new Advice("Address already in use", "the port was taken meanwhile: try again, or name another port"),
            new Advice(
                    "Resource temporarily unavailable",
                    "this user may have no more processes: end some, or raise the limit (ulimit -u)"),
            new Advice("wrong ownership", "the directory belongs to another user: use another cache directory"),
            new Advice("user does not exist", "run as a user that the system knows by name"));

    private ServerLog() {}

    /** The decisive line in short, with advice where there is some. */
    static String decisiveLine(String output) {
        List<String> lines = output.lines().filter(line -> !line.isBlank()).toList();
        String line = lines.stream()
                .filter(ServerLog::isDecisive)
                .min(Comparator.comparingInt(ServerLog::severity))
                .map(ServerLog::shortened)
                .orElse(
                        lines.isEmpty()
                                ? "it said nothing"
                                : lines.get(lines.size() - 1).strip());
        return line + remedy(output).map(remedy -> "; " + remedy).orElse("");
    }

    /** The decisive line of a start on files that were there before, with the advice to delete them where no other is known. */
    static String decisiveLine(String output, Path data) {
        return remedy(output).isPresent()
                ? decisiveLine(output)
                : decisiveLine(output) + "; if its files are damaged, delete " + data
                        + ": they are made anew, and data sets are loaded again";
    }

    private static Optional<String> remedy(String output) {
        return ADVICE.stream()
                .filter(advice -> output.contains(advice.symptom()))
                .map(Advice::remedy)
                .findFirst();
    }

    private static boolean isDecisive(String line) {
        return severity(line) < DECISIVE.size();
    }

    private static int severity(String line) {
        int severity = 0;
        while (severity < DECISIVE.size() && !line.contains(DECISIVE.get(severity))) {
            severity++;
        }
        return severity;
    }

    /** Without the time and the process number before the severity. */
    private static String shortened(String line) {
        return line.substring(line.indexOf(DECISIVE.get(severity(line)))).strip();
    }

    private record Advice(String symptom, String remedy) {}
}
