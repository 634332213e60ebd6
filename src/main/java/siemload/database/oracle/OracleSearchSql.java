package siemload.database.oracle;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import siemload.database.sql.SqlStatement;

/**
 * A search as one statement.
 *
 * @param statement the text, the very same for equal kinds of search, and the names of its values
 * @param values the values by name: texts, bytes, local times and numbers
 * @param rows how many rows to expect at most, for the portions in which they are fetched; 1 or more
 */
record OracleSearchSql(SqlStatement statement, Map<String, Object> values, int rows) {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT);

    void bind(PreparedStatement prepared) throws SQLException {
        List<String> names = statement.values();
        for (int i = 0; i < names.size(); i++) {
            Object value = value(names.get(i));
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
        return SqlStatement.written(
                statement.sql(), place -> literal(value(statement.values().get(place))));
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

    private Object value(String name) {
        return Objects.requireNonNull(values.get(name), () -> "no value " + name);
    }

    /** The values of conditions under the names that {@link #named} gives them. */
    static Map<String, Object> values(List<OracleCondition> conditions) {
        Map<String, Object> values = new HashMap<>();
        List<OracleCondition> leaves = OracleCondition.leaves(conditions);
        for (int i = 0; i < leaves.size(); i++) {
            List<Map<String, Object>> anyOf = leaves.get(i).anyOf();
            for (int j = 0; j < anyOf.size(); j++) {
                String prefix = prefix(i, j);
                anyOf.get(j).forEach((name, value) -> values.put(prefix + name, value));
            }
        }
        return values;
    }

    /** The text of a condition with names of its own for its values, since another one may be of the same kind. */
    static String named(String text, int condition, int alternative) {
        return text.replace(":'", ":'" + prefix(condition, alternative));
    }

    private static String prefix(int condition, int alternative) {
        return "c" + condition + "_" + alternative + "_";
    }
}
