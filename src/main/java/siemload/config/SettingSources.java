package siemload.config;

import java.util.List;
import java.util.Map;

/**
 * Where settings come from, strongest first. Immutable; its text shows no value.
 *
 * @param options given to a command of {@code siemload}, by the names of {@link Property} or by paths in the scenario
 * @param systemProperties all of the Java process
 * @param environment all its variables
 */
public record SettingSources(
        List<Setting> options, Map<String, String> systemProperties, Map<String, String> environment) {

    public SettingSources {
        options = List.copyOf(options);
        systemProperties = Map.copyOf(systemProperties);
        environment = Map.copyOf(environment);
    }

    /** Sources whose options were all given as {@code --name} or by {@code --set}. */
    public SettingSources(
            Map<String, String> options, Map<String, String> systemProperties, Map<String, String> environment) {
        this(
                options.entrySet().stream()
                        .map(one -> Setting.option(one.getKey(), one.getValue()))
                        .toList(),
                systemProperties,
                environment);
    }

    @Override
    public String toString() {
        return "SettingSources[options=" + options.stream().map(Setting::name).toList() + "]";
    }
}
