package siemload.compare.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.compare.experiment.GateRuns.GateSides;

class GateSidesTest {

    @Test
    void whatHoldsForBothAlsoHoldsForTheSideThatDoesNotSpeakOfIt() {
        GateSides sides = GateSides.of(
                Map.of("hint", "full-scan", "users", "5"),
                Map.of("paging", "offset"),
                Map.of("paging", "offset", "hint", "none"));

        assertThat(sides.baseline()).isEqualTo(Map.of("paging", "offset", "hint", "full-scan"));
        assertThat(sides.candidate()).isEqualTo(Map.of("paging", "offset", "hint", "none"));
    }

    @Test
    void parametersHoldOneByOne() {
        GateSides sides =
                GateSides.of(Map.of("parameters", "median=5ms,delay=1ms"), Map.of(), Map.of("parameters.delay", "2ms"));

        assertThat(sides.baseline()).isEqualTo(Map.of("parameters", "median=5ms,delay=1ms"));
        assertThat(sides.candidate()).isEqualTo(Map.of("parameters", "median=5ms,delay=2ms"));
        assertThat(sides.areEqual()).isFalse();
    }

    @Test
    void equalSidesAreKnownAsSuch() {
        assertThat(GateSides.of(Map.of(), Map.of("parameters.jit", "on"), Map.of("parameters", "jit=on"))
                        .areEqual())
                .isTrue();
    }
}
