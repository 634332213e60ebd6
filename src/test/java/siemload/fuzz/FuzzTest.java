package siemload.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Breaks at random what siemload reads. {@code -Dfuzz.seconds=600} or {@code -Dfuzz.cases=100000} for long, {@code
 * -Dfuzz.seed=N -Dfuzz.cases=1} for the one case that a failure names.
 */
@Tag("any-java")
class FuzzTest {
    @TempDir
    private Path directory = Path.of("");

    @ParameterizedTest
    @EnumSource
    void whateverAFileOfResultsHoldsItIsReadOrRefusedInOneLine(ResultReader reader) throws Exception {
        assertReadOrRefused(reader);
    }

    @ParameterizedTest
    @EnumSource
    void whateverUsersWriteOrBringIsReadOrRefusedInAFewLines(InputReader reader) throws Exception {
        assertReadOrRefused(reader);
    }

    private void assertReadOrRefused(FuzzedReader reader) throws Exception {
        Fuzzing fuzzing = new Fuzzing(reader, Files.createDirectory(directory.resolve("files")));

        Fuzzing.Tally tally = fuzzing.run();

        System.out.println(reader + ": " + tally);
        assertThat(tally.failures()).isEmpty();
    }
}
