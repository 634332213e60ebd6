package siemload.measure.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.measure.environment.EnvironmentRecord.Section;

class SectionTest {

    /** By {@code printf 'cpus=2\nmemory=16\n' | sha256sum}. */
    @Test
    void theFingerprintIsThatOfTheSortedLines() {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("memory", "16");
        values.put("cpus", "2");

        assertThat(Section.of(values).fingerprint()).isEqualTo("3cc9f4af4927c1e8");
    }
}
