package siemload.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestNameTest {

    @ParameterizedTest
    @CsvSource({
        "users, users, 0",
        "usrs, users, 1",
        "usres, users, 1",
        "userss, users, 1",
        "uzers, users, 1",
        "USERS, users, 0",
        "kitten, sitting, 3",
        "ca, abc, 3",
        "'', abc, 3"
    })
    void slipsAreCounted(String one, String other, int slips) {
        assertThat(NearestName.distance(one, other)).isEqualTo(slips);
        assertThat(NearestName.distance(other, one)).isEqualTo(slips);
    }

    @Test
    void theNearestNameIsFound() {
        assertThat(NearestName.among("hawta", List.of("mentat", "hawat"))).contains("hawat");
        assertThat(NearestName.among("think-time", List.of("timeout", "thinkTime")))
                .contains("thinkTime");
    }

    @Test
    void whatIsFarFromAllNamesHasNoNearest() {
        assertThat(NearestName.among("xyz", List.of("eps", "url"))).isEmpty();
        assertThat(NearestName.among("oracle", List.of("memory", "mongodb"))).isEmpty();
    }
}
