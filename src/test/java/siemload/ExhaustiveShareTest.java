package siemload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExhaustiveShareTest {

    @Test
    void eachTestIsOfOneShare() {
        List<String> tests = IntStream.range(0, 1000).mapToObj(n -> "test " + n).toList();

        assertThat(tests)
                .allSatisfy(test -> assertThat(List.of("1/3", "2/3", "3/3"))
                        .filteredOn(share -> ExhaustiveShare.isOf(share, test))
                        .hasSize(1));
        assertThat(tests).filteredOn(test -> ExhaustiveShare.isOf("1/3", test)).hasSizeBetween(250, 420);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0/3", "4/3", "1", "1/3/3", "a third"})
    void aShareThatIsNoneIsRefused(String share) {
        assertThatThrownBy(() -> ExhaustiveShare.isOf(share, "test")).hasMessageContaining("(such as 2/3)");
    }
}
