package siemload.run.answers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import siemload.database.SearchSession.RowReader;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.query.StatementText;
import siemload.run.answers.AnswerSampler.AnswerWatch;
import siemload.run.answers.CheckedAnswers.ComparedAnswers;

class RepeatedAnswersTest {
    private static final Statement STATEMENT =
            new Statement(new SearchName("by_user"), StatementText.parse("SELECT * FROM t WHERE u = :user"));

    private static final RowReader.Row NO_EVENT = new RowReader.DetachedRow("", Instant.EPOCH, new byte[0]);

    private final AnswerSampler sampler = sampler(0.01, STATEMENT);

    @Test
    void equalRowsInAnyOrderAreTheSameAnswerAndOthersAreWrongWhereNobodyWrote() {
        answer("ann", "one", "two");
        answer("ann", "two", "one");
        answer("bob", "three");

        assertThat(compared().note(Optional.empty()))
                .isEqualTo(
                        "answers were compared with each other: 1 answers repeated one of 2 questions (a statement with its"
                                + " values), while nobody wrote a row");
        assertThat(compared().judged(Optional.empty())).isEqualTo(new CheckedAnswers(0.01, 1, 0, List.of()));

        answer("ann", "one", "tow");
        answer("ann", "one", "two", "two");

        CheckedAnswers checked = compared().judged(Optional.empty());
        assertThat(checked.checked()).isEqualTo(3);
        assertThat(checked.wrong()).hasSize(2);
        assertThat(checked.wrong().get(0).faults())
                .containsExactly("differs from the first answer to the same values, 2 rows\n    one\n    two");
        assertThat(checked.wrong().get(0).found()).isEqualTo("2 rows\n    one\n    tow");
        Optional<String> change = Optional.of("7 rows were written");
        assertThat(compared().judged(change)).isEqualTo(new CheckedAnswers(0.01, 1, 2, List.of()));
        assertThat(compared().note(change))
                .endsWith("; 7 rows were written, so the 2 answers that differed cannot be checked");
    }

    @Test
    void questionsBeyondTheRoomAreLeftOutButRepeatsOfTheOthersAreNot() {
        for (int i = 0; i < RepeatedAnswers.MOST_QUESTIONS + 3; i++) {
            answer("user" + i, "row");
        }
        answer("user0", "row");

        assertThat(compared().unchanged()).isEqualTo(new CheckedAnswers(0.01, 1, 3, List.of()));
    }

    @Test
    void answersOfStatementsThatWriteAreNotCompared() {
        Search search = STATEMENT.search(Map.of("user", "ann"));
        AnswerSampler writing = sampler(1, new Statement(STATEMENT.name(), STATEMENT.text(), Statement.Effect.WRITES));

        assertThat(writing.watch(search, PageClass.STATEMENT, 0)).isSameAs(AnswerWatch.NOBODY);
    }

    private ComparedAnswers compared() {
        return sampler.repeats().orElseThrow().compared(0.01);
    }

    private static AnswerSampler sampler(double ratio, Statement statement) {
        return AnswerSampler.ofRepeats(ratio, List.of(statement));
    }

    private void answer(String user, String... rows) {
        AnswerWatch watch = sampler.watch(STATEMENT.search(Map.of("user", user)), PageClass.STATEMENT, 0.999);
        for (String row : rows) {
            watch.row(NO_EVENT, row.getBytes(StandardCharsets.UTF_8));
        }
        watch.answered(0, 1, rows.length);
    }
}
