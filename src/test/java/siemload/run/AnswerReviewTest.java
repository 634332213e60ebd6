package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.check.AnswerSampler;
import siemload.check.CheckedAnswers;
import siemload.check.EventList;
import siemload.config.Settings;
import siemload.measure.FeederRecorder;
import siemload.measure.GeneratorCpu;
import siemload.measure.LatencyRecorder;
import siemload.measure.Outcome;
import siemload.measure.RunClock;
import siemload.measure.RunResult;
import siemload.measure.Sample;
import siemload.measure.SearchKey;
import siemload.measure.VisibilityResult;
import siemload.monitor.RunMonitor;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;

class AnswerReviewTest {
    private static final Search SEARCH =
            new Search(SearchName.HAWAT1, Window.ALWAYS, List.of(), Order.NEWEST_FIRST, new Page.Numbered(1, 1));

    private final RunClock clock = RunClock.startingAt(0, Duration.ZERO, Duration.ofSeconds(10));
    private final LatencyRecorder searches = new LatencyRecorder(clock);
    private final AnswerSampler sampler = new AnswerSampler(1, Instant.EPOCH);

    @TempDir
    private Path directory;

    @Test
    void aWrongAnswerIsAFailedSearchAndStandsInAFile() throws Exception {
        count(0);
        count(7);

        CheckedAnswers checked = review(Measured.Ending.COMPLETE);

        assertThat(checked.checked()).isEqualTo(2);
        assertThat(checked.wrong()).hasSize(1);
        RunResult.SearchResult result = searches.results().get(0);
        assertThat(result.ok()).isEqualTo(1);
        assertThat(result.errors()).containsEntry("wrong answer", 1L);
        assertThat(directory.resolve(AnswerReview.FILE))
                .content()
                .contains("HAWAT1 count", "wrong: counted 7 instead of 0", "seconds of the run: 1.000000 to 2.000000");
    }

    @Test
    void theFileIsBounded() throws Exception {
        for (int i = 0; i < 150; i++) {
            count(7);
        }

        review(Measured.Ending.COMPLETE);

        assertThat(Files.readString(directory.resolve(AnswerReview.FILE))).endsWith("and 50 more\n");
    }

    @Test
    void rightAnswersLeaveNoFile() {
        count(0);

        assertThat(review(Measured.Ending.COMPLETE).wrong()).isEmpty();
        assertThat(directory.resolve(AnswerReview.FILE)).doesNotExist();
    }

    @Test
    void anInterruptedRunDoesNotKeepItsUserWaiting() {
        count(7);

        CheckedAnswers checked = review(Measured.Ending.INTERRUPTED);

        assertThat(checked.checked()).isZero();
        assertThat(checked.leftOut()).isEqualTo(1);
    }

    private void count(long counted) {
        SearchKey key = new SearchKey(SearchName.HAWAT1, PageClass.COUNT, Order.NEWEST_FIRST);
        searches.started();
        searches.finished(key, new Sample(0, 0, 1, 1, 0, 0, Outcome.OK, ""));
        sampler.watch(SEARCH, PageClass.COUNT, 0).answered(1_000_000_000, 2_000_000_000, counted);
    }

    private CheckedAnswers review(Measured.Ending ending) {
        Measured measured = new Measured(
                clock,
                clock.endNanos(),
                ending,
                searches,
                new FeederRecorder(clock, 0),
                new GeneratorCpu(),
                RunMonitor.Seen.NOTHING,
                consumer -> {},
                sampler,
                VisibilityResult.NONE,
                List.of(),
                taker -> {});
        return new AnswerReview(new Listener(new ArrayList<>()), new EventList(List.of()), directory)
                .review(measured, () -> false);
    }

    /** Hears what is said. */
    private record Listener(List<String> lines) implements RunHost {
        @Override
        public Settings settings() {
            throw new UnsupportedOperationException("nobody asks for settings");
        }

        @Override
        public Path home() {
            return Path.of("");
        }

        @Override
        public void line(String text) {
            lines.add(text);
        }

        @Override
        public void status(String text) {}

        @Override
        public void failure(String message, Throwable cause) {
            throw new AssertionError(message, cause);
        }

        @Override
        public void onShutdown(Runnable action) {}

        @Override
        public void exit(ExitCode code) {
            throw new AssertionError("nobody ends the process");
        }

        @Override
        public void endWith(ExitCode code) {}
    }
}
