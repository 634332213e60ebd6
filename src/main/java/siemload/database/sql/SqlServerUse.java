package siemload.database.sql;

import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import siemload.database.ServerUse;
import siemload.database.ServerUse.Client;
import siemload.database.ServerUse.Question;
import siemload.database.sql.SqlStatement.RowReading;

/**
 * Finds out who uses a server, by four statements: {@code other-sessions}, whose rows are names, how many are at work, and what is hidden;
 * {@code transactions} that have ended; {@code data-directory}, without a row where it cannot be seen; {@code free-bytes}, NULL where nothing limits them.
 * Used by one thread.
 *
 * @param statements reads them by their names
 * @param gaps what is not seen where the user may not ask such a statement, by its name; those that every user may ask are missing
 */
public record SqlServerUse(
        SqlErrors errors, Connection open, Function<String, SqlStatement> statements, Map<String, String> gaps) {

    /**
     * Looks for about a second.
     *
     * @param makes as of {@link ServerUse}
     */
    public ServerUse of(List<String> makes) {
        return ServerUse.of(
                makes,
                String.join("", rows("data-directory", row -> row.getString(1))),
                asking(
                        "other-sessions",
                        row -> new Client(row.getString(1), row.getLong(2), text(row.getString(3))),
                        rows -> rows,
                        List.of()),
                asking("transactions", row -> row.getLong(1), rows -> rows.get(0), 0L),
                asking(
                        "free-bytes",
                        row -> row.getObject(1) == null ? OptionalLong.empty() : OptionalLong.of(row.getLong(1)),
                        rows -> rows.get(0),
                        OptionalLong.empty()));
    }

    private <R, T> Question<T> asking(String name, RowReading<R> reading, Function<List<R>, T> answer, T otherwise) {
        return new Question<>(() -> answer.apply(rows(name, reading)), otherwise, gaps.getOrDefault(name, ""));
    }

    /** Some databases keep an empty text as no value. */
    private static String text(@Nullable String text) {
        return text == null ? "" : text;
    }

    private <T> List<T> rows(String name, RowReading<T> reading) {
        return errors.attempt(
                "see the " + name.replace('-', ' '),
                () -> statements.apply(name).rows(open, reading));
    }
}
