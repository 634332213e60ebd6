package siemload.database.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A statement, or a part of one, read from a text with names for its parts: {@code :'name'} is a value, always bound;
 * {@code :name} is a part of the statement and {@code :"name"} an identifier. Immutable.
 *
 * @param sql the text with {@code ?} for each value
 * @param values the names of the values, one for each {@code ?}
 */
public record SqlStatement(String sql, List<String> values) {
    private static final Pattern PLACE = Pattern.compile("(?<!:):(?:'(\\w+)'|\"(\\w+)\"|([a-zA-Z_]\\w*))");
    private static final Pattern VALUE = Pattern.compile("(?<!:):'(\\w+)'");

    public SqlStatement {
        values = List.copyOf(values);
    }

    /** Reads one row of a result. */
    @FunctionalInterface
    public interface Reading<T> {
        T of(ResultSet row) throws SQLException;
    }

    /** Executes a statement without values. */
    public void execute(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** All rows of its result, with these values bound as texts in their order. */
    public <T> List<T> rows(Connection connection, Reading<T> reading, String... bound) throws SQLException {
        List<T> rows = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < bound.length; i++) {
                statement.setString(i + 1, bound[i]);
            }
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    rows.add(reading.of(row));
                }
            }
        }
        return rows;
    }

    /** The first row of its result, which must have one. */
    public <T> T row(Connection connection, Reading<T> reading, String... bound) throws SQLException {
        return rows(connection, reading, bound).get(0);
    }

    static SqlStatement of(String text) {
        List<String> values = new ArrayList<>();
        Matcher place = VALUE.matcher(text);
        StringBuilder sql = new StringBuilder(text.length());
        while (place.find()) {
            values.add(place.group(1));
            place.appendReplacement(sql, "?");
        }
        return new SqlStatement(place.appendTail(sql).toString(), values);
    }

    static String with(String text, Map<String, String> parts) {
        return PLACE.matcher(text).replaceAll(place -> {
            String identifier = place.group(2);
            String part = place.group(3);
            if (identifier != null) {
                return Matcher.quoteReplacement("\"" + part(parts, identifier).replace("\"", "\"\"") + "\"");
            }
            return Matcher.quoteReplacement(part == null ? place.group() : part(parts, part));
        });
    }

    private static String part(Map<String, String> parts, String name) {
        return Objects.requireNonNull(parts.get(name), () -> "no part " + name);
    }
}
