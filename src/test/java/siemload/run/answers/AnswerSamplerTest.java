package siemload.run.answers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import siemload.database.SearchSession.RowReader.DetachedRow;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.run.answers.AnswerSampler.AnswerWatch;

class AnswerSamplerTest {
    private static final Instant NOON = Instant.parse("2016-06-06T12:00:00Z");
    private static final Search FIRST =
            new Search(SearchName.MENTAT, Window.ALWAYS, List.of(), Order.NEWEST_FIRST, new Page.Numbered(10, 1));

    @Test
    void theLowestDrawsArePickedWhateverTheOrder() {
        List<Double> draws = new ArrayList<>(
                IntStream.range(0, 1_000).mapToObj(i -> i / 1_000.0).toList());
        for (int seed = 0; seed < 20; seed++) {
            Collections.shuffle(draws, new Random(seed));
            assertThat(drawsOfChecked(0.05, draws)).hasSize(50).allMatch(draw -> draw < 0.05);
            assertThat(drawsOfChecked(0.005, draws)).hasSize(20).allMatch(draw -> draw < 0.02);
            assertThat(drawsOfChecked(0.005, draws.subList(0, 15))).hasSize(15);
        }
    }

    private static List<Double> drawsOfChecked(double ratio, List<Double> draws) {
        AnswerSampler sampler = new AnswerSampler(ratio, NOON);
        draws.forEach(draw -> sampler.watch(FIRST, PageClass.COUNT, draw).answered(0, 1, 7));
        assertThat(sampler.leftOut()).isZero();
        return sampler.answers().stream().map(answer -> answer.draw).toList();
    }

    @Test
    void tooManyAnswersAreThinnedOutEvenlyAndCounted() {
        AnswerSampler sampler = new AnswerSampler(1, NOON, Optional.empty(), 100, 1_000);
        for (int i = 0; i < 400; i++) {
            sampler.watch(FIRST, PageClass.COUNT, i % 100 / 100.0).answered(i, i, 7);
        }

        assertThat(sampler.answers()).hasSizeBetween(50, 100);
        assertThat(sampler.answers())
                .allSatisfy(answer -> assertThat(answer.draw).isLessThan(0.25));
        assertThat(sampler.answers().size() + sampler.leftOut()).isEqualTo(400);
    }

    @Test
    void theRowsOfAllAnswersTogetherAreBounded() {
        AnswerSampler sampler = new AnswerSampler(1, NOON, Optional.empty(), 100, 15);
        for (double draw : new double[] {0.9, 0.1}) {
            AnswerWatch watch = sampler.watch(FIRST, PageClass.FIRST, draw);
            for (int row = 0; row < 10; row++) {
                watch.row(new DetachedRow("id", NOON.minusSeconds(row), new byte[0]), new byte[0]);
            }
            watch.answered(0, 1, 10);
        }

        assertThat(sampler.answers()).extracting(answer -> answer.draw).containsExactly(0.1);
        assertThat(sampler.leftOut()).isEqualTo(1);
    }

    @Test
    void aCheckThatIsGivenUpChecksNothing() {
        AnswerSampler sampler = new AnswerSampler(1, NOON);
        sampler.watch(FIRST, PageClass.COUNT, 0).answered(0, 1, 99);

        CheckedAnswers checked = AnswerCheck.of(
                sampler,
                new EventList(List.of()),
                taker -> taker.accept(GivenAnswer.unanswered(List.of(), 0)),
                Optional.empty(),
                more -> {},
                () -> true);

        assertThat(checked.checked()).isZero();
        assertThat(checked.leftOut()).isEqualTo(1);
        assertThat(checked.wrong()).isEmpty();
    }
}
