package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import siemload.GoldenFile;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.results.MicrosSummary;
import siemload.results.ReplayResult;
import siemload.results.ReplayResult.LateStarts;
import siemload.results.Validity;
import siemload.run.answers.AnswerCheck;
import siemload.run.answers.AnswerSampler;
import siemload.run.answers.EventList;

/** What makes a run not valid, saturated or disturbed, and in which words. */
class RunValidityTest {
    private static final Search SEARCH =
            new Search(SearchName.HAWAT1, Window.ALWAYS, List.of(), Order.NEWEST_FIRST, new Page.Numbered(1, 1));

    @Test
    void eachLimitFromBothSides() throws IOException {
        GoldenFile.of("validity/runs.txt")
                .assertEach(things -> words(new ValidityFixture().with(things).verdict()));
    }

    private static String words(Validity verdict) {
        List<String> lines = new ArrayList<>();
        lines.add(verdict.verdict().name().toLowerCase(Locale.ROOT).replace('_', ' '));
        verdict.faults().forEach(text -> lines.add("fault: " + text));
        verdict.warnings().stream()
                .filter(text -> !verdict.faults().contains(text))
                .forEach(text -> lines.add("warning: " + text));
        verdict.saturation().gaveOut().forEach(text -> lines.add("exhausted: " + text));
        verdict.saturation().signs().forEach(text -> lines.add("sign: " + text));
        if (verdict.saturation().seen()) {
            lines.add("advice: " + verdict.saturation().advice());
        }
        verdict.notes().forEach(text -> lines.add("note: " + text));
        return String.join("\n", lines);
    }

    @Test
    void whatOfARecordingWasLeftOutCutOffOrLostIsTold() {
        assertThat(review(0, 4, 4, "")).isEqualTo(new Findings());
        assertThat(review(1, 2, 2, "").notes())
                .containsExactly(
                        "1 of 4 recorded executions were left out, as replay.without or -Dsearches says",
                        "the replay was cut after 2s: 2 of 4 recorded executions were due by then");
        assertThat(review(0, 4, 3, "").faults())
                .containsExactly("what became of 1 of 4 replayed statements is unknown");
        assertThat(review(0, 2, 2, "day.jsonl.gz:7: the line is no JSON").faults())
                .containsExactly("the recording was not played to its end: day.jsonl.gz:7: the line is no JSON");
    }

    private static Findings review(long leftOut, long due, long ended, String failure) {
        LateStarts none = new LateStarts(0, MicrosSummary.NONE);
        ReplayResult result =
                new ReplayResult("day.jsonl.gz", 1, 4, leftOut, due, ended, none, none, List.of(), failure);
        Findings found = new Findings();
        RunOutcome.reviewReplays(List.of(result), LoadOutcome.Ending.COMPLETE, Duration.ofSeconds(2), found);
        return found;
    }

    @Test
    void oneWrongAnswerIsEnough() {
        ValidityFixture run = new ValidityFixture().with("answered 1");
        AnswerSampler sampler = new AnswerSampler(1, Instant.EPOCH);
        sampler.watch(SEARCH, PageClass.COUNT, 0).answered(0, 10, 0);
        sampler.watch(SEARCH, PageClass.COUNT, 0).answered(0, 10, 7);
        EventList none = new EventList(List.of());
        run.answers = AnswerCheck.of(sampler, none, taker -> {}, Optional.empty(), more -> {}, () -> false);

        assertThat(run.verdict().warnings())
                .containsExactly("1 of 2 checked answers were wrong, first HAWAT1 count (wrong-answers.txt)");
    }
}
