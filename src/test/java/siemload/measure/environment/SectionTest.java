package siemload.measure.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SectionTest {

    /** By {@code printf 'cpus=2\nmemory=16\n' | sha256sum}. */
    @Test
    void theFingerprintIsThatOfTheSortedLines() {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("memory", "16");
        values.put("cpus", "2");

        assertThat(Section.of(values).fingerprint()).isEqualTo("3cc9f4af4927c1e8");
    }

    @Test
    void oneValueThatDiffersChangesTheFingerprintOfItsSectionAlone() {
        EnvironmentRecord one = EnvironmentRecord.of(Map.of("a", Map.of("x", "1"), "b", Map.of("y", "1")));
        EnvironmentRecord other = EnvironmentRecord.of(Map.of("a", Map.of("x", "1"), "b", Map.of("y", "2")));

        assertThat(other.fingerprints().get("a")).isEqualTo(one.fingerprints().get("a"));
        assertThat(other.fingerprints().get("b"))
                .isNotEqualTo(one.fingerprints().get("b"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "url | jdbc:postgresql://me:hunter2@db/x | jdbc:postgresql://***@db/x",
                "url | mongodb://me:hunter2@db:27017/?tls=true | mongodb://***@db:27017/?tls=true",
                "url | jdbc:oracle:thin:me/hunter2@//db/x | jdbc:oracle:thin:***@//db/x",
                "url | jdbc:postgresql://db/x?user=me&password=hunter2&ssl=true | jdbc:postgresql://db/x?user=me&password=***&ssl=true",
                "flags | -Djdk.tls.keyStorePassword=hunter2 -Xmx1g | -Djdk.tls.keyStorePassword=*** -Xmx1g",
                "command | -c archive_command='curl --token=hunter2 x' | -c archive_command=***",
                "setting.primary_conninfo | host=a password='hunter 2' port=1 | host=a password=*** port=1",
                "setting.ssl_passphrase | hunter2 | ***",
                "dbPassword | hunter2 | ***",
                "setting.password_encryption | scram-sha-256 | scram-sha-256",
                "passthrough | on | on",
            })
    void secretsAreMaskedAndNothingElse(String key, String value, String shown) {
        assertThat(Section.of(Map.of(key, value)).values()).containsEntry(key, shown);
    }
}
