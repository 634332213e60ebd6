package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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
import siemload.results.Validity;
import siemload.run.answers.AnswerCheck;
import siemload.run.answers.AnswerSampler;
import siemload.run.answers.CheckedAnswers;
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
        verdict.saturation().gaveOut().forEach(text -> lines.add("gave out: " + text));
        verdict.saturation().signs().forEach(text -> lines.add("sign: " + text));
        if (verdict.saturation().seen()) {
            lines.add("advice: " + verdict.saturation().advice());
        }
        verdict.notes().forEach(text -> lines.add("note: " + text));
        return String.join("\n", lines);
    }

    private static CheckedAnswers checked(AnswerSampler sampler) {
        return AnswerCheck.of(
                sampler,
                new EventList(List.of()),
                new AnswerCheck.Changes(taker -> {}, Optional.empty()),
                more -> {},
                () -> false);
    }

    @Test
    void oneWrongAnswerIsEnough() {
        ValidityFixture run = new ValidityFixture().with("answered 1");
        AnswerSampler sampler = new AnswerSampler(1, Instant.EPOCH);
        sampler.watch(SEARCH, PageClass.COUNT, 0).answered(0, 10, 0);
        sampler.watch(SEARCH, PageClass.COUNT, 0).answered(0, 10, 7);
        run.answers = checked(sampler);

        assertThat(run.verdict().warnings())
                .containsExactly("1 of 2 checked answers were wrong, first HAWAT1 count (wrong-answers.txt)");
    }
}
