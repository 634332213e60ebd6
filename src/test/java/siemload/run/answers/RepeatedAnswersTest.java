package siemload.run.answers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.query.StatementText;

/** Answers to the same statement with the same values are held against each other. */
class RepeatedAnswersTest {
    private static final Statement STATEMENT = new Statement(
            new SearchName("by_user"),
            StatementText.scan("SELECT * FROM t WHERE u = :user").statement());

    private final AnswerSampler sampler = sampler(0.01, STATEMENT);
    private final RepeatedAnswers answers = sampler.repeats().orElseThrow();

    @Test
    void equalRowsInAnyOrderAreTheSameAnswer() {
        answer("ann", "one", "two");
        answer("ann", "two", "one");
        answer("bob", "three");

        assertThat(answers.questions()).isEqualTo(2);
        assertThat(answers.repeats()).isEqualTo(1);
        assertThat(answers.differing()).isZero();
        assertThat(answers.checked(0.01)).isEqualTo(new CheckedAnswers(0.01, 1, 0, List.of()));
    }

    @Test
    void anAnswerWithOtherRowsIsWrongWhereNobodyWrote() {
        answer("ann", "one", "two");
        answer("ann", "one", "tow");
        answer("ann", "one", "two", "two");

        CheckedAnswers checked = answers.checked(0.01);
        assertThat(checked.checked()).isEqualTo(2);
        assertThat(checked.wrong()).hasSize(2);
        assertThat(checked.wrong().get(0).text(0)).isEqualTo("""
                        by_user
                          asked: SELECT * FROM t WHERE u = 'ann'
                          seconds of the run: 0.000000 to 0.000000
                          wrong: not the rows of the first answer to the same values
                          expected: 2 rows
                            one
                            two
                          got: 2 rows
                            one
                            tow
                        """);
    }

    @Test
    void whereSomebodyWroteItCannotBeChecked() {
        answer("ann", "one");
        answer("ann", "one");
        answer("ann", "two");

        assertThat(answers.unchecked(0.01)).isEqualTo(new CheckedAnswers(0.01, 1, 1, List.of()));
    }

    @Test
    void questionsBeyondTheRoomAreLeftOutButRepeatsOfTheOthersAreNot() {
        for (int i = 0; i < RepeatedAnswers.MOST_QUESTIONS + 3; i++) {
            answer("user" + i, "row");
        }
        answer("user0", "row");

        assertThat(answers.questions()).isEqualTo(RepeatedAnswers.MOST_QUESTIONS);
        assertThat(answers.checked(0.01)).isEqualTo(new CheckedAnswers(0.01, 1, 3, List.of()));
    }

    @Test
    void answersOfStatementsThatWriteAreNotCompared() {
        Search search = STATEMENT.search(Map.of("user", "ann"));
        AnswerSampler writing = sampler(1, new Statement(STATEMENT.name(), STATEMENT.text(), Statement.Effect.WRITES));

        assertThat(writing.watch(search, PageClass.STATEMENT, 0)).isSameAs(AnswerWatch.NOBODY);
        assertThat(writing.ofWarmUp().watch(search, PageClass.STATEMENT, 0)).isSameAs(AnswerWatch.NOBODY);
    }

    private static AnswerSampler sampler(double ratio, Statement statement) {
        return AnswerSampler.ofRepeats(ratio, List.of(statement), row -> new String(row, StandardCharsets.UTF_8));
    }

    private void answer(String user, String... rows) {
        AnswerWatch watch = sampler.watch(STATEMENT.search(Map.of("user", user)), PageClass.STATEMENT, 0.999);
        assertThat(watch.wantsContents()).isTrue();
        for (String row : rows) {
            watch.contents(row.getBytes(StandardCharsets.UTF_8));
        }
        watch.answered(0, 1, rows.length);
    }
}
