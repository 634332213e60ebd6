package siemload.run.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SlopeOfPagesTest {

    /** Numbers 1 to 4 with mean 2.5; (-1.5 x 10 - 0.5 x 20 + 0.5 x 60 + 1.5 x 40) / (2 x 2.25 + 2 x 0.25) = 65 / 5. */
    @Test
    void theSlopeOfScatteredPagesHasTheLeastSquares() {
        assertThat(ReadSteps.slope(10, 20, 60, 40)).isCloseTo(13, within(1e-9));
        assertThat(ReadSteps.slope(7)).isZero();
    }
}
