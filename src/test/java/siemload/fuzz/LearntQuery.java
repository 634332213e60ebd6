package siemload.fuzz;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.config.SettingSources;
import siemload.config.Settings;
import siemload.database.TargetPlugins;
import siemload.run.learn.LearntScenario;
import siemload.run.learn.QueryLearner;
import siemload.scenario.ScenarioReader;

/** Learns from a log of queries, and reads what was learnt: it is a fault if that is refused. */
final class LearntQuery {
    private LearntQuery() {}

    static void learn(Path log, Path scenario) throws IOException {
        learn(log, scenario, false);
        learn(log, scenario, true);
    }

    private static void learn(Path log, Path scenario, boolean writes) throws IOException {
        LearntScenario.of(scenario)
                .write(QueryLearner.learn(
                        TargetPlugins.find("postgresql").orElseThrow(),
                        List.of(log),
                        new QueryLearner.Taken(Optional.empty(), Optional.empty(), writes),
                        1,
                        file -> {}));
        Settings settings = Settings.of(new SettingSources(
                Map.of(Property.SCENARIO.name(), scenario.toString(), Property.DATA.name(), "existing"),
                Map.of(),
                Map.of()));
        try {
            ScenarioReader.read(Path.of(""), settings);
        } catch (ConfigException refused) {
            throw new IllegalStateException("what was learnt is refused: " + refused.getMessage(), refused);
        }
    }
}
