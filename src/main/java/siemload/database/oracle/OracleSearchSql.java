package siemload.database.oracle;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import siemload.database.server.Portions;
import siemload.database.sql.SqlStatement;
import siemload.database.sql.layout.SqlSearches;

/**
 * A statement with its values.
 *
 * @param sql the very same for equal kinds of search, with {@code ?} for each value
 * @param values texts, bytes, local times and numbers
 * @param rows how many rows to expect at most, for the portions in which they are fetched; 1 or more
 */
record OracleSearchSql(String sql, List<Object> values, int rows) {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT);

    /** One more than a page is fetched, or the end would need a round trip of its own. */
    static OracleSearchSql of(SqlSearches.Compiled compiled, int rows) {
        return new OracleSearchSql(compiled.sql(), compiled.values(), Math.min(rows + 1, Portions.ROWS));
    }

    void bind(PreparedStatement prepared) throws SQLException {
        for (int i = 0; i < values.size(); i++) {
            Object value = values.get(i);
            if (value instanceof String text) {
                prepared.setString(i + 1, text);
            } else if (value instanceof byte[] bytes) {
                prepared.setBytes(i + 1, bytes);
            } else {
                prepared.setObject(i + 1, value);
            }
        }
    }

    /** The statement with its values written out, to be explained. */
    String text() {
        return SqlStatement.written(sql, place -> literal(values.get(place)));
    }

    /** A value in SQL: the planner looks into values. */
    private static String literal(Object value) {
        if (value instanceof String text) {
            return "'" + text.replace("'", "''").replace("\0", "' || CHR(0) || '") + "'";
        } else if (value instanceof byte[] bytes) {
            return "HEXTORAW('" + HexFormat.of().withUpperCase().formatHex(bytes) + "')";
        } else if (value instanceof LocalDateTime time) {
            return "TIMESTAMP '" + TIME.format(time) + "'";
        }
        return value.toString();
    }
}
