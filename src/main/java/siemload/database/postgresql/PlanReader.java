package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import siemload.database.Plan;
import siemload.database.Plan.Access;
import siemload.database.Plan.Access.Kind;
import siemload.database.Plan.PartitionsRead;
import siemload.database.layout.EventField;
import siemload.database.sql.SqlStatement;
import siemload.event.JsonFault;

/**
 * Reads plans: of searches what {@code EXPLAIN (FORMAT JSON)} says, with {@code ANALYZE} or without; of statements of users also what
 * {@code auto_explain} writes. What the columns of somebody else's tables mean nobody knows, so that each index of
 * them is one of a field. Immutable and thread-safe.
 *
 * @param layout of the tables that are searched
 * @param indexes each index of these and of their partitions, by its name
 * @param partitions the table of each of their partitions, by the partition's name
 */
public record PlanReader(Layout layout, Map<String, Index> indexes, Map<String, String> partitions) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final SqlStatement INDEXES = FILES.read("server/indexes.sql");
    private static final SqlStatement PARTITIONS = FILES.read("server/partitions.sql");

    public PlanReader {
        indexes = Map.copyOf(indexes);
        partitions = Map.copyOf(partitions);
    }

    /**
     * An index, or the part of one.
     *
     * @param whole the name of the index that it is a part of; its own where it is one by itself
     */
    record Index(String whole, String firstColumn) {}

    /** For the database that is connected to. */
    static PlanReader of(Layout layout, Connection connection) throws SQLException {
        String tables = SqlText.textArray(layout.searchedTables());
        return new PlanReader(
                layout,
                INDEXES.map(connection, index -> new Index(index.getString(2), index.getString(3)), tables),
                PARTITIONS.map(connection, partition -> partition.getString(2), tables));
    }

    /** The plan of a search. */
    Plan read(String text) {
        List<JsonNode> nodes = nodes(text);
        return plan(text, nodes, this::access, partitionsRead(nodes));
    }

    /** The plan of a statement, as {@code EXPLAIN (FORMAT JSON)} tells it. */
    static Plan ofStatement(String text) {
        return plan(text, nodes(text), PlanReader::accessOfOthers, Optional.empty());
    }

    /**
     * A plan of {@code auto_explain} in its JSON form.
     *
     * @param text of it, for people
     * @param document what it says, with the first step as {@code Plan}
     */
    public static Plan ofDocument(String text, JsonNode document) {
        return plan(text, nodesOf(document), PlanReader::accessOfOthers, Optional.empty());
    }

    /** @param access what a node reads; empty where it reads nothing that matters */
    private static Plan plan(
            String text,
            List<JsonNode> nodes,
            Function<JsonNode, Optional<Access>> access,
            Optional<PartitionsRead> partitions) {
        List<Access> accesses =
                nodes.stream().flatMap(node -> access.apply(node).stream()).toList();
        boolean sorted =
                nodes.stream().anyMatch(node -> node.path("Node Type").asText().endsWith("Sort"));
        boolean parallel = nodes.stream().anyMatch(node -> workers(node) > 0);
        return new Plan(text, Plan.Format.JSON, accesses, sorted, parallel, Optional.empty(), partitions);
    }

    /** Partitions of the events with a step that was executed, or is to be. */
    private Optional<PartitionsRead> partitionsRead(List<JsonNode> nodes) {
        String events = layout.searchedTables().get(0);
        Set<String> read = new HashSet<>();
        for (JsonNode node : nodes) {
            String name = node.path("Relation Name").asText();
            if (events.equals(partitions.get(name)) && node.path("Actual Loops").asDouble(1) > 0) {
                read.add(name);
            }
        }
        int all = (int) partitions.values().stream().filter(events::equals).count();
        return all == 0 ? Optional.empty() : Optional.of(new PartitionsRead(read.size(), all));
    }

    /**
     * Planned workers may not start, since all are taken or the rows are asked for in portions: only a plan of an executed statement
     * has how many did.
     */
    private static int workers(JsonNode node) {
        return node.path(node.has("Workers Launched") ? "Workers Launched" : "Workers Planned")
                .asInt();
    }

    private Optional<Access> access(JsonNode node) {
        Index index = indexes.get(node.path("Index Name").asText());
        if (index != null) {
            return Optional.of(new Access(kind(index.firstColumn()), index.whole()));
        }
        String name = node.path("Relation Name").asText();
        String table = partitions.getOrDefault(name, name);
        boolean whole = node.path("Node Type").asText().equals("Seq Scan")
                && layout.searchedTables().contains(table);
        // To read an empty partition costs nothing, by the estimate, since it has no page: a day that is still to come.
        boolean isEmpty =
                partitions.containsKey(name) && node.path("Total Cost").asDouble(1) == 0;
        return whole && !isEmpty ? Optional.of(new Access(Kind.TABLE, table)) : Optional.empty();
    }

    private Kind kind(String firstColumn) {
        if (layout.searchedColumns(EventField.DETECT_TIME).contains(firstColumn)) {
            return Kind.TIME_INDEX;
        }
        return layout.searchedColumns(EventField.ID).contains(firstColumn) ? Kind.ID_INDEX : Kind.FIELD_INDEX;
    }

    private static Optional<Access> accessOfOthers(JsonNode node) {
        if (node.has("Index Name")) {
            return Optional.of(
                    new Access(Kind.FIELD_INDEX, node.path("Index Name").asText()));
        }
        boolean whole = node.path("Node Type").asText().equals("Seq Scan");
        return whole
                ? Optional.of(new Access(Kind.TABLE, node.path("Relation Name").asText()))
                : Optional.empty();
    }

    /** What {@code pg_stat_statements} calls a statement whose plan is told with VERBOSE; empty where the server does not know. */
    static Optional<String> queryIdentifier(String text) {
        JsonNode identifier = parsed(text).path("Query Identifier");
        return identifier.isMissingNode() ? Optional.empty() : Optional.of(identifier.asText());
    }

    /** All nodes of the plan, each before those below it. */
    static List<JsonNode> nodes(String text) {
        return nodesOf(parsed(text));
    }

    private static List<JsonNode> nodesOf(JsonNode document) {
        List<JsonNode> nodes = new ArrayList<>();
        collect(document.path("Plan"), nodes);
        return nodes;
    }

    private static JsonNode parsed(String text) {
        try {
            return JSON.readTree(text).path(0);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the server's plan is not JSON: " + JsonFault.words(e), e);
        }
    }

    private static void collect(JsonNode node, List<JsonNode> nodes) {
        nodes.add(node);
        node.path("Plans").forEach(below -> collect(below, nodes));
    }
}
