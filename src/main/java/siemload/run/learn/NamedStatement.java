package siemload.run.learn;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import siemload.query.StatementText;

/**
 * A statement with the name that it gets: the table that it reads or writes first, and a number. Immutable.
 *
 * @param name a name of a search
 */
record NamedStatement(String name, LearntStatement statement) {
    private static final Pattern TABLE = Pattern.compile(
            "(?i)(?:\\bfrom|\\binto|^update)\\s+(?:only\\s+)?(?:\"?[\\w$]+\"?\\s*\\.\\s*)?\"?([A-Za-z]\\w*)");
    /** The first field of a command has the name of a collection. */
    private static final int LONGEST_TABLE = 30;

    /** Names statements in their order. */
    static List<NamedStatement> of(List<LearntStatement> statements) {
        List<String> names =
                names(statements.stream().map(LearntStatement::text).toList());
        List<NamedStatement> named = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            named.add(new NamedStatement(names.get(i), statements.get(i)));
        }
        return List.copyOf(named);
    }

    /** The names of texts in their order. */
    static List<String> names(List<StatementText> texts) {
        Map<String, Integer> counts = new HashMap<>();
        List<String> names = new ArrayList<>();
        for (StatementText text : texts) {
            String table = table(text);
            names.add(table + "_" + counts.merge(table, 1, Integer::sum));
        }
        return names;
    }

    private static String table(StatementText text) {
        Matcher table = TABLE.matcher(text.written());
        String name = table.find() ? table.group(1).toLowerCase(Locale.ROOT) : "query";
        return name.substring(0, Math.min(name.length(), LONGEST_TABLE));
    }
}
