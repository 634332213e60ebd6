package siemload.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OverridesTest {
    @ParameterizedTest
    @CsvSource({
        // 10 * 20/26 = 7.69, 10 * 5/26 = 1.92, 10 * 1/26 = 0.38
        "10, 20 5 1, 7 2 1",
        // 1.33 each: the first gets what is left
        "4, 7 7 7, 2 1 1",
        // 0.07 and 0.07 of the large one's
        "4, 1000 1 1, 2 1 1",
        "3, 1000 1 1, 1 1 1"
    })
    void sharesAreRoundedByTheLargestRemaindersAndNobodyGetsNone(int total, String written, String spread) {
        assertThat(Overrides.spread(total, numbers(written))).isEqualTo(numbers(spread));
    }

    private static List<Integer> numbers(String text) {
        return Stream.of(text.split(" ")).map(Integer::valueOf).toList();
    }
}
