package siemload.run.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import siemload.run.procedure.DepthSteps.SlopeOfPages;

class SlopeOfPagesTest {

    @Test
    void theSlopeOfAStraightLineIsItsOwn() {
        SlopeOfPages slope = new SlopeOfPages();
        for (int page = 1; page <= 5; page++) {
            slope.add(page, 100 + 7 * page);
        }

        assertThat(slope.slope()).isCloseTo(7, within(1e-9));
        assertThat(slope.total()).isEqualTo(605);
        assertThat(slope.count()).isEqualTo(5);
    }

    /** Numbers 1, 2, 4 with mean 7/3; times 10, 20, 60 with mean 30: (80/3 + 10/3 + 50) / (16/9 + 1/9 + 25/9) = 240/14. */
    @Test
    void theSlopeOfScatteredPagesHasTheLeastSquares() {
        SlopeOfPages slope = new SlopeOfPages();
        slope.add(4, 60);
        slope.add(1, 10);
        slope.add(2, 20);

        assertThat(slope.slope()).isCloseTo(240.0 / 14, within(1e-9));
    }
}
