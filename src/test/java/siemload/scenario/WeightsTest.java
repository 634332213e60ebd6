package siemload.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WeightsTest {

    @Test
    void choicesLieSideBySideEachAsWideAsItsShare() {
        Weights<String> weights = weights("a", 1, "b", 2, "c", 1);

        assertThat(weights.at(0)).isEqualTo("a");
        assertThat(weights.at(0.2499)).isEqualTo("a");
        assertThat(weights.at(0.25)).isEqualTo("b");
        assertThat(weights.at(0.7499)).isEqualTo("b");
        assertThat(weights.at(0.75)).isEqualTo("c");
        assertThat(weights.at(Math.nextDown(1.0))).isEqualTo("c");
    }

    @Test
    void aChoiceOfNoWeightNeverComesWhereverItStands() {
        Weights<String> weights = weights("a", 0, "b", 3, "c", 0);

        assertThat(weights.possible()).containsExactly("b");
        assertThat(weights.at(0)).isEqualTo("b");
        assertThat(weights.at(Math.nextDown(1.0))).isEqualTo("b");
        assertThat(weights.weights()).containsOnlyKeys("a", "b", "c");
    }

    private static Weights<String> weights(Object... choicesAndWeights) {
        Map<String, Double> weights = new LinkedHashMap<>();
        for (int i = 0; i < choicesAndWeights.length; i += 2) {
            weights.put((String) choicesAndWeights[i], ((Number) choicesAndWeights[i + 1]).doubleValue());
        }
        return new Weights<>(weights);
    }
}
