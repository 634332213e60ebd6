package siemload.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import siemload.config.ConfigException;
import siemload.config.Problem;
import siemload.config.Settings;

/** A home directory with one scenario, {@code x}, for tests. */
record ScenarioFiles(Path home) {
    /** The smallest good scenario but for its objectives; line 3 is the first of the group. */
    static final String SMALL = """
            description: small
            analysts:
              - name: tier-1
                users: 10
                actions: {min: 4, max: 11}
                thinkTime: {distribution: exponential, mean: 4s}
                pause: {distribution: constant, value: 30s}
                window: {7d: 1}
                mix: {HAWAT1: 30}
                page: {size: 100}
            feeder: {eps: 200, batch: 50}
            phases: {warmup: 15s, measurement: 60s}
            """;

    Scenario read(String yaml, Map<String, String> properties) {
        try {
            Files.createDirectories(home.resolve("scenarios"));
            Files.writeString(home.resolve("scenarios/x.yaml"), yaml);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ScenarioReader.read(home, settings("x", properties));
    }

    /** The procedure of a scenario that has one. */
    Procedure procedure(String yaml, Map<String, String> properties) {
        return read(yaml, properties).procedure().orElseThrow();
    }

    /** The problems, one a line, without their excerpts. */
    String problemsOf(String yaml, Map<String, String> properties) {
        ConfigException thrown = catchThrowableOfType(ConfigException.class, () -> read(yaml, properties));
        assertThat(thrown).as("the problems of %s%n%s", properties, yaml).isNotNull();
        return thrown.problems().stream().map(Problem::toString).collect(Collectors.joining("\n"));
    }

    static Settings settings(String scenario, Map<String, String> properties) {
        return Settings.of(Map.of("scenario", scenario), properties, Map.of());
    }
}
