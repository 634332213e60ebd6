package siemload.database.oracle;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import siemload.database.sql.SqlStatement;

/**
 * A search as one statement.
 *
 * @param statement the text, the very same for equal kinds of search, and the names of its values
 * @param values the values by name
 * @param rows how many rows to expect at most, for the portions in which they are fetched; 1 or more
 */
record OracleSearchSql(SqlStatement statement, Map<String, SqlValue> values, int rows) {

    void bind(PreparedStatement prepared) throws SQLException {
        List<String> names = statement.values();
        for (int i = 0; i < names.size(); i++) {
            value(names.get(i)).bind(prepared, i + 1);
        }
    }

    /** The statement with its values written out, to be explained. */
    String text() {
        StringBuilder text = new StringBuilder();
        int value = 0;
        for (char c : statement.sql().toCharArray()) {
            if (c == '?') {
                text.append(value(statement.values().get(value)).literal());
                value++;
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }

    private SqlValue value(String name) {
        return Objects.requireNonNull(values.get(name), () -> "no value " + name);
    }

    /** The values of conditions under the names that {@link #named} gives them. */
    static Map<String, SqlValue> values(List<OracleCondition> conditions) {
        Map<String, SqlValue> values = new HashMap<>();
        for (int i = 0; i < conditions.size(); i++) {
            List<Map<String, SqlValue>> anyOf = conditions.get(i).anyOf();
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
