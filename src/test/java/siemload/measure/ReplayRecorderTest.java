package siemload.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import siemload.measure.LatencyRecorder.ReplayRecorder;
import siemload.measure.LatencyRecorder.Sample;
import siemload.query.SearchName;
import siemload.results.Outcome;
import siemload.results.ReplayResult;
import siemload.results.ReplayResult.ReplayedStatement;

class ReplayRecorderTest {
    private static final SearchName NAME = new SearchName("accounts_1");
    private static final long DUE = 1_000_000_000;
    private static final long MILLISECOND = 1_000_000;

    private final ReplayRecorder recorder = new ReplayRecorder();

    /** Due at {@link #DUE}; all in milliseconds from there. */
    private void ended(int freeMillis, int takenMillis, int endMillis, Outcome outcome) {
        recorder.due();
        long taken = DUE + takenMillis * MILLISECOND;
        long end = DUE + endMillis * MILLISECOND;
        Sample sample = new Sample(DUE, taken, taken, end, end, 1, 1, outcome, "");
        recorder.ended(NAME, 10_000, DUE + freeMillis * MILLISECOND, sample);
    }

    private ReplayResult result() {
        recorder.expect("day.jsonl.gz", 2, 10);
        return recorder.results().get(0);
    }

    @Test
    void whoWaitsForTheStatementBeforeWaitsForTheDatabase() {
        ended(-5, 0, 10, Outcome.OK);
        ended(40, 40, 60, Outcome.OK);

        ReplayResult result = result();

        assertThat(result.lateByDatabase().count()).isOne();
        assertThat(result.lateByDatabase().latenessMicros().max()).isBetween(40_000L, 40_040L);
        assertThat(result.lateByPlayer().count()).isZero();
        assertThat(recorder.playerLateness().orElseThrow().max()).isZero();
    }

    @Test
    void whoIsFreeAndBeginsLateWaitsForTheLoadGenerator() {
        ended(-5, 3, 10, Outcome.OK);
        ended(40, 47, 60, Outcome.OK);

        ReplayResult result = result();

        assertThat(result.lateByDatabase().count()).isOne();
        assertThat(result.lateByPlayer().count()).isEqualTo(2);
        assertThat(result.lateByPlayer().latenessMicros().p50()).isBetween(3_000L, 3_003L);
        assertThat(result.lateByPlayer().latenessMicros().max()).isBetween(7_000L, 7_007L);
    }

    /** Then 10 ms; now 20 ms, and 30 ms; the one that failed has no time. */
    @Test
    void theTimesOfThoseThatWereAnsweredStandBesideThoseThatTheyHad() {
        ended(0, 0, 20, Outcome.OK);
        ended(0, 0, 30, Outcome.OK);
        ended(0, 0, 500, Outcome.TIMEOUT);

        ReplayedStatement statement = result().statements().get(0);

        assertThat(statement.count()).isEqualTo(3);
        assertThat(statement.answered()).isEqualTo(2);
        assertThat(statement.failed()).isOne();
        assertThat(statement.thenMicros().p50()).isBetween(10_000L, 10_010L);
        assertThat(statement.nowMicros().max()).isBetween(30_000L, 30_030L);
        assertThat(statement.medianRatio()).isBetween(1.998, 2.002);
    }
}
