package siemload.run.answers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;

class AnswerSamplerTest {
    private static final Instant NOON = Instant.parse("2016-06-06T12:00:00Z");
    private static final Search FIRST =
            new Search(SearchName.MENTAT, Window.ALWAYS, List.of(), Order.NEWEST_FIRST, new Page.Numbered(10, 1));

    @Test
    void aSearchIsPickedByItsLotAlone() {
        AnswerSampler sampler = new AnswerSampler(0.25, NOON);
        assertThat(sampler.watch(FIRST, PageClass.FIRST, 0.2499).wantsRows()).isTrue();
        assertThat(sampler.watch(FIRST, PageClass.FIRST, 0.25)).isSameAs(AnswerWatch.NOBODY);
    }

    @Test
    void aRatioOfZeroPicksNothing() {
        assertThat(new AnswerSampler(0, NOON).watch(FIRST, PageClass.FIRST, 0)).isSameAs(AnswerWatch.NOBODY);
    }

    @Test
    void aSearchThatFailedIsNotKept() {
        AnswerSampler sampler = new AnswerSampler(1, NOON);
        sampler.watch(FIRST, PageClass.FIRST, 0.5).row(NOON, "a");
        assertThat(sampler.answers()).isEmpty();
    }

    @Test
    void tooManyAnswersAreThinnedOutEvenlyAndCounted() {
        AnswerSampler sampler = new AnswerSampler(1, NOON, 100, 1_000);
        for (int i = 0; i < 400; i++) {
            sampler.watch(FIRST, PageClass.COUNT, i % 100 / 100.0).answered(i, i, 7);
        }

        assertThat(sampler.answers()).hasSizeBetween(50, 100);
        assertThat(sampler.answers())
                .allSatisfy(answer -> assertThat(answer.draw()).isLessThan(0.25));
        assertThat(sampler.answers().size() + sampler.leftOut()).isEqualTo(400);
    }

    @Test
    void theRowsOfAllAnswersTogetherAreBounded() {
        AnswerSampler sampler = new AnswerSampler(1, NOON, 100, 15);
        for (double draw : new double[] {0.9, 0.1}) {
            AnswerWatch watch = sampler.watch(FIRST, PageClass.FIRST, draw);
            for (int row = 0; row < 10; row++) {
                watch.row(NOON.minusSeconds(row), "id");
            }
            watch.answered(0, 1, 10);
        }

        assertThat(sampler.answers()).extracting(SampledAnswer::draw).containsExactly(0.1);
        assertThat(sampler.leftOut()).isEqualTo(1);
    }

    @Test
    void anAnswerThatIsTooLargeByItselfIsLeftOut() {
        AnswerSampler sampler = new AnswerSampler(1, NOON, 100, 5);
        AnswerWatch watch = sampler.watch(FIRST, PageClass.FIRST, 0);
        for (int row = 0; row < 10; row++) {
            watch.row(NOON.minusSeconds(row), "id");
        }
        watch.answered(0, 1, 10);

        assertThat(sampler.answers()).isEmpty();
        assertThat(sampler.leftOut()).isEqualTo(1);
    }

    @Test
    void aCheckThatIsGivenUpChecksNothing() {
        AnswerSampler sampler = new AnswerSampler(1, NOON);
        sampler.watch(FIRST, PageClass.COUNT, 0).answered(0, 1, 99);

        CheckedAnswers checked = AnswerCheck.of(
                sampler,
                new EventList(List.of()),
                taker -> taker.accept(FedBatch.unacknowledged(List.of(), 0)),
                more -> {},
                () -> true);

        assertThat(checked.checked()).isZero();
        assertThat(checked.leftOut()).isEqualTo(1);
        assertThat(checked.wrong()).isEmpty();
    }
}
