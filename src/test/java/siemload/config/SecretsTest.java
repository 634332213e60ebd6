package siemload.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class SecretsTest {
    private static final Path CORPUS = Path.of("src/test/resources/secrets");
    private static final String CANARY = "S3cr3t-C4nary";

    static List<String> forms() throws IOException {
        return Files.readAllLines(CORPUS.resolve("secret-forms.txt"));
    }

    static List<String> harmless() throws IOException {
        return Files.readAllLines(CORPUS.resolve("harmless-lines.txt"));
    }

    @ParameterizedTest
    @MethodSource("forms")
    void aSecretIsHiddenInWhateverFormItStands(String text) {
        assertThat(text).contains(CANARY);
        assertThat(Secrets.masked(text)).doesNotContain(CANARY);
        assertThat(Secrets.masked("note", "line one " + text)).doesNotContain(CANARY);
    }

    @ParameterizedTest
    @MethodSource("harmless")
    void whatIsNoSecretStaysAsItIs(String text) {
        assertThat(Secrets.masked(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "password, ***",
        "dbPassword, ***",
        "setting.ssl_key_password, ***",
        "AWS_SECRET_ACCESS_KEY, ***",
        "passes, x",
        "password_encryption, x",
        "SIEMLOAD_PASSWORD_FILE, x",
        "token, ***",
        "key, x"
    })
    void theNameOfAValueTellsWhetherItIsASecret(String key, String shown) {
        assertThat(Secrets.masked(key, "x")).isEqualTo(shown);
    }

    @Test
    void thePassesOfAProcedureAreNoPasswords() {
        assertThat(Secrets.masked("pass", "12")).isEqualTo("12");
        assertThat(Secrets.masked("pass", "hunter2")).isEqualTo("***");
    }

    @Test
    void theProcessesOwnPasswordIsHiddenWhereverItOccurs() {
        Secrets.know("correct horse 'battery' %staple");
        assertThat(Secrets.masked("the driver said correct horse 'battery' %staple."))
                .isEqualTo("the driver said ***.");
    }

    @Test
    void aPasswordThatIsAPlainWordDoesNotTakeTheWordOutOfEverything() {
        List.of("siemload", "postgres", "123456", "Welcome", "x1").forEach(Secrets::know);
        String text = "siemload on postgres, 123456 events, Welcome x1";
        assertThat(Secrets.masked(text)).isEqualTo(text);
    }

    @Test
    void aLongLineTakesNoLongerThanItsLength() {
        String text = "password ".repeat(20_000) + "//" + "a:".repeat(20_000) + " curl ".repeat(20_000);
        assertThat(Secrets.masked(text)).hasSizeGreaterThan(200_000);
    }
}
