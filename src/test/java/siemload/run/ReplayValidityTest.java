package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import siemload.measure.Sample;
import siemload.results.MicrosSummary;
import siemload.results.Outcome;
import siemload.results.ReplayResult;
import siemload.results.ReplayResult.LateStarts;
import siemload.results.Validity.RunVerdict;

/** What a replay may be late for, and what has to be told of one that was not played whole. */
class ReplayValidityTest {
    private final ValidityFixture run = new ValidityFixture();

    @BeforeEach
    void expect() {
        run.searches.replays().expect("day.jsonl.gz", 1, 4);
    }

    /** All in milliseconds from when it was due. */
    private void replayed(int free, int taken, int end) {
        run.searches.replays().due();
        run.search(taken, end, Outcome.OK);
        long endNanos = end * ValidityFixture.MILLI;
        Sample sample = new Sample(0, 0, taken * ValidityFixture.MILLI, endNanos, endNanos, 0, 0, Outcome.OK, "");
        run.searches.replays().ended(ValidityFixture.KEY.search(), 1_000, free * ValidityFixture.MILLI, sample);
    }

    @Test
    void whoWaitsForItsOwnSessionDoesNotWaitForTheLoadGenerator() {
        replayed(0, 0, 50);
        replayed(50, 50, 100);

        assertThat(run.verdict().verdict()).isEqualTo(RunVerdict.VALID);
    }

    @Test
    void aPlayerThatIsLateMakesTheRunNotValid() {
        replayed(0, 50, 100);

        assertThat(run.verdict().warnings())
                .singleElement()
                .asString()
                .startsWith("searches waited 50.0 ms at p95 for a worker that was free");
    }

    private static ReplayResult result(long leftOut, long due, long ended, String failure) {
        LateStarts none = new LateStarts(0, MicrosSummary.NONE);
        return new ReplayResult("day.jsonl.gz", 1, 4, leftOut, due, ended, none, none, List.of(), failure);
    }

    private static Findings review(ReplayResult result) {
        Findings found = new Findings();
        RunOutcome.reviewReplays(List.of(result), LoadOutcome.Ending.COMPLETE, Duration.ofSeconds(2), found);
        return found;
    }

    @Test
    void aWholeReplayHasNothingToTell() {
        Findings review = review(result(0, 4, 4, ""));

        assertThat(review.faults()).isEmpty();
        assertThat(review.notes()).isEmpty();
    }

    @Test
    void whatWasLeftOutAndCutOffIsTold() {
        Findings review = review(result(1, 2, 2, ""));

        assertThat(review.faults()).isEmpty();
        assertThat(review.notes())
                .containsExactly(
                        "1 of 4 recorded executions were left out, as replay.without or -Dsearches says",
                        "the replay was cut after 2s: 2 of 4 recorded executions were due by then");
    }

    @Test
    void executionsThatWereLostAndARecordingThatBreaksOffAreFaults() {
        assertThat(review(result(0, 4, 3, "")).faults())
                .containsExactly("what became of 1 of 4 replayed statements is unknown");
        assertThat(review(result(0, 2, 2, "day.jsonl.gz:7: the line is no JSON"))
                        .faults())
                .containsExactly("the recording was not played to its end: day.jsonl.gz:7: the line is no JSON");
    }
}
