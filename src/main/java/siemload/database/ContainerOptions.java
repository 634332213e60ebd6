package siemload.database;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a container that is to run a server gets. The text form never shows the password. Immutable.
 *
 * @param password the administrator's password, made for this one start: letters and digits, 29 of them, a letter first
 * @param memoryBytes the limit of its memory, of which the server should use what an expert would let it use
 * @param cpus the limit of its processors
 * @param sessions how many connections the server must accept at once
 * @param parameters those of the run, by name, of which the server takes what can only be set at its start
 */
public record ContainerOptions(
        String password, long memoryBytes, double cpus, int sessions, Map<String, String> parameters) {

    public ContainerOptions {
        parameters = Collections.unmodifiableMap(new TreeMap<>(parameters));
    }

    /** Without parameters. */
    public ContainerOptions(String password, long memoryBytes, double cpus, int sessions) {
        this(password, memoryBytes, cpus, sessions, Map.of());
    }

    @Override
    public String toString() {
        return "ContainerOptions[memoryBytes=" + memoryBytes + ", cpus=" + cpus + ", sessions=" + sessions
                + ", parameters=" + parameters + "]";
    }
}
