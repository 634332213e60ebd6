package siemload.results;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import siemload.results.RunResult.SteadyState;
import siemload.results.RunResult.SteadyState.Change;
import siemload.results.RunResult.SteadyState.Figure;

class SteadyStateTest {
    private static final Change NOTHING = new Change(0.02, -0.05, 0.09, 0.12);
    private static final Figure STEADY = new Figure(NOTHING, NOTHING);

    @Test
    void aSteadyRunSaysWhatWouldHaveBeenSeen() {
        Figure responseTime = new Figure(new Change(0.02, -0.15, 0.2, 0.254), NOTHING);

        assertThat(new SteadyState(true, 0, STEADY, responseTime).sentence())
                .isEqualTo(
                        "the measured phase was steady (a change by 12 % of searches/s or 25 % of response time p50 would have"
                                + " been seen)");
    }

    @Test
    void aRunThatChangedSaysHowMuchAndFromWhereOnItIsSteady() {
        Figure searches = new Figure(new Change(-0.2, -0.3, -0.1, 0.1), NOTHING);
        Figure responseTime = new Figure(NOTHING, new Change(1.5, 0.8, 2.2, 0.4));

        assertThat(new SteadyState(true, 18, searches, responseTime).sentence())
                .isEqualTo(
                        "the measured phase was not steady: the searches a second fell by 20 % (10-30) from its first third to"
                                + " its last, and the median response time of its first tenth was 150 % (80-220) above the rest; it is"
                                + " steady from second 18 on");
        assertThat(new SteadyState(true, -1, searches, STEADY).sentence())
                .endsWith("; its second half is not steady either");
    }
}
