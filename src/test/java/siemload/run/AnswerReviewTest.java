package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.measure.FeederRecorder;
import siemload.measure.LatencyRecorder;
import siemload.measure.RunClock;
import siemload.measure.Sample;
import siemload.measure.VisibilityRecorder;
import siemload.measure.monitor.RunMonitor;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.results.Outcome;
import siemload.results.RunFile;
import siemload.results.RunResult.GeneratorCpu;
import siemload.results.SearchKey;
import siemload.results.SearchResult;
import siemload.results.SearchResult.Asked;
import siemload.run.ExistingSearches.AnswerReview;
import siemload.run.answers.AnswerSampler;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.EventList;
import siemload.run.answers.TrendHours;
import siemload.scenario.rate.ConstantRate;

class AnswerReviewTest {
    private static final Search SEARCH =
            new Search(SearchName.HAWAT1, Window.ALWAYS, List.of(), Order.NEWEST_FIRST, new Page.Numbered(1, 1));

    private final RunClock clock = RunClock.startingAt(0, Duration.ZERO, Duration.ofSeconds(10));
    private final LatencyRecorder searches = new LatencyRecorder(clock);
    private final AnswerSampler sampler = new AnswerSampler(1, Instant.EPOCH);

    @TempDir
    private Path directory;

    @Test
    void aWrongAnswerIsNoFailedSearchAndStandsInAFile() throws Exception {
        count(0);
        count(7);

        CheckedAnswers checked = review(LoadOutcome.Ending.COMPLETE);

        assertThat(checked.checked()).isEqualTo(2);
        assertThat(checked.wrong()).hasSize(1);
        SearchResult result = searches.results().get(0);
        assertThat(result.ok()).isEqualTo(2);
        assertThat(result.errors()).isEmpty();
        assertThat(RunFile.WRONG_ANSWERS.in(directory))
                .content()
                .contains("HAWAT1 count", "wrong: counted 7 instead of 0", "seconds of the run: 1.000000 to 2.000000");
    }

    @Test
    void theFileIsBounded() throws Exception {
        for (int i = 0; i < 150; i++) {
            count(7);
        }

        review(LoadOutcome.Ending.COMPLETE);

        assertThat(Files.readString(RunFile.WRONG_ANSWERS.in(directory))).endsWith("and 50 more\n");
    }

    @Test
    void anInterruptedRunDoesNotKeepItsUserWaiting() {
        count(7);

        CheckedAnswers checked = review(LoadOutcome.Ending.INTERRUPTED);

        assertThat(checked.checked()).isZero();
        assertThat(checked.leftOut()).isEqualTo(1);
    }

    private void count(long counted) {
        SearchKey key = new SearchKey(SearchName.HAWAT1, PageClass.COUNT, Order.NEWEST_FIRST);
        searches.started();
        searches.finished(key, Asked.FIRST, new Sample(0, 0, 0, 1, 1, 0, 0, Outcome.OK, ""));
        sampler.watch(SEARCH, PageClass.COUNT, 0).answered(1_000_000_000, 2_000_000_000, counted);
    }

    private CheckedAnswers review(LoadOutcome.Ending ending) {
        LoadOutcome measured = new LoadOutcome(
                new LoadOutcome.End(clock, clock.endNanos(), ending),
                searches,
                new FeederRecorder(clock, new ConstantRate(0)),
                new GeneratorCpu(),
                RunMonitor.Seen.NOTHING,
                new LoadOutcome.Kept(sampler, new TrendHours()),
                new LoadOutcome.Probed(new VisibilityRecorder(clock), List.of()),
                LoadOutcome.Fed.NOTHING,
                Optional.empty(),
                Optional.empty());
        return new AnswerReview(
                        new QuietHost(new ArrayList<>()),
                        new EventList(List.of()),
                        List.of(),
                        directory,
                        OptionalLong.empty(),
                        Optional.empty())
                .review(measured, () -> false);
    }
}
