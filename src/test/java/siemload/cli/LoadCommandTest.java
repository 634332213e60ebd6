package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.dataset.ValuePools;
import siemload.query.ValueField;

/** What loads leave for each other. */
class LoadCommandTest {
    private static final String TINY = "src/test/resources/datasets/tiny.yaml";

    @TempDir
    private Path directory;

    @Test
    void aLaterLoadKnowsTheValuesAndCountsThemOnlyWhenAskedForANewOne() throws Exception {
        load();
        Path file = values();
        String counted = Files.readString(file);
        assertThat(category(counted)).isNotEmpty();

        String known = counted.replace(category(counted), "Known.Before");
        Files.writeString(file, known);
        load();
        assertThat(Files.readString(file)).isEqualTo(known);

        load("--reload");
        assertThat(Files.readString(file)).isEqualTo(counted);

        Files.writeString(file, "{");
        load();
        assertThat(Files.readString(file)).isEqualTo(counted);
    }

    private void load(String... more) throws IOException, InterruptedException {
        String cache = directory.resolve("cache").toString();
        List<String> arguments =
                new ArrayList<>(List.of("load", "--target", "memory", "--dataset", TINY, "--cache", cache));
        arguments.addAll(List.of(more));
        ChildProcess.Ended ended = Siemload.run(directory, arguments.toArray(String[]::new));
        assertThat(ended.exitCode()).as(ended.output()).isZero();
        assertThat(ended.output()).contains("2,000 events stored in ");
    }

    private Path values() throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory.resolve("cache/values"))) {
            return files.iterator().next();
        }
    }

    private static String category(String counted) {
        return ValuePools.fromJson(counted).of(ValueField.CATEGORY).hot().get(0).text();
    }
}
