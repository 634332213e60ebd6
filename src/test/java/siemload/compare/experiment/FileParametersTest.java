package siemload.compare.experiment;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.config.ConfigException;

/** The file of an experiment can tune a database, and make it do nothing else. */
class FileParametersTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    void aCommandIsRefusedInTheSettingsAndOnTheAxis() throws IOException {
        assertRefused(
                "settings: {parameters: \"archive_command=touch /tmp/x\"}", "archive_command cannot be set by a file");
        assertRefused("axis: {parameters: [jit=off, restore_command=x]}", "restore_command cannot be set by a file");
    }

    @Test
    void eachTargetDecidesForItself() throws IOException {
        assertRefused(
                "settings: {target: oracle, parameters: \"current_schema=SYS\"}",
                "current_schema cannot be set by a file: only parameters of optimizer");
        assertRefused("axis: {target: [postgresql, scripted]}\nsettings: {parameters: jit=off}", "scripted");
        Experiment tuned = read("settings: {target: oracle, parameters: \"optimizer_index_cost_adj=20\"}");
        assertThatCode(() -> ExperimentPlan.requireHarmless(tuned, List.of(), tuned))
                .doesNotThrowAnyException();
    }

    @Test
    void valuesOfTheCommandLineAreTheUsersOwn() throws IOException {
        Experiment read = read("axis: {parameters: [jit=off, restore_command=x]}");
        assertThatCode(() -> ExperimentPlan.requireHarmless(read, List.of("jit=on", "archive_command=x"), read))
                .doesNotThrowAnyException();
    }

    private void assertRefused(String yaml, String words) throws IOException {
        Experiment read = read(yaml);
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ExperimentPlan.requireHarmless(read, List.of(), read))
                .withMessageContaining("experiment mine")
                .withMessageContaining(words);
    }

    private Experiment read(String yaml) throws IOException {
        String axis = yaml.contains("axis:") ? "" : "axis: {hint: [none, index]}\n";
        Path file = Files.writeString(
                directory.resolve("mine.yaml"), "question: Q?\nscenario: hawat\n" + axis + yaml + "\n");
        return ExperimentReader.read(directory, file.toString()).experiments().get(0);
    }
}
