package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import siemload.measure.Sample;
import siemload.measure.TickIo;
import siemload.measure.TickRecorder;
import siemload.results.Outcome;
import siemload.results.Validity;
import siemload.results.Validity.RunVerdict;

/** One task with a tick each 10 ms, of which 1,000 are due in the ten seconds. */
class TickValidityTest extends ValidityFixture {
    private static final long PERIOD = 10 * MILLI;
    private static final int TICKS = 1_000;

    @BeforeEach
    void aRunThatIsValidWithoutTicks() {
        answered(10);
        allFed();
        searches.ticks()
                .expect("rules", 1, Duration.ofMillis(10), nanos -> Math.max(0, -Math.floorDiv(-nanos, PERIOD)));
    }

    @Test
    void ticksThatAreAllRunSayNothing() {
        ticks(0, 0);

        assertThat(verdict().verdict()).isEqualTo(RunVerdict.VALID);
        assertThat(verdict().notes()).isEmpty();
    }

    @Test
    void oneTickInAHundredThatIsMissedIsANote() {
        ticks(10, 0);

        Validity verdict = verdict();
        assertThat(verdict.verdict()).isEqualTo(RunVerdict.VALID);
        assertThat(verdict.notes())
                .containsExactly("10 of 1000 ticks of rules were missed: the task was still at the tick before");
    }

    @Test
    void moreThanOneInAHundredIsWhatADatabaseDoesNotKeepUpWith() {
        ticks(11, 0);

        Validity verdict = verdict();
        assertThat(verdict.saturation().seen()).isTrue();
        assertThat(verdict.saturation().signs())
                .containsExactly("11 of 1000 ticks of rules were missed: the task was still at the tick before");
    }

    @Test
    void aTickOfWhichNobodyKnowsIsAFault() {
        ticks(0, 1);

        assertThat(warnings()).containsExactly("what became of 1 of 1000 ticks of rules is unknown");
    }

    private void ticks(int missed, int lost) {
        TickRecorder.Group rules = searches.ticks().of("rules");
        for (int tick = lost; tick < TICKS; tick++) {
            long due = tick * PERIOD;
            if (tick < lost + missed) {
                rules.missed(0, due);
            } else {
                rules.started(due);
                Sample sample = new Sample(due, due, due, due + MILLI, due + MILLI, 1, 1, Outcome.OK, "");
                rules.done(0, sample, sample, TickIo.NONE);
            }
        }
    }
}
