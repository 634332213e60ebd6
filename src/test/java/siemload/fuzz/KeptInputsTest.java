package siemload.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What {@code .ci/fuzz} has found: inputs that once were faults, and those that together reach all code that any has reached. */
@Tag("every-java")
class KeptInputsTest {
    private static final Path KEPT = Path.of("src/test/resources/fuzz");

    @ParameterizedTest
    @EnumSource
    @Timeout(120)
    void noInputThatFuzzingFoundIsAFault(FuzzTarget target) throws IOException {
        int inputs = tryAll(target, KEPT.resolve(target.id()));
        Path packed = KEPT.resolve(target.id() + ".zip");
        if (Files.exists(packed)) {
            try (FileSystem zip = FileSystems.newFileSystem(packed)) {
                inputs += tryAll(target, zip.getPath("/"));
            }
        }
        assertThat(inputs).isPositive();
    }

    private static int tryAll(FuzzTarget target, Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            List<Path> files = all.filter(Files::isRegularFile).toList();
            for (Path file : files) {
                byte[] input = Files.readAllBytes(file);
                assertThatCode(() -> target.tryRead(input)).as("%s", file).doesNotThrowAnyException();
            }
            return files.size();
        }
    }
}
