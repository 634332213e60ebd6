package siemload.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("every-java")
class ConnectionUrlTest {
    private static final String PASSWORD = "S3cr3t-C4nary";

    @Test
    void noneOfTwoHundredUrlsWithPasswordsIsAcceptedOrRepeated() {
        List<String> urls = lines("urls-with-passwords.txt");

        assertThat(urls).hasSizeGreaterThanOrEqualTo(200).allMatch(url -> url.contains(PASSWORD));
        assertThat(urls).filteredOn(url -> refusal(url).isEmpty()).isEmpty();
        assertThat(urls).map(ConnectionUrlTest::refusal).noneMatch(message -> message.contains("C4nary"));
    }

    @Test
    void urlsWithoutPasswordsAreTakenAsTheyAre() {
        List<String> urls = lines("urls-without-passwords.txt");

        assertThat(urls).hasSizeGreaterThan(60).map(ConnectionUrlTest::refusal).containsOnly("");
        assertThat(urls).map(Property.URL.type()::parse).isEqualTo(urls);
    }

    private static String refusal(String url) {
        ConfigException thrown =
                catchThrowableOfType(ConfigException.class, () -> Settings.of(Map.of("url", url), Map.of(), Map.of()));
        return thrown == null ? "" : thrown.getMessage();
    }

    private static List<String> lines(String name) {
        try (InputStream in = Objects.requireNonNull(ConnectionUrlTest.class.getResourceAsStream(name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
