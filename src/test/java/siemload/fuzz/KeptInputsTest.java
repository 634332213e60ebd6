package siemload.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What {@code .ci/fuzz} has found: inputs that once were faults, and those that together reach all code that any has reached. */
class KeptInputsTest {
    private static final Path KEPT = Path.of("src/test/resources/fuzz");

    @ParameterizedTest
    @EnumSource
    @Timeout(120)
    void noInputThatFuzzingFoundIsAFault(FuzzTarget target) throws IOException {
        Map<String, byte[]> inputs = inputs(target);

        assertThat(inputs).isNotEmpty();
        inputs.forEach((name, input) ->
                assertThatCode(() -> target.read(input)).as("%s", name).doesNotThrowAnyException());
    }

    private static Map<String, byte[]> inputs(FuzzTarget target) throws IOException {
        Map<String, byte[]> inputs = new TreeMap<>();
        Path single = KEPT.resolve(target.id());
        if (Files.exists(single)) {
            try (Stream<Path> files = Files.list(single)) {
                for (Path file : files.toList()) {
                    inputs.put(file.toString(), Files.readAllBytes(file));
                }
            }
        }
        Path packed = KEPT.resolve(target.id() + ".zip");
        if (Files.exists(packed)) {
            try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(packed))) {
                readAll(zip, packed, inputs);
            }
        }
        return inputs;
    }

    private static void readAll(ZipInputStream zip, Path packed, Map<String, byte[]> inputs) throws IOException {
        for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
            if (!entry.isDirectory()) {
                inputs.put(packed + "!" + entry.getName(), zip.readAllBytes());
            }
        }
    }
}
