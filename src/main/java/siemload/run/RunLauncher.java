package siemload.run;

import java.util.List;
import java.util.Map;
import siemload.config.SettingSources;
import siemload.config.Settings;

/**
 * How this program is started once more, for a run in a process of its own. Immutable.
 *
 * @param java the virtual machine and its arguments
 * @param classPath of this process
 * @param mainClass takes the command line
 * @param environment the variables that such a process inherits
 */
public record RunLauncher(List<String> java, String classPath, String mainClass, Map<String, String> environment) {

    public RunLauncher {
        java = List.copyOf(java);
        environment = Map.copyOf(environment);
    }

    /** This launcher with another environment. */
    public RunLauncher with(Map<String, String> otherEnvironment) {
        return new RunLauncher(java, classPath, mainClass, otherEnvironment);
    }

    /**
     * The settings that such a run has.
     *
     * @param options by the names of properties
     * @throws siemload.config.ConfigException if one of them is unknown or out of range
     */
    public Settings settings(Map<String, String> options) {
        return Settings.of(new SettingSources(options, Map.of(), environment));
    }
}
