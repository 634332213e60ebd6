package siemload.database.postgresql.search;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import siemload.database.Plan;
import siemload.database.Plan.Access;

/**
 * Reads plans of statements of users, as {@code EXPLAIN} and {@code auto_explain} write them. What the columns of somebody else's tables
 * mean nobody knows, so that each index is one of a field. One plan has the same shape in either form. Stateless and thread-safe.
 */
public final class StatementPlanReader {
    /** A step in the text of a plan: {@code   ->  Index Scan using a_key on a  (cost=0.29..8.30 rows=1 width=4)}. */
    private static final Pattern STEP =
            Pattern.compile(" *(?:-> {1,2})?(\\S.*?) {2}\\(cost=[0-9.]+ rows=[0-9]+ width=[0-9]+\\).*");

    private static final String NAME = "(\"(?:[^\"]|\"\")+\"|[^\\s.\"]+)";
    private static final Pattern INDEX_SCAN =
            Pattern.compile("(?:Parallel )?Index (?:Only )?Scan (?:Backward )?using " + NAME + " on .*");
    private static final Pattern BITMAP_SCAN = Pattern.compile("(?:Parallel )?Bitmap Index Scan on " + NAME + ".*");
    private static final Pattern WHOLE_TABLE =
            Pattern.compile("(?:Parallel )?Seq Scan on (?:" + NAME + "\\.)?" + NAME + "(?: .*)?");
    private static final Pattern WORKERS = Pattern.compile(" *Workers (Planned|Launched): ([0-9]{1,9})");

    private StatementPlanReader() {}

    /** What {@code EXPLAIN (FORMAT JSON)} says. */
    static Plan ofExplain(String text) {
        return PlanReader.plan(text, PlanReader.nodes(text), StatementPlanReader::access, Optional.empty());
    }

    /**
     * A plan of {@code auto_explain} in its JSON form.
     *
     * @param text of it, for people
     * @param document what it says, with the first step as {@code Plan}
     */
    public static Plan ofDocument(String text, JsonNode document) {
        return PlanReader.plan(text, PlanReader.nodesOf(document), StatementPlanReader::access, Optional.empty());
    }

    private static Optional<Access> access(JsonNode node) {
        if (node.has("Index Name")) {
            return Optional.of(index(node.path("Index Name").asText()));
        }
        boolean whole = node.path("Node Type").asText().equals("Seq Scan");
        return whole ? Optional.of(table(node.path("Relation Name").asText())) : Optional.empty();
    }

    /** Where a line is the first step of a plan in its text form. */
    public static boolean isFirstStep(String line) {
        return !line.startsWith(" ") && STEP.matcher(line).matches();
    }

    /**
     * A plan in its text form.
     *
     * @param text its lines, from the first step on
     */
    public static Plan ofText(String text) {
        List<Access> accesses = new ArrayList<>();
        boolean sorted = false;
        boolean parallel = false;
        boolean planned = false;
        for (String line : text.lines().toList()) {
            Matcher step = STEP.matcher(line);
            Matcher workers = WORKERS.matcher(line);
            if (step.matches()) {
                access(step.group(1)).ifPresent(accesses::add);
                sorted |= step.group(1).endsWith("Sort");
                parallel |= planned;
                planned = false;
            } else if (workers.matches()) {
                boolean some = Long.parseLong(workers.group(2)) > 0;
                planned = workers.group(1).equals("Planned") && some;
                parallel |= workers.group(1).equals("Launched") && some;
            }
        }
        return new Plan(text, Plan.Format.TEXT, accesses, sorted, parallel || planned, Optional.empty());
    }

    private static Optional<Access> access(String step) {
        Matcher index = INDEX_SCAN.matcher(step);
        if (index.matches()) {
            return Optional.of(index(unquoted(index.group(1))));
        }
        Matcher bitmap = BITMAP_SCAN.matcher(step);
        if (bitmap.matches()) {
            return Optional.of(index(unquoted(bitmap.group(1))));
        }
        Matcher whole = WHOLE_TABLE.matcher(step);
        return whole.matches() ? Optional.of(table(unquoted(whole.group(2)))) : Optional.empty();
    }

    private static String unquoted(String name) {
        return name.startsWith("\"") ? name.substring(1, name.length() - 1).replace("\"\"", "\"") : name;
    }

    private static Access index(String name) {
        return new Access(Access.Kind.FIELD_INDEX, name);
    }

    private static Access table(String name) {
        return new Access(Access.Kind.TABLE, name);
    }
}
