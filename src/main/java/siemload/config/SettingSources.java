package siemload.config;

import java.util.Map;

/**
 * Where settings come from, strongest first. Immutable.
 *
 * @param options given to a command of {@code siemload}, by the names of {@link Property}
 * @param origins of those options that were not given as {@code --name}
 * @param systemProperties all of the Java process
 * @param environment all its variables
 */
public record SettingSources(
        Map<String, String> options,
        Map<String, Origin> origins,
        Map<String, String> systemProperties,
        Map<String, String> environment) {

    /** Nothing is set: only defaults count. */
    public static final SettingSources NONE = new SettingSources(Map.of(), Map.of(), Map.of());

    public SettingSources {
        options = Map.copyOf(options);
        origins = Map.copyOf(origins);
        systemProperties = Map.copyOf(systemProperties);
        environment = Map.copyOf(environment);
    }

    /** Sources whose options were all given as {@code --name}. */
    public SettingSources(
            Map<String, String> options, Map<String, String> systemProperties, Map<String, String> environment) {
        this(options, Map.of(), systemProperties, environment);
    }

    /** How an option was given. */
    Origin origin(String option) {
        return origins.getOrDefault(option, new Origin.Option(Settings.isOfScenario(option) ? "set" : option));
    }

    @Override
    public String toString() {
        return "SettingSources[options=" + options.keySet() + "]";
    }
}
