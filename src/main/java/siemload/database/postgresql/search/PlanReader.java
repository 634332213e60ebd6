package siemload.database.postgresql.search;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import siemload.database.Plan;
import siemload.database.Plan.Access;
import siemload.database.Plan.Access.Kind;
import siemload.database.Plan.PartitionsRead;
import siemload.event.JsonFault;

/** Reads what {@code EXPLAIN (FORMAT JSON)} says, with {@code ANALYZE} or without. Immutable and thread-safe. */
record PlanReader(SearchedTables searched) {
    private static final ObjectMapper JSON = new ObjectMapper();

    Plan read(String text) {
        List<JsonNode> nodes = nodes(text);
        return plan(text, nodes, this::access, partitionsRead(nodes));
    }

    /**
     * The plan of these nodes.
     *
     * @param access what a node reads; empty where it reads nothing that matters
     */
    static Plan plan(
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
        Set<String> read = new HashSet<>();
        for (JsonNode node : nodes) {
            String name = node.path("Relation Name").asText();
            boolean isPart =
                    searched.names().events().equals(searched.partitions().get(name));
            if (isPart && node.path("Actual Loops").asDouble(1) > 0) {
                read.add(name);
            }
        }
        int all = searched.partitionsOf(searched.names().events());
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
        SearchedTables.Index index =
                searched.indexes().get(node.path("Index Name").asText());
        if (index != null) {
            return Optional.of(new Access(kind(index.firstColumn()), index.whole()));
        }
        String table = searched.table(node.path("Relation Name").asText());
        boolean whole = node.path("Node Type").asText().equals("Seq Scan")
                && searched.names().tables().contains(table);
        return whole && !isEmptyPartition(node) ? Optional.of(new Access(Kind.TABLE, table)) : Optional.empty();
    }

    /** To read it costs nothing, by the estimate, since it has no page: a day that is still to come. */
    private boolean isEmptyPartition(JsonNode node) {
        return searched.partitions().containsKey(node.path("Relation Name").asText())
                && node.path("Total Cost").asDouble(1) == 0;
    }

    private Kind kind(String firstColumn) {
        if (searched.names().timeColumns().contains(firstColumn)) {
            return Kind.TIME_INDEX;
        }
        return searched.names().idColumns().contains(firstColumn) ? Kind.ID_INDEX : Kind.FIELD_INDEX;
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

    /** The same of what one plan says. */
    static List<JsonNode> nodesOf(JsonNode document) {
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
