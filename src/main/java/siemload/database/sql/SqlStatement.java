package siemload.database.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import siemload.database.layout.Blocks;

/**
 * A statement, or a part of one, from a text with named parts: {@code :'name'} is a value, always bound; {@code :name} is a part of the
 * statement and {@code :"name"} an identifier. Immutable.
 *
 * @param sql the text with {@code ?} for each value
 * @param values the names of the values, in order
 */
public record SqlStatement(String sql, List<String> values) {
    /** A comment line, a value, an identifier, or a part. */
    private static final Pattern PLACE =
            Pattern.compile("(?m)^--.*\\R?|(?<!:):(?:'(\\w+)'|\"(\\w+)\"|([a-zA-Z_]\\w*))");

    private static final Pattern LITERAL_COMMENT_OR_VALUE = Pattern.compile("'[^']*'|--[^\\n]*|\\?");

    public SqlStatement {
        values = List.copyOf(values);
    }

    @FunctionalInterface
    public interface RowReading<T> {
        T read(ResultSet row) throws SQLException;
    }

    /**
     * The rows of a query.
     *
     * @param given the values in the order of {@link #values}
     */
    public <T> List<T> rows(Connection connection, RowReading<T> reading, Object... given) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            return rows(bound(statement, List.of(given)), reading);
        }
    }

    /** Binds values to a statement: texts, bytes, NULL, and types that the driver knows. */
    public static PreparedStatement bound(PreparedStatement statement, List<?> values) throws SQLException {
        for (int i = 0; i < values.size(); i++) {
            Object value = values.get(i);
            if (value instanceof String text) {
                statement.setString(i + 1, text);
            } else if (value instanceof byte[] bytes) {
                statement.setBytes(i + 1, bytes);
            } else if (value == null) {
                statement.setNull(i + 1, Types.NULL);
            } else {
                statement.setObject(i + 1, value);
            }
        }
        return statement;
    }

    public static <T> List<T> rows(PreparedStatement question, RowReading<T> reading) throws SQLException {
        List<T> rows = new ArrayList<>();
        try (ResultSet row = question.executeQuery()) {
            while (row.next()) {
                rows.add(reading.read(row));
            }
        }
        return rows;
    }

    /** The first row of a statement's result, which must have one. */
    public static <T> T row(PreparedStatement question, RowReading<T> reading) throws SQLException {
        return rows(question, reading).get(0);
    }

    /** The first row of a query's result, which must have one. */
    public <T> T row(Connection connection, RowReading<T> reading, Object... given) throws SQLException {
        return rows(connection, reading, given).get(0);
    }

    /** The number that a query returns in one row. */
    public long number(Connection connection, Object... given) throws SQLException {
        return row(connection, row -> row.getLong(1), given);
    }

    /** The result of a query whose rows are names and values. */
    public <T> SortedMap<String, T> map(Connection connection, RowReading<T> reading, Object... given)
            throws SQLException {
        SortedMap<String, T> map = new TreeMap<>();
        rows(connection, row -> map.put(row.getString(1), reading.read(row)), given);
        return map;
    }

    /**
     * Changes rows.
     *
     * @param given finds the value of a name
     * @return the number of changed rows
     */
    public int change(Connection connection, Function<String, ?> given) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            return bound(statement, values.stream().map(given).toList()).executeUpdate();
        }
    }

    public void execute(Connection connection) throws SQLException {
        execute(connection, sql);
    }

    /** Executes a statement that is not from a file. */
    public static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /**
     * A statement with literal values. A {@code ?} within a literal or a comment is kept, as drivers do.
     *
     * @param sql with {@code ?} for each value
     * @param value the literal of the value with this number, from 0
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

    /** The statement of a text without parts; comments are removed. */
    public static SqlStatement of(String text) {
        List<String> values = new ArrayList<>();
        String sql = PLACE.matcher(text).replaceAll(place -> {
            if (place.group(1) == null) {
                return Matcher.quoteReplacement(place.group().startsWith("--") ? "" : place.group());
            }
            values.add(place.group(1));
            return "?";
        });
        return new SqlStatement(sql.strip(), values);
    }

    /** A text with the given parts inserted, and without its comments. A part may contain values; an identifier is quoted. */
    public static String fill(String text, Map<String, String> parts) {
        return PLACE.matcher(text).replaceAll(place -> {
            String name = place.group(2) == null ? place.group(3) : place.group(2);
            String part = name == null ? null : parts.get(name);
            if (part == null) {
                return Matcher.quoteReplacement(place.group().startsWith("--") ? "" : place.group());
            }
            return Matcher.quoteReplacement(place.group(2) == null ? part : "\"" + part.replace("\"", "\"\"") + "\"");
        });
    }

    /**
     * One of several statements in a text.
     *
     * @param name the object that the statement creates, for messages: {@code index event_time}
     */
    public record Step(String name, String sql) {}

    /** The statements of a text with these parts. A statement has the name in the comment line before it, or else the default name. */
    public static List<Step> steps(String name, String text, Map<String, String> parts) {
        return Pattern.compile(";")
                .splitAsStream(text)
                .map(String::strip)
                .filter(step -> !step.isEmpty())
                .map(step -> new Step(
                        step.startsWith("-- ")
                                ? step.lines().findFirst().orElseThrow().substring(3)
                                : name,
                        fill(step, parts).strip()))
                .toList();
    }

    /**
     * The statements of a layout of tables, and the parts of its searches, by the names of their blocks. Blocks may refer to other blocks
     * by name. Immutable and thread-safe.
     */
    public static class SqlBlocks {
        private final Blocks blocks;
        private final Map<String, String> expressions = new HashMap<>();
        private final Set<String> names = new HashSet<>();

        public SqlBlocks(Blocks blocks) {
            this.blocks = blocks;
            blocks.all().values().stream()
                    .flatMap(block -> block.names().stream())
                    .map(name -> name.substring(1))
                    .forEach(name -> {
                        if (name.startsWith("\"")) {
                            names.add(name.substring(1, name.length() - 1));
                        }
                        blocks.find(name)
                                .ifPresent(used -> expressions.put(
                                        name, SqlStatement.of(used.text()).sql()));
                    });
        }

        /** The identifiers that blocks leave open: names of tables and indexes. */
        final Set<String> names() {
            return Set.copyOf(names);
        }

        public final Blocks blocks() {
            return blocks;
        }

        public final boolean has(String name) {
            return blocks.all().containsKey(name);
        }

        /** A block that has no parts, or whose parts do not matter. @throws Blocks.MissingBlockException if there is no such block */
        public final SqlStatement read(String name) {
            return read(name, Map.of());
        }

        public final SqlStatement read(String name, Map<String, String> parts) {
            return SqlStatement.of(part(name, parts));
        }

        /** A part of a statement, with its own parts inserted. */
        public final String part(String name, Map<String, String> parts) {
            return SqlStatement.fill(blocks.text(name), all(parts)).strip();
        }

        private Map<String, String> all(Map<String, String> parts) {
            Map<String, String> all = new HashMap<>(expressions);
            all.putAll(parts);
            return all;
        }

        /** The statements of a block that builds something, with their parts inserted; none if there is no such block. */
        public final List<SqlStatement.Step> steps(String name, Map<String, String> parts) {
            return has(name) ? SqlStatement.steps(name, blocks.text(name), all(parts)) : List.of();
        }
    }
}
