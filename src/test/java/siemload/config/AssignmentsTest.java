package siemload.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AssignmentsTest {

    @Test
    void namesAndValuesAreTakenApart() {
        assertThat(Assignments.parse("work_mem=64MB, jit = off"))
                .containsEntry("work_mem", "64MB")
                .containsEntry("jit", "off")
                .hasSize(2);
    }

    @Test
    void aCommaWithoutANameBehindItBelongsToTheValue() {
        assertThat(Assignments.parse("search_path=a,b,auto_explain.log_min_duration=1=2"))
                .containsEntry("search_path", "a,b")
                .containsEntry("auto_explain.log_min_duration", "1=2")
                .hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "jit | 'jit' is not name=value (write for example work_mem=64MB,jit=off)",
                "jit= | 'jit' has no value (write for example work_mem=64MB,jit=off)",
                "1=2 | '1=2' is not name=value (write for example work_mem=64MB,jit=off)",
                "jit=on,jit=off | 'jit' stands there twice"
            })
    void whatIsWrongIsNamed(String text, String message) {
        assertThatThrownBy(() -> Assignments.parse(text)).hasMessage(message);
    }
}
