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
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
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
    private static final Pattern LITERAL_COMMENT_OR_VALUE = Pattern.compile("'[^']*'|--[^\\n]*|\\?");

    public SqlStatement {
        values = List.copyOf(values);
    }

    /** Reads what a row holds. */
    @FunctionalInterface
    public interface RowReading<T> {
        T read(ResultSet row) throws SQLException;
    }

    /**
     * The rows of a question.
     *
     * @param given the values in the order of {@link #values}
     */
    public <T> List<T> rows(Connection connection, RowReading<T> reading, Object... given) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < given.length; i++) {
                statement.setObject(i + 1, given[i]);
            }
            return rows(statement, reading);
        }
    }

    /** The rows of a question whose values are bound. */
    public static <T> List<T> rows(PreparedStatement question, RowReading<T> reading) throws SQLException {
        List<T> rows = new ArrayList<>();
        try (ResultSet row = question.executeQuery()) {
            while (row.next()) {
                rows.add(reading.read(row));
            }
        }
        return rows;
    }

    /** The first row of its answer, which must have one. */
    public static <T> T row(PreparedStatement question, RowReading<T> reading) throws SQLException {
        return rows(question, reading).get(0);
    }

    /** The first row of a question's answer, which must have one. */
    public <T> T row(Connection connection, RowReading<T> reading, Object... given) throws SQLException {
        return rows(connection, reading, given).get(0);
    }

    /** The answer of a question that has one row with one number. */
    public long number(Connection connection, Object... given) throws SQLException {
        return row(connection, row -> row.getLong(1), given);
    }

    /** The answer of a question whose rows are names and what they stand for. */
    public <T> SortedMap<String, T> map(Connection connection, RowReading<T> reading, Object... given)
            throws SQLException {
        SortedMap<String, T> map = new TreeMap<>();
        rows(connection, row -> map.put(row.getString(1), reading.read(row)), given);
        return map;
    }

    /** Executes a statement without values. */
    public void execute(Connection connection) throws SQLException {
        execute(connection, sql);
    }

    /** Executes a statement that stands in no file. */
    public static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /**
     * A statement with its values written into it. A {@code ?} within a literal or a comment stands for itself, as drivers have it.
     *
     * @param sql with {@code ?} for each value
     * @param value what stands in the place of the value with this number, from 0
     */
    public static String written(String sql, IntFunction<String> value) {
        StringBuilder text = new StringBuilder(sql.length() + 100);
        Matcher part = LITERAL_COMMENT_OR_VALUE.matcher(sql);
        int values = 0;
        while (part.find()) {
            String written = part.group().equals("?") ? value.apply(values++) : part.group();
            part.appendReplacement(text, Matcher.quoteReplacement(written));
        }
        return part.appendTail(text).toString();
    }

    /**
     * A name in a text.
     *
     * @param written as it stands there: {@code :'id'}, {@code :time} or {@code :"table"}
     * @param offset where, 0 for the first character
     */
    public record Place(String written, String name, Kind kind, int offset) {
        /** What it stands for. */
        public enum Kind {
            VALUE,
            PART
        }
    }

    /** The names in a text, but for those in its comment lines. */
    public static List<Place> places(String text) {
        List<Place> places = new ArrayList<>();
        Matcher place = PLACE.matcher(text);
        while (place.find()) {
            boolean isComment = text.startsWith("--", text.lastIndexOf('\n', place.start()) + 1);
            if (!isComment) {
                String value = place.group(1);
                String part = place.group(2) == null ? place.group(3) : place.group(2);
                places.add(new Place(
                        place.group(),
                        value == null ? part : value,
                        value == null ? Place.Kind.PART : Place.Kind.VALUE,
                        place.start()));
            }
        }
        return places;
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
                return Matcher.quoteReplacement(quoted(part(parts, identifier)));
            }
            return Matcher.quoteReplacement(part == null ? place.group() : part(parts, part));
        });
    }

    /** An identifier in quotation marks. */
    static String quoted(String identifier) {
        return "\"" + identifier.replace("\"", "\"\"") + "\"";
    }

    private static String part(Map<String, String> parts, String name) {
        return Objects.requireNonNull(parts.get(name), () -> "no part " + name);
    }
}
