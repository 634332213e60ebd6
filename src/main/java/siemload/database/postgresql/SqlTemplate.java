package siemload.database.postgresql;

import java.util.Map;
import siemload.database.sql.SqlFiles;
import siemload.database.sql.SqlStatement;

/** The SQL files of this database. */
final class SqlTemplate {
    private static final SqlFiles FILES = new SqlFiles(SqlTemplate.class);

    private SqlTemplate() {}

    /** Reads a file that has no parts; its comments are left out. */
    static SqlStatement read(String file) {
        return FILES.read(file);
    }

    /** Reads a file and puts its parts in. A part may hold values of its own. */
    static SqlStatement read(String file, Map<String, String> parts) {
        return FILES.read(file, parts);
    }

    /** A file of another language, with its parts put in. */
    static String filled(String file, Map<String, String> parts) {
        return FILES.filled(file, parts);
    }

    /** A file as it is. */
    static String text(String file) {
        return FILES.text(file);
    }
}
