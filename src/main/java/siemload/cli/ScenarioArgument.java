package siemload.cli;

import java.util.Iterator;
import picocli.CommandLine.Parameters;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.scenario.ScenarioReader;

/** The scenario as the first word after a command, in place of {@code --scenario}. */
final class ScenarioArgument {
    @Parameters(
            arity = "0..1",
            paramLabel = "SCENARIO",
            completionCandidates = Names.class,
            description = "a name in scenarios/, or a YAML file")
    private String scenario = "";

    /**
     * A host for which it is an option like the others.
     *
     * @throws ConfigException if an option names another scenario
     */
    ProcessHost host() {
        if (scenario.isEmpty()) {
            return new ProcessHost();
        }
        String option = ProcessHost.option(Property.SCENARIO.name()).orElse(scenario);
        if (!option.equals(scenario)) {
            throw new ConfigException(
                    ProcessHost.originOfOption(Property.SCENARIO.name()),
                    "'" + option + "', after '" + scenario + "' as the first word: leave one of them out");
        }
        ProcessHost.addOption(Property.SCENARIO.name(), scenario, new Origin.Argument("SCENARIO"));
        return new ProcessHost();
    }

    /** What a shell may complete. */
    static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return ScenarioReader.names(new ProcessHost().home()).iterator();
        }
    }
}
