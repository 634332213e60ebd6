package siemload.target.postgresql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An SQL text in the notation of psql, from a resource file: {@code :'name'} is a value, always bound; {@code :name} is
 * a part of the statement and {@code :"name"} an identifier, both put in by {@link #with}. Immutable.
 *
 * @param sql the text with {@code ?} for each value
 * @param values the names of the values, one for each {@code ?}
 */
record SqlTemplate(String sql, List<String> values) {
    private static final Pattern PLACE = Pattern.compile("(?<!:):(?:'(\\w+)'|\"(\\w+)\"|(\\w+))");
    private static final Pattern VALUE = Pattern.compile("(?<!:):'(\\w+)'");
    private static final Pattern COMMENT_LINE = Pattern.compile("(?m)^--.*\\R?");

    SqlTemplate {
        values = List.copyOf(values);
    }

    /** Reads a file of this package's resources that has no parts; its comments are left out. */
    static SqlTemplate read(String file) {
        return of(COMMENT_LINE.matcher(text(file)).replaceAll("").strip());
    }

    /** Reads a file and puts its parts in. A part may hold values of its own. */
    static SqlTemplate read(String file, Map<String, String> parts) {
        return of(with(COMMENT_LINE.matcher(text(file)).replaceAll("").strip(), parts));
    }

    /** A file of another language, with its parts put in. */
    static String filled(String file, Map<String, String> parts) {
        return with(text(file), parts);
    }

    /** A file of this package's resources as it is. */
    static String text(String file) {
        try (InputStream stream =
                Objects.requireNonNull(SqlTemplate.class.getResourceAsStream(file), () -> "no resource " + file)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static SqlTemplate of(String text) {
        List<String> values = new ArrayList<>();
        Matcher place = VALUE.matcher(text);
        StringBuilder sql = new StringBuilder(text.length());
        while (place.find()) {
            values.add(place.group(1));
            place.appendReplacement(sql, "?");
        }
        return new SqlTemplate(place.appendTail(sql).toString(), values);
    }

    private static String with(String text, Map<String, String> parts) {
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
