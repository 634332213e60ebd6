package siemload.database.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.postgresql.PGConnection;
import siemload.database.postgresql.connection.SqlTemplate;
import siemload.database.registry.Entry;
import siemload.database.registry.Entry.Purpose;

/**
 * What the server knows of a database, and what that proves. Immutable.
 *
 * @param owner the name of the role that owns it
 * @param own whether that is the user who is logged in
 * @param comment what an administrator would read about it; empty without one
 * @param used whether somebody is connected to it
 */
record OwnedDatabase(String owner, boolean own, String comment, boolean used) {

    static Optional<OwnedDatabase> find(Connection connection, String database) throws SQLException {
        return SqlTemplate.read("server/find-database.sql")
                .rows(
                        connection,
                        row -> new OwnedDatabase(
                                row.getString("owner"),
                                row.getBoolean("own"),
                                row.getString("comment"),
                                row.getBoolean("used")),
                        database)
                .stream()
                .findFirst();
    }

    /** Sets what an administrator reads about a database. */
    static void comment(Connection connection, String database, String text) throws SQLException {
        String literal = "'" + connection.unwrap(PGConnection.class).escapeLiteral(text) + "'";
        SqlTemplate.read("server/comment-database.sql", Map.of("database", database, "label", literal))
                .execute(connection);
    }

    /** The end of the comment on the database of an entry. */
    static String mark(String identity) {
        return " (made by siemload, mark " + identity + ")";
    }

    /** Whether it is the very database that the entry tells of, and belongs to the user who is logged in. */
    boolean isThatOf(Entry entry) {
        return own && (comment.endsWith(mark(entry.identity())) || isUnmarked(entry));
    }

    /** A process that was killed between making a database and marking it leaves its random name alone as a proof. */
    private boolean isUnmarked(Entry entry) {
        return comment.isEmpty() && entry.purpose() != Purpose.DATA_SET;
    }
}
