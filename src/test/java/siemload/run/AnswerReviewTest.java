package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.config.Settings;
import siemload.database.SearchSession.RowReader.DetachedRow;
import siemload.measure.LatencyRecorder;
import siemload.measure.RunClock;
import siemload.measure.monitor.RunMonitor;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.results.RunFile;
import siemload.run.RunValidity.Findings;
import siemload.run.answers.AnswerSampler;
import siemload.run.answers.AnswerSampler.AnswerWatch;
import siemload.run.answers.CheckedAnswers;

class AnswerReviewTest {
    private static final Search OLDEST =
            new Search(SearchName.MENTAT, Window.ALWAYS, List.of(), Order.OLDEST_FIRST, new Page.Numbered(1, 1));

    private final Resources resources = new Resources();
    private final Findings found = new Findings();

    @TempDir
    private Path directory;

    @AfterEach
    void giveBack() {
        resources.close();
    }

    @Test
    void wrongAnswersStandInAFileWithWhatWasAskedAndWhatCameBack() {
        assertThat(checked(LoadOutcome.Ending.INTERRUPTED))
                .as("of a run that did not come to its end none are checked")
                .isEqualTo(new CheckedAnswers(1, 0, 2, List.of()));
        assertThat(RunFile.WRONG_ANSWERS.in(directory)).doesNotExist();

        CheckedAnswers checked = checked(LoadOutcome.Ending.COMPLETE);

        assertThat(checked.checked()).isEqualTo(2);
        assertThat(checked.wrong()).hasSize(2);
        assertThat(RunFile.WRONG_ANSWERS.in(directory)).hasContent("""
                        MENTAT first, oldest first
                          asked: MENTAT: every event, at any time, oldest first, page 1 of 1 rows each
                          seconds of the run: 1.000000 to 2.000000
                          wrong: rows that the search should not return, or only with another detect time: no-event
                          got: 1 rows: no-event

                        MENTAT count, oldest first
                          asked: MENTAT: every event, at any time, oldest first, page 1 of 1 rows each
                          seconds of the run: 1.000000 to 2.000000
                          wrong: counted 7 instead of 2000
                          got: a count of 7

                        """);
        assertThat(found.faults()).isEmpty();
    }

    private CheckedAnswers checked(LoadOutcome.Ending ending) {
        Map<String, String> properties = Map.of(
                "target", "memory", "dataset", "src/test/resources/datasets/tiny.yaml", "cache", directory.toString());
        RunPlan plan = RunPlan.read(Settings.of(Map.of(), properties, Map.of()), Path.of(""), text -> {});
        Bench bench = Bench.open(new QuietHost(new ArrayList<>()), plan, resources, "review", Optional.empty());
        AnswerSampler sampler = new AnswerSampler(1, plan.source().until());
        AnswerWatch page = sampler.watch(OLDEST, PageClass.FIRST, 0);
        page.row(new DetachedRow("no-event", Instant.EPOCH, new byte[0]), new byte[0]);
        page.answered(1_000_000_000, 2_000_000_000, 1);
        sampler.watch(OLDEST, PageClass.COUNT, 0).answered(1_000_000_000, 2_000_000_000, 7);
        RunClock clock = RunClock.startingAt(0, Duration.ZERO, Duration.ofSeconds(10));
        LatencyRecorder searches = new LatencyRecorder(clock);
        LoadOutcome measured = ValidityFixture.outcome(clock, searches, ending, RunMonitor.Seen.NOTHING, sampler);
        return new AnswerReview(bench, directory, found).check(measured, () -> false);
    }
}
