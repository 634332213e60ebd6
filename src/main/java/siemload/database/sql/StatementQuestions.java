package siemload.database.sql;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import siemload.database.SearchException;
import siemload.database.TargetException;
import siemload.query.Statement;

/**
 * What is to be known of statements before a run, each over a session of its own. Thread-safe.
 *
 * @param codes what the database calls the codes of its errors; empty where its words have them
 */
public record StatementQuestions(Supplier<? extends StatementAsker> sessions, String codes) {

    /** Why a statement cannot be asked; what the server finds wrong with it comes with its code. Empty if it can. */
    public Optional<String> refusal(Statement statement) {
        try (StatementAsker session = sessions.get()) {
            return session.refusal(statement);
        } catch (SearchException wrong) {
            boolean bare = codes.isEmpty() || wrong.code().isEmpty();
            return Optional.of(
                    "the server says: " + wrong.getMessage() + (bare ? "" : " (" + codes + " " + wrong.code() + ")"));
        }
    }

    /** The values that a query gives. @throws TargetException if it fails, or gives anything but one column without NULL */
    public List<String> values(String query, int most) {
        try (StatementAsker session = sessions.get()) {
            return session.values(query, most);
        } catch (SearchException wrong) {
            throw new TargetException("a query for values failed: " + wrong.getMessage() + " (" + query + ")", wrong);
        }
    }
}
