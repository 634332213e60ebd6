package siemload.database.postgresql;

import static siemload.database.postgresql.PostgresqlConnections.SQL;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.database.Plan;
import siemload.database.Plan.Access;
import siemload.database.Plan.Access.Kind;
import siemload.database.Plan.PartitionsRead;
import siemload.database.layout.EventField;
import siemload.database.layout.LayoutAbout.LayoutTable;
import siemload.database.sql.SqlStatement;
import siemload.event.JsonFault;

/**
 * Reads plans: what {@code EXPLAIN (FORMAT JSON)} says, with {@code ANALYZE} or without. Immutable and thread-safe.
 *
 * @param tables that are searched, the events first; empty for those of others, of whose columns nobody knows what they mean: each index
 *     of them is one of a field
 * @param indexes what each index of these and of their partitions is, by its name; that of a partition is the whole one
 * @param partitions the table of each of their partitions, by the partition's name
 */
record PlanReader(List<String> tables, Map<String, Access> indexes, Map<String, String> partitions) {
    /** For tables of others. */
    static final PlanReader OF_OTHERS = new PlanReader(List.of(), Map.of(), Map.of());

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final SqlStatement INDEXES = SQL.read("indexes");
    private static final SqlStatement PARTITIONS = SQL.read("partitions");

    /** For the database that is connected to. */
    static PlanReader of(Layout layout, Connection connection) throws SQLException {
        List<String> tables =
                layout.searchedTables().stream().map(LayoutTable::name).toList();
        return new PlanReader(
                tables,
                INDEXES.map(
                        connection,
                        index -> new Access(Kind.valueOf(index.getString(3)), index.getString(2)),
                        columns(layout, EventField.DETECT_TIME),
                        columns(layout, EventField.ID),
                        SqlText.of(tables)),
                PARTITIONS.map(connection, part -> part.getString(2), SqlText.of(tables)));
    }

    /** The columns that this field fills, as an array. */
    private static String columns(Layout layout, EventField field) {
        return SqlText.of(layout.searchedTables().stream()
                .flatMap(table -> table.filledBy(field).stream())
                .toList());
    }

    /** A plan, as {@code EXPLAIN (FORMAT JSON)} tells it. */
    Plan read(String text) {
        List<JsonNode> nodes = nodesOf(parsed(text));
        List<Access> accesses =
                nodes.stream().flatMap(node -> access(node).stream()).toList();
        boolean sorted =
                nodes.stream().anyMatch(node -> node.path("Node Type").asText().endsWith("Sort"));
        // Planned workers may not start, since all are taken or the rows are asked for in portions: only a plan of an
        // executed statement has how many did.
        boolean parallel = nodes.stream()
                .map(node -> node.path(node.has("Workers Launched") ? "Workers Launched" : "Workers Planned"))
                .anyMatch(workers -> workers.asInt() > 0);
        return new Plan(text, "json", accesses, sorted, parallel, Optional.empty(), partitionsRead(nodes));
    }

    /** Partitions of the events with a step that was executed, or is to be. */
    private Optional<PartitionsRead> partitionsRead(List<JsonNode> nodes) {
        List<String> all = partitions.keySet().stream()
                .filter(part -> tables.get(0).equals(partitions.get(part)))
                .toList();
        long read = nodes.stream()
                .filter(node -> node.path("Actual Loops").asDouble(1) > 0)
                .map(node -> node.path("Relation Name").asText())
                .filter(all::contains)
                .distinct()
                .count();
        return all.isEmpty() ? Optional.empty() : Optional.of(new PartitionsRead((int) read, all.size()));
    }

    private Optional<Access> access(JsonNode node) {
        String index = node.path("Index Name").asText();
        if (indexes.containsKey(index) || (tables.isEmpty() && !index.isEmpty())) {
            return Optional.of(indexes.getOrDefault(index, new Access(Kind.FIELD_INDEX, index)));
        }
        String name = node.path("Relation Name").asText();
        String table = partitions.getOrDefault(name, name);
        boolean whole =
                node.path("Node Type").asText().equals("Seq Scan") && (tables.isEmpty() || tables.contains(table));
        // To read an empty partition costs nothing, by the estimate, since it has no page: a day that is still to come.
        boolean isEmpty =
                partitions.containsKey(name) && node.path("Total Cost").asDouble(1) == 0;
        return whole && !isEmpty ? Optional.of(new Access(Kind.TABLE, table)) : Optional.empty();
    }

    /** What {@code pg_stat_statements} calls a statement whose plan is told with VERBOSE; empty where the server does not know. */
    static Optional<String> queryIdentifier(String text) {
        return Optional.of(parsed(text).path("Query Identifier").asText()).filter(identifier -> !identifier.isEmpty());
    }

    /** How many rows an executed statement gave. */
    static long rows(String text) {
        return Math.round(parsed(text).path("Plan").path("Actual Rows").asDouble());
    }

    /** Whether a statement that is planned would write or lock rows. */
    static boolean writes(String text) {
        return nodesOf(parsed(text)).stream()
                .anyMatch(node -> node.path("Node Type").asText().matches("ModifyTable|LockRows"));
    }

    /** All nodes of the plan, each before those below it. */
    private static List<JsonNode> nodesOf(JsonNode document) {
        return document.path("Plan").findParents("Node Type");
    }

    private static JsonNode parsed(String text) {
        try {
            return JSON.readTree(text).path(0);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the server's plan is not JSON: " + JsonFault.words(e), e);
        }
    }
}
