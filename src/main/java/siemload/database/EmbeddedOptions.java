package siemload.database;

import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * How an embedded server is started. Immutable.
 *
 * @param directory where it keeps its data between runs; created if missing
 * @param sessions how many connections it must accept at once
 * @param parameters those of the run, by name, of which the server takes what can only be set at its start
 */
public record EmbeddedOptions(Path directory, int sessions, Map<String, String> parameters) {

    public EmbeddedOptions {
        parameters = Collections.unmodifiableMap(new TreeMap<>(parameters));
    }

    /** Without parameters. */
    public EmbeddedOptions(Path directory, int sessions) {
        this(directory, sessions, Map.of());
    }
}
