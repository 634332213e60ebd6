package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.SQL;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import siemload.database.Plan;
import siemload.database.Plan.Access;
import siemload.database.Plan.Access.Kind;
import siemload.database.Plan.PartitionsRead;
import siemload.database.layout.EventField;
import siemload.database.sql.SqlStatement;
import siemload.event.JsonFault;

/**
 * Reads plans: of searches what {@code EXPLAIN (FORMAT JSON)} says, with {@code ANALYZE} or without; of statements of users also what
 * {@code auto_explain} writes. Immutable and thread-safe.
 *
 * @param tables that are searched, the events first; empty for those of others, of whose columns nobody knows what they mean: each index
 *     of them is one of a field
 * @param times the columns of these that hold the detect time
 * @param ids those that hold the id
 * @param indexes each index of these and of their partitions, by its name
 * @param partitions the table of each of their partitions, by the partition's name
 */
public record PlanReader(
        List<String> tables,
        List<String> times,
        List<String> ids,
        Map<String, Index> indexes,
        Map<String, String> partitions) {
    private static final PlanReader OF_OTHERS = new PlanReader(List.of(), List.of(), List.of(), Map.of(), Map.of());

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final SqlStatement INDEXES = SQL.read("indexes");
    private static final SqlStatement PARTITIONS = SQL.read("partitions");

    public PlanReader {
        indexes = Map.copyOf(indexes);
        partitions = Map.copyOf(partitions);
    }

    PlanReader(Layout layout, Map<String, Index> indexes, Map<String, String> partitions) {
        this(
                layout.searchedTables(),
                layout.searchedColumns(EventField.DETECT_TIME),
                layout.searchedColumns(EventField.ID),
                indexes,
                partitions);
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

    /** For tables of others. */
    static PlanReader ofOthers() {
        return OF_OTHERS;
    }

    /**
     * A plan of {@code auto_explain} in its JSON form.
     *
     * @param text of it, for people
     * @param document what it says, with the first step as {@code Plan}
     */
    public static Plan ofDocument(String text, JsonNode document) {
        return OF_OTHERS.plan(text, nodesOf(document));
    }

    /** A plan, as {@code EXPLAIN (FORMAT JSON)} tells it. */
    Plan read(String text) {
        return plan(text, nodes(text));
    }

    private Plan plan(String text, List<JsonNode> nodes) {
        List<Access> accesses =
                nodes.stream().flatMap(node -> access(node).stream()).toList();
        boolean sorted =
                nodes.stream().anyMatch(node -> node.path("Node Type").asText().endsWith("Sort"));
        boolean parallel = nodes.stream().anyMatch(node -> workers(node) > 0);
        return new Plan(text, Plan.Format.JSON, accesses, sorted, parallel, Optional.empty(), partitionsRead(nodes));
    }

    /** Partitions of the events with a step that was executed, or is to be. */
    private Optional<PartitionsRead> partitionsRead(List<JsonNode> nodes) {
        if (partitions.isEmpty()) {
            return Optional.empty();
        }
        String events = tables.get(0);
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
        String indexName = node.path("Index Name").asText();
        Index index = tables.isEmpty() && !indexName.isEmpty() ? new Index(indexName, "") : indexes.get(indexName);
        if (index != null) {
            return Optional.of(new Access(kind(index.firstColumn()), index.whole()));
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

    private Kind kind(String firstColumn) {
        return times.contains(firstColumn)
                ? Kind.TIME_INDEX
                : ids.contains(firstColumn) ? Kind.ID_INDEX : Kind.FIELD_INDEX;
    }

    /** What {@code pg_stat_statements} calls a statement whose plan is told with VERBOSE; empty where the server does not know. */
    static Optional<String> queryIdentifier(String text) {
        JsonNode identifier = parsed(text).path("Query Identifier");
        return identifier.isMissingNode() ? Optional.empty() : Optional.of(identifier.asText());
    }

    /** How many rows an executed statement gave. */
    static long rows(String text) {
        return Math.round(nodes(text).get(0).path("Actual Rows").asDouble());
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

    /** The steps in the JSON of {@code EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)}, for people. Stateless. */
    static final class ExplainedSteps {
        /** How many times more or fewer rows than estimated are worth a flag. */
        private static final double MISESTIMATE = 10;

        private static final List<String> DETAILS = List.of(
                "Index Cond",
                "Recheck Cond",
                "Hash Cond",
                "Merge Cond",
                "Join Filter",
                "Filter",
                "Sort Key",
                "Group Key",
                "Sort Method",
                "Rows Removed by Filter",
                "Rows Removed by Index Recheck",
                "Workers Launched");

        private ExplainedSteps() {}

        /** As {@link siemload.database.TargetPlugin#planTree} has them; empty if it is no such plan. */
        static Optional<ObjectNode> of(JsonNode explained) {
            JsonNode top = explained.path(0);
            if (!top.path("Plan").path("Node Type").isTextual()) {
                return Optional.empty();
            }
            ObjectNode tree = JSON.createObjectNode();
            tree.put("planningMillis", top.path("Planning Time").asDouble());
            tree.put("executionMillis", top.path("Execution Time").asDouble());
            collect(top.path("Plan"), 0, Reading.TO_THE_END, tree.putArray("steps"));
            return Optional.of(tree);
        }

        /** How far the step above reads what a step gives. */
        private enum Reading {
            TO_THE_END,
            /** A limit may have had enough before. */
            AS_FAR_AS_NEEDED
        }

        private static void collect(JsonNode node, int depth, Reading reading, ArrayNode steps) {
            double loops = node.path("Actual Loops").asDouble();
            double estimated = node.path("Plan Rows").asDouble();
            ObjectNode step = steps.addObject();
            step.put("depth", depth)
                    .put("what", what(node))
                    .put("estimated", estimated)
                    .put("loops", loops);
            if (loops > 0) {
                step.put("millis", rounded(node.path("Actual Total Time").asDouble() * loops));
                // Of bitmaps put together the server does not count the rows.
                if (!node.path("Node Type").asText().matches("BitmapAnd|BitmapOr")) {
                    double rows = node.path("Actual Rows").asDouble();
                    step.put("rows", rows);
                    double fewer = Math.max(1, estimated) / Math.max(1, rows);
                    // What a limit left unread says nothing about the estimate.
                    if (1 / fewer >= MISESTIMATE || (fewer >= MISESTIMATE && reading == Reading.TO_THE_END)) {
                        step.put("misestimate", rounded(Math.max(fewer, 1 / fewer)));
                    }
                }
            }
            step.put("hit", node.path("Shared Hit Blocks").asLong());
            step.put("read", node.path("Shared Read Blocks").asLong());
            step.put(
                    "temporary",
                    node.path("Temp Read Blocks").asLong()
                            + node.path("Temp Written Blocks").asLong());
            addDetails(node, step.putArray("details"));
            for (JsonNode below : node.path("Plans")) {
                collect(below, depth + 1, readingOf(node, reading), steps);
            }
        }

        private static double rounded(double number) {
            return Math.round(number * 1_000) / 1_000.0;
        }

        private static Reading readingOf(JsonNode node, Reading above) {
            return switch (node.path("Node Type").asText()) {
                case "Limit" -> Reading.AS_FAR_AS_NEEDED;
                case "Sort", "Aggregate", "Hash", "HashAggregate", "BitmapAnd", "BitmapOr", "Bitmap Heap Scan" ->
                    Reading.TO_THE_END;
                default -> above;
            };
        }

        private static String what(JsonNode node) {
            String join = node.path("Join Type").asText("Inner");
            return (node.path("Parallel Aware").asBoolean() ? "Parallel " : "")
                    + node.path("Node Type").asText()
                    + (join.equals("Inner") ? "" : " (" + join + ")")
                    + named(" using ", node.path("Index Name"))
                    + named(" on ", node.path("Relation Name"))
                    + named(" of ", node.path("CTE Name"))
                    + named(", for ", node.path("Subplan Name"));
        }

        private static String named(String before, JsonNode name) {
            return name.asText().isEmpty() ? "" : before + name.asText();
        }

        private static void addDetails(JsonNode node, ArrayNode details) {
            for (String name : DETAILS) {
                JsonNode value = node.path(name);
                if (value.isArray()) {
                    List<String> parts = new ArrayList<>();
                    value.forEach(part -> parts.add(part.asText()));
                    details.addArray().add(name).add(String.join(", ", parts));
                } else if (value.isTextual() || value.asDouble() > 0) {
                    details.addArray().add(name).add(value.asText());
                }
            }
        }
    }
}
