package siemload.run.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import siemload.database.querylog.QueryLog.QueryLogListener.Client;
import siemload.database.querylog.QueryLog.QueryLogListener.LoggedStatement;
import siemload.dataset.SeededRandom;
import siemload.query.Statement;
import siemload.query.StatementText;
import siemload.run.learn.LearntQueries.LearntStatement;
import siemload.run.learn.LearntQueries.SessionTimes;

class LearntFiguresTest {
    private static LoggedStatement executed(String session, long startMillis, long millis, String sql) {
        long end = (startMillis + millis) * 1_000;
        return new LoggedStatement(
                new Client(session, "shop", "", ""),
                end,
                millis * 1_000,
                StatementText.parse(sql),
                List.of(),
                Statement.Effect.READS);
    }

    /** Two sessions of 10 s, one after the other, and one of 10 s beside the first, in 20 s: 1.5 at a time. */
    @Test
    void usersAreAsManyAsWereWorkingOrThinkingAtATime() {
        SessionTimes sessions = new SessionTimes();
        for (String session : List.of("a", "b")) {
            sessions.add(executed(session, 0, 1_000, "SELECT 1"), 0);
            sessions.add(executed(session, 9_000, 1_000, "SELECT 1"), 0);
        }
        sessions.add(executed("c", 10_000, 1_000, "SELECT 1"), 0);
        sessions.add(executed("c", 19_000, 1_000, "SELECT 1"), 0);

        assertThat(sessions.sessions()).isEqualTo(3);
        assertThat(sessions.atATime()).isCloseTo(1.5, within(0.001));
        assertThat(sessions.gaps().getTotalCount()).isEqualTo(3);
        assertThat(sessions.gaps().getMean()).isCloseTo(8_000_000, within(8_000.0));
    }

    @Test
    void whoWaitsForLongerThanTenMinutesWasAway() {
        SessionTimes sessions = new SessionTimes();
        sessions.add(executed("a", 0, 1_000, "SELECT 1"), 0);
        sessions.add(executed("a", 700_000, 1_000, "SELECT 1"), 0);

        assertThat(sessions.absences()).isOne();
        assertThat(sessions.gaps().getTotalCount()).isZero();
    }

    @Test
    void rowsOfTooManyCharactersAreLeftOut() {
        QueryLearner learner = learner();
        StatementText text = StatementText.parse("TABLE a LIMIT :p1");
        for (String value : List.of("1", "x".repeat(20_001))) {
            learner.executed(new LoggedStatement(
                    new Client("s", "shop", "", ""), 1, 1, text, List.of(value), Statement.Effect.READS));
        }

        LearntQueries learnt = learner.learnt(List.of(), 2);
        assertThat(learnt.statements().get("query_1").rows().rows()).containsExactly(List.of("1"));
        assertThat(learnt.lines()).contains("        1  has values of more than 20,000 characters: TABLE a LIMIT :p1");
    }

    private static QueryLearner learner() {
        QueryLearner.Taken all = new QueryLearner.Taken(Optional.empty(), Optional.empty(), List.of(), false);
        return new QueryLearner(all, 1, execution -> {});
    }

    @Test
    void statementsAreNamedByTheFirstTableThatTheyRead() {
        Map<String, LearntStatement> named = LearntQueries.named(List.of(
                        "SELECT 1 FROM Shop.\"Orders\" JOIN x ON true",
                        "SELECT 2 FROM orders",
                        "SELECT 3",
                        "SELECT 1 FROM (SELECT 1 FROM only_one) y")
                .stream()
                .map(sql ->
                        new LearntStatement(0, StatementText.parse(sql), Statement.Effect.READS, new SeededRandom(1)))
                .toList());

        assertThat(named.keySet()).containsExactly("orders_1", "orders_2", "query_1", "only_one_1");
    }
}
