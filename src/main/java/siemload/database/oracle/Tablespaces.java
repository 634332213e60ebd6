package siemload.database.oracle;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import siemload.database.TargetException;

/**
 * Where tables and indexes are stored: {@code ?siemload.data=NAME&siemload.indexes=NAME} at the end of the url. Immutable.
 *
 * @param data for the tables; empty for the user's default tablespace
 * @param indexes for the indexes; empty for that of the tables
 */
record Tablespaces(String data, String indexes) {
    private static final Pattern PARAMETER = Pattern.compile("siemload\\.(\\w+)=([^&]*)");
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_$#]{0,127}");

    static Tablespaces of(String url) {
        String data = "";
        String indexes = "";
        for (String parameter : parameters(url)) {
            Matcher ours = PARAMETER.matcher(parameter);
            if (ours.matches() && ours.group(1).equals("data")) {
                data = name(ours.group(2));
            } else if (ours.matches() && ours.group(1).equals("indexes")) {
                indexes = name(ours.group(2));
            } else if (ours.matches()) {
                throw new TargetException("the url has a parameter 'siemload." + ours.group(1)
                        + "', which is unknown (known: siemload.data, siemload.indexes)");
            }
        }
        return new Tablespaces(data, indexes.isEmpty() ? data : indexes);
    }

    /** The url without what this suite alone understands. */
    static String withoutThem(String url) {
        List<String> others = parameters(url).stream()
                .filter(parameter -> !PARAMETER.matcher(parameter).matches())
                .toList();
        String rest = others.isEmpty() ? "" : "?" + String.join("&", others);
        return url.split("\\?", 2)[0] + rest;
    }

    /** The clauses of statements that create something. */
    Map<String, String> clauses() {
        return Map.of(
                "data_tablespace", clause("", data),
                "index_tablespace", clause("", indexes),
                "key_tablespace", clause("USING INDEX ", indexes));
    }

    private static String clause(String start, String name) {
        return name.isEmpty() ? "" : start + "TABLESPACE " + name.toUpperCase(Locale.ROOT);
    }

    private static String name(String text) {
        if (!NAME.matcher(text).matches()) {
            throw new TargetException(
                    "the url names a tablespace '" + text + "' (allowed: a letter, then letters, digits, _, $ and #)");
        }
        return text;
    }

    private static List<String> parameters(String url) {
        String[] parts = url.split("\\?", 2);
        return parts.length == 1 ? List.of() : List.of(parts[1].split("&"));
    }
}
