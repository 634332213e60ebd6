package siemload.database.postgresql.search;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import siemload.database.Plan;
import siemload.database.Plan.Access;
import siemload.database.Plan.Access.Kind;

/**
 * Reads what {@code EXPLAIN (FORMAT JSON)} says, with {@code ANALYZE} or without. Immutable and thread-safe.
 *
 * @param firstColumns the first column of each index of the searched tables, by the index's name
 */
record PlanReader(Map<String, String> firstColumns) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Set<String> SEARCHED_TABLES = Set.of("events", "event_address");
    private static final Set<String> TIME_COLUMNS = Set.of("detect_time");
    private static final Set<String> ID_COLUMNS = Set.of("id", "event_id");

    PlanReader {
        firstColumns = Map.copyOf(firstColumns);
    }

    Plan read(String text) {
        List<Access> accesses = new ArrayList<>();
        List<JsonNode> nodes = nodes(text);
        boolean sorted = false;
        boolean parallel = false;
        for (JsonNode node : nodes) {
            access(node).ifPresent(accesses::add);
            sorted |= node.path("Node Type").asText().endsWith("Sort");
            parallel |= workers(node) > 0;
        }
        return new Plan(text, Plan.Format.JSON, accesses, sorted, parallel, Optional.empty());
    }

    /** They may be planned and not be there: all taken, or the rows are asked for in portions; only executing it shows. */
    private static int workers(JsonNode node) {
        return node.path(node.has("Workers Launched") ? "Workers Launched" : "Workers Planned")
                .asInt();
    }

    private Optional<Access> access(JsonNode node) {
        String index = node.path("Index Name").asText();
        String table = node.path("Relation Name").asText();
        if (firstColumns.containsKey(index)) {
            return Optional.of(new Access(kind(firstColumns.get(index)), index));
        }
        boolean whole = node.path("Node Type").asText().equals("Seq Scan") && SEARCHED_TABLES.contains(table);
        return whole ? Optional.of(new Access(Kind.TABLE, table)) : Optional.empty();
    }

    private static Kind kind(String firstColumn) {
        if (TIME_COLUMNS.contains(firstColumn)) {
            return Kind.TIME_INDEX;
        }
        return ID_COLUMNS.contains(firstColumn) ? Kind.ID_INDEX : Kind.FIELD_INDEX;
    }

    /** What {@code pg_stat_statements} calls a statement whose plan is told with VERBOSE; empty where the server does not know. */
    static Optional<String> queryIdentifier(String text) {
        JsonNode identifier = parsed(text).path("Query Identifier");
        return identifier.isMissingNode() ? Optional.empty() : Optional.of(identifier.asText());
    }

    /** All nodes of the plan, each before those below it. */
    private static List<JsonNode> nodes(String text) {
        List<JsonNode> nodes = new ArrayList<>();
        collect(parsed(text).path("Plan"), nodes);
        return nodes;
    }

    private static JsonNode parsed(String text) {
        try {
            return JSON.readTree(text).path(0);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the server's plan is not JSON: " + e.getOriginalMessage(), e);
        }
    }

    private static void collect(JsonNode node, List<JsonNode> nodes) {
        nodes.add(node);
        node.path("Plans").forEach(below -> collect(below, nodes));
    }
}
