package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import siemload.query.PageClass;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.query.StatementText;
import siemload.run.ExistingSearches.AnswerReview.RepeatReview;
import siemload.run.answers.AnswerSampler;
import siemload.run.answers.AnswerWatch;

/** What answers prove that were held against each other depends on whether the data stayed the same. */
class RepeatReviewTest {
    private final Statement statement =
            new Statement(new SearchName("one"), StatementText.scan("SELECT x").statement());
    private final AnswerSampler sampler = sampler();

    private AnswerSampler sampler() {
        return AnswerSampler.ofRepeats(1, List.of(statement), row -> "one");
    }

    @BeforeEach
    void threeAnswersOfWhichTheLastIsAnotherOne() {
        for (byte row : new byte[] {1, 1, 2}) {
            AnswerWatch watch = sampler.watch(statement.search(Map.of()), PageClass.STATEMENT, 0);
            watch.contents(new byte[] {row});
            watch.answered(0, 1, 1);
        }
    }

    @Test
    void whereNobodyWroteADifferentAnswerIsWrong() {
        RepeatReview review = review(OptionalLong.of(0));

        assertThat(review.check().wrong()).hasSize(1);
        assertThat(review.note())
                .isEqualTo(
                        "answers were held against each other: 2 that repeat one of 1 questions (a statement with its"
                                + " values), while nobody wrote a row");
    }

    @Test
    void whereRowsWereWrittenItIsToldWhatCannotBeChecked() {
        RepeatReview review = review(OptionalLong.of(7));

        assertThat(review.check().wrong()).isEmpty();
        assertThat(review.check().leftOut()).isEqualTo(1);
        assertThat(review.note())
                .endsWith(
                        "; 7 rows were written into the database meanwhile, so that the 1 that were answered otherwise"
                                + " than at first cannot be checked");
    }

    private RepeatReview review(OptionalLong written) {
        return new RepeatReview(sampler.repeats().orElseThrow(), 1, written);
    }
}
