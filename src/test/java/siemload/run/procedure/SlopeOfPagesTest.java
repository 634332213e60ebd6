package siemload.run.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class SlopeOfPagesTest {

    /** Numbers 1, 2, 4 with mean 7/3; times 10, 20, 60 with mean 30: (80/3 + 10/3 + 50) / (16/9 + 1/9 + 25/9) = 240/14. */
    @Test
    void theSlopeOfScatteredPagesHasTheLeastSquares() {
        assertThat(PageSteps.slope(List.of(4.0, 1.0, 2.0), List.of(60.0, 10.0, 20.0)))
                .isCloseTo(240.0 / 14, within(1e-9));
        assertThat(PageSteps.slope(List.of(1.0), List.of(7.0))).isZero();
    }
}
