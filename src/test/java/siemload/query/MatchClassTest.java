package siemload.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MatchClassTest {

    @ParameterizedTest
    @CsvSource({
        "1000000, DENSE",
        "100000, DENSE",
        "10000, SPARSE",
        "100, SPARSE",
        "99, SUPER_SPARSE",
        "2, SUPER_SPARSE",
        "1, RARE"
    })
    void ofAMillionEventsItsEndsAreThoseOfTheManual(long matching, MatchClass expected) {
        assertThat(classes(matching, 1_000_000)).containsExactly(expected);
    }

    private static List<MatchClass> classes(long matching, long events) {
        return Arrays.stream(MatchClass.values())
                .filter(one -> one.holds(matching, events))
                .toList();
    }
}
