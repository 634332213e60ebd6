package siemload.database.sql;

import java.util.List;
import java.util.Optional;
import siemload.database.SearchException;
import siemload.database.StatementStore;
import siemload.database.TargetException;
import siemload.query.Statement;

/** A store that is asked SQL. What is to be known of statements before a run is asked over a session of its own each time. */
public interface SqlStatementStore extends StatementStore {

    /** A session that asks before a run; whoever gets it closes it. */
    StatementAsker openAsker();

    /** What the database calls the codes of its errors; empty where its words have them. */
    String codes();

    /** What the server finds wrong with a statement comes with its code. */
    @Override
    default Optional<String> refusal(Statement statement) {
        try (StatementAsker session = openAsker()) {
            return session.refusal(statement);
        } catch (SearchException wrong) {
            boolean bare = codes().isEmpty() || wrong.code().isEmpty();
            return Optional.of(
                    "the server says: " + wrong.getMessage() + (bare ? "" : " (" + codes() + " " + wrong.code() + ")"));
        }
    }

    @Override
    default List<String> values(String query, int most) {
        try (StatementAsker session = openAsker()) {
            return session.values(query, most);
        } catch (SearchException wrong) {
            throw new TargetException("a query for values failed: " + wrong.getMessage() + " (" + query + ")", wrong);
        }
    }
}
