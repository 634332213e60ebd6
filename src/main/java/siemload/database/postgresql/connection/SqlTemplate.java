package siemload.database.postgresql.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import siemload.database.sql.SqlFiles;
import siemload.database.sql.SqlStatement;

/** The SQL files of this database. */
public final class SqlTemplate {
    private static final SqlFiles FILES = new SqlFiles(SqlTemplate.class, "/siemload/database/postgresql/");

    private SqlTemplate() {}

    /** Reads a file that has no parts; its comments are left out. */
    public static SqlStatement read(String file) {
        return FILES.read(file);
    }

    /** Reads a file and puts its parts in. A part may hold values of its own. */
    public static SqlStatement read(String file, Map<String, String> parts) {
        return FILES.read(file, parts);
    }

    /** A file of another language, with its parts put in. */
    public static String filled(String file, Map<String, String> parts) {
        return FILES.filled(file, parts);
    }

    /** Executes a statement that stands in no file. */
    public static void execute(Connection connection, String sql) throws SQLException {
        new SqlStatement(sql, List.of()).execute(connection);
    }

    /** Whether there is such a file. */
    public static boolean has(String file) {
        return FILES.has(file);
    }

    /** A file as it is. */
    public static String text(String file) {
        return FILES.text(file);
    }
}
