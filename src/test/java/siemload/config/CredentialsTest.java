package siemload.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CredentialsTest {
    @TempDir
    Path directory;

    @Test
    void aPasswordIsReadFromTheFirstLineOfAFile() throws IOException {
        assertThat(password(file("žluť s3cret \nmore\n", "rw-------"))).isEqualTo("žluť s3cret ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r--r--", "rw----r--", "rw--w----", "rw-rw-rw-"})
    void aFileThatOthersCanReadOrChangeIsRefusedWithWhatToDo(String permissions) throws IOException {
        String file = file("s3cret\n", permissions);

        assertThat(problemsOf(Map.of("SIEMLOAD_PASSWORD_FILE", file)))
                .startsWith("SIEMLOAD_PASSWORD_FILE: " + file + " has mode 06")
                .endsWith("so users other than its owner can read or change it (chmod 600 '" + file + "')")
                .doesNotContain("s3cret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"S3cr3t-C4nary", "/S3cr3t-C4nary", "a/S3cr3t-C4nary?", "S3cr3t-C4nary\0", "\uFFFDS3cr3t-C4nary"})
    void aPasswordInPlaceOfItsFileIsNotRepeated(String password) {
        assertThat(problemsOf(Map.of("SIEMLOAD_PASSWORD_FILE", password)))
                .startsWith("SIEMLOAD_PASSWORD_FILE: is not the path of an existing file")
                .doesNotContain("C4nary");
    }

    @Test
    void directoriesPipesAndLargeFilesAreNoPasswordFiles() throws Exception {
        String pipe = directory.resolve("pipe").toString();
        assumeTrue(new ProcessBuilder("mkfifo", "-m", "600", pipe).start().waitFor() == 0, "there is no mkfifo");

        assertThat(problemsOf(Map.of("SIEMLOAD_PASSWORD_FILE", directory.toString())))
                .contains("is a directory");
        assertThat(problemsOf(Map.of("SIEMLOAD_PASSWORD_FILE", pipe))).contains("is a pipe");
        assertThat(problemsOf(Map.of("SIEMLOAD_PASSWORD_FILE", file("x".repeat(10_001), "rw-------"))))
                .contains("has 10,001 bytes");
    }

    private String file(String content, String permissions) throws IOException {
        Path file = Files.writeString(directory.resolve("password"), content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
        return file.toString();
    }

    private static String password(String file) {
        return settings(Map.of("SIEMLOAD_PASSWORD_FILE", file))
                .credentials()
                .password()
                .orElse("");
    }

    private static Settings settings(Map<String, String> environment) {
        return Settings.of(Map.of(), Map.of(), environment);
    }

    private static String problemsOf(Map<String, String> environment) {
        return assertTimeoutPreemptively(
                Duration.ofSeconds(30),
                () -> catchThrowableOfType(ConfigException.class, () -> settings(environment))
                        .getMessage());
    }
}
