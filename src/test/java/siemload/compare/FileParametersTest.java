package siemload.compare;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.config.ConfigException;

class FileParametersTest {
    @TempDir
    private Path directory = Path.of("");

    /** Each target decides for itself. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        settings: {parameters: "archive_command=touch /tmp/x"}                     | archive_command cannot be set by a file
        axis: {parameters: [jit=off, restore_command=x]}                           | restore_command cannot be set by a file
        settings: {target: oracle, parameters: "current_schema=SYS"}               | no parameter of oracle can be set by a file
        'axis: {target: [postgresql, scripted]}\nsettings: {parameters: jit=off}' | scripted
        """)
    void whatATargetDoesNotTakeFromAFileIsRefused(String yaml, String words) throws IOException {
        Experiment read = read(yaml.replace("\\n", "\n"));
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ExperimentPlan.requireHarmless(read, List.of(), read))
                .withMessageContaining("experiment mine")
                .withMessageContaining(words);
    }

    @Test
    void whatTunesAndValuesOfTheCommandLineAreTaken() throws IOException {
        Experiment tuned = read("settings: {parameters: \"work_mem=64MB\"}");
        Experiment own = read("axis: {parameters: [jit=off, restore_command=x]}");
        assertThatCode(() -> {
                    ExperimentPlan.requireHarmless(tuned, List.of(), tuned);
                    ExperimentPlan.requireHarmless(own, List.of("jit=on", "archive_command=x"), own);
                })
                .doesNotThrowAnyException();
    }

    private Experiment read(String yaml) throws IOException {
        String axis = yaml.contains("axis:") ? "" : "axis: {hint: [none, index]}\n";
        Path file = Files.writeString(
                directory.resolve("mine.yaml"), "question: Q?\nscenario: hawat\n" + axis + yaml + "\n");
        return ExperimentReader.read(directory, file.toString()).experiments().get(0);
    }
}
