package siemload.database.sql.layout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import siemload.config.Choices;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.database.LayoutFolder;
import siemload.database.sql.SqlFiles;
import siemload.database.sql.SqlStatement;
import siemload.database.sql.SqlStatement.Place;
import siemload.query.ValueField;

/**
 * The files of a layout without loading: those that it needs, and how its expressions get into the others. Stateless.
 *
 * <p>{@code from}, {@code id}, {@code time} and {@code json} say what a row of an event is. They are put into all other files once,
 * but for the id and the time of files in which a database hides them from its planner.
 */
public final class SearchFiles {
    /** The queries for values. */
    public static final String VALUES = "values";

    private static final String FROM = "from";
    private static final List<String> EXPRESSIONS = List.of(FROM, "id", "time", "json");
    private static final Set<String> NEEDED =
            Set.of("id", "time", "json", "times", "condition-window", "page", "whole");

    private SearchFiles() {}

    /** The names of the files that it cannot do without. */
    public static Set<String> needed(LayoutAbout<?> about) {
        Set<String> needed = new TreeSet<>(NEEDED);
        if (about.base().contains(LayoutReader.ROWS)) {
            needed.add(FROM);
        }
        return needed;
    }

    /**
     * Those that it may have beside them.
     *
     * @param ofSearches whatever a search may ask for
     */
    public static Set<String> known(Set<String> ofSearches) {
        Set<String> known = new TreeSet<>(ofSearches);
        known.addAll(NEEDED);
        known.addAll(List.of(FROM, VALUES));
        return known;
    }

    /** The names that stand for its expressions, and may stand in this file. */
    public static List<String> allowed(String name) {
        return EXPRESSIONS.contains(name)
                ? List.of()
                : EXPRESSIONS.stream().map(expression -> ":" + expression).toList();
    }

    /** Notes queries for values that nobody knows. */
    static void checkValues(LayoutFolder folder, String text, Problems problems) {
        Choices<String> known = Choices.names(
                Arrays.stream(ValueField.values()).map(ValueField::label).toList());
        Origin origin = new Origin.WholeFile(folder.shown(VALUES + ".sql"));
        Set<String> seen = new TreeSet<>();
        for (SqlFiles.Step query : SqlFiles.steps("", text)) {
            if (known.find(query.name()).isEmpty()) {
                problems.add(
                        origin,
                        "'" + query.name() + "' is no kind of values (needed: its name in a comment line before each"
                                + " query, such as -- address; " + known.help(query.name()) + ")");
            } else if (!seen.add(query.name())) {
                problems.add(origin, "has two queries for " + query.name() + " (leave one out)");
            }
        }
    }

    /**
     * The files with the expressions in their places.
     *
     * @param hiding the names of those whose {@code :id} and {@code :time} are put in for each search
     */
    public static Map<String, String> filled(Map<String, String> texts, Set<String> hiding) {
        Map<String, String> parts = new HashMap<>();
        for (String expression : EXPRESSIONS) {
            Optional.ofNullable(texts.get(expression))
                    .ifPresent(text ->
                            parts.put(expression, SqlFiles.statement(text).sql()));
        }
        Map<String, String> ofFrames = new HashMap<>(parts);
        ofFrames.keySet().removeAll(List.of("id", "time"));
        Map<String, String> filled = new TreeMap<>();
        texts.forEach((name, text) -> filled.put(name, filled(text, hiding.contains(name) ? ofFrames : parts)));
        return filled;
    }

    private static String filled(String text, Map<String, String> parts) {
        StringBuilder filled = new StringBuilder(text);
        List<Place> places = new ArrayList<>(SqlStatement.places(text));
        for (int i = places.size() - 1; i >= 0; i--) {
            Place place = places.get(i);
            String part = place.kind() == Place.Kind.PART ? parts.get(place.name()) : null;
            if (part != null) {
                filled.replace(place.offset(), place.offset() + place.written().length(), part);
            }
        }
        return filled.toString();
    }
}
