package siemload.run.learn;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.database.querylog.QueryLog;

/** The files that something is learnt from, as messages speak of them. Stateless. */
final class LearntSources {
    private LearntSources() {}

    /**
     * Makes sure that one of them at least begins as a log does.
     *
     * @throws ConfigException if none of them does
     * @throws IOException if a file cannot be read
     */
    static void requireLogs(List<Path> files) throws IOException {
        for (Path file : files) {
            if (QueryLog.isOne(file)) {
                return;
            }
        }
        throw new ConfigException(origin(files), "is no log that can be read (needed: " + QueryLog.FORMATS + ")");
    }

    /** All of them together. */
    static Origin origin(List<Path> files) {
        return new Origin.WholeFile(files.stream().map(Path::toString).collect(Collectors.joining(", ")));
    }

    /**
     * Makes sure that it is clear whose statements are learnt.
     *
     * @param executions in the files, by the database
     * @throws ConfigException if there are several databases
     */
    static void requireOneDatabase(List<Path> files, Map<String, Long> executions) {
        if (executions.size() > 1) {
            throw new ConfigException(
                    origin(files),
                    "has statements of several databases (choose one by --from): "
                            + executions.entrySet().stream()
                                    .map(found ->
                                            String.format(Locale.ROOT, "%s (%,d)", found.getKey(), found.getValue()))
                                    .collect(Collectors.joining(", ")));
        }
    }
}
