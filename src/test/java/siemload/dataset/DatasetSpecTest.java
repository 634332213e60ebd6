package siemload.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.GoldenFile;
import siemload.config.ConfigException;

final class DatasetSpecTest {
    @TempDir
    private Path directory;

    @Test
    void aProfileMayStandInTheFileItself() throws IOException {
        String profile = Files.readString(ShippedDatasets.DIRECTORY.resolve("profiles/cesnet.yaml"));
        copy("smoke.yaml", "profile: profiles/cesnet.yaml", "profile:\n" + profile.indent(2));

        DatasetSpec spec = DatasetSpec.read(directory.resolve("smoke.yaml"));

        assertThat(spec.profile()).isEqualTo(ShippedDatasets.smoke().profile());
    }

    private void copy(String file, String good, String bad) throws IOException {
        String text = Files.readString(ShippedDatasets.DIRECTORY.resolve(file));
        assertThat(text).contains(good);
        Path copy = directory.resolve(file);
        Files.createDirectories(copy.getParent());
        Files.writeString(
                copy, good.isEmpty() ? text : text.replaceFirst(Pattern.quote(good), Matcher.quoteReplacement(bad)));
    }

    @Test
    void eachMistakeIsToldWithItsPlace() throws IOException {
        GoldenFile.of("messages/dataset.txt").assertEach(this::messages);
    }

    private String messages(String line) {
        String[] parts = line.split(" \\| | => ");
        try {
            copy("smoke.yaml", "", "");
            copy("profiles/cesnet.yaml", "", "");
            copy(parts[0], parts[1], parts[2]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return catchThrowableOfType(ConfigException.class, () -> DatasetSpec.read(directory.resolve("smoke.yaml")))
                .problems()
                .stream()
                .map(problem -> problem.toString().replace(directory + "/", ""))
                .collect(Collectors.joining("\n"));
    }
}
