package siemload.database.sql;

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
