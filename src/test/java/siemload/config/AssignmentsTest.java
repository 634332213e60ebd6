package siemload.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import siemload.config.ValueType.Assignments;

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
}
