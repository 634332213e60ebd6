package siemload.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WeightsTest {
    @ParameterizedTest
    @CsvSource({"0, a", "0.2499, a", "0.25, b", "0.7499, b", "0.75, c", "0.9999999999999999, c"})
    void choicesLieSideBySideEachAsWideAsItsShareAndThoseOfNoWeightNeverCome(double point, String choice) {
        Map<String, Double> written = new LinkedHashMap<>();
        for (String one : "first=0 a=1 between=0 b=2 c=1 last=0".split(" ")) {
            written.put(one.split("=")[0], Double.valueOf(one.split("=")[1]));
        }
        Weights<String> weights = new Weights<>(written);

        assertThat(weights.at(point)).isEqualTo(choice);
        assertThat(weights.possible()).containsExactly("a", "b", "c");
        assertThat(weights.weights()).containsOnlyKeys("first", "a", "between", "b", "c", "last");
    }
}
