package siemload.config;

import java.util.Map;

/**
 * Where settings come from, strongest first. Immutable.
 *
 * @param options given to a command of {@code siemload}, by the names of {@link Property}
 * @param systemProperties all of the Java process
 * @param environment all its variables
 */
public record SettingSources(
        Map<String, String> options, Map<String, String> systemProperties, Map<String, String> environment) {

    /** Nothing is set: only defaults count. */
    public static final SettingSources NONE = new SettingSources(Map.of(), Map.of(), Map.of());

    public SettingSources {
        options = Map.copyOf(options);
        systemProperties = Map.copyOf(systemProperties);
        environment = Map.copyOf(environment);
    }

    @Override
    public String toString() {
        return "SettingSources[options=" + options.keySet() + "]";
    }
}
