package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.SQL;

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
import java.util.OptionalDouble;
import java.util.Set;
import siemload.database.Plan;
import siemload.database.Plan.Access;
import siemload.database.Plan.Access.Kind;
import siemload.database.Plan.PartitionsRead;
import siemload.database.Plan.PlanTree;
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
    private static final PlanReader OF_OTHERS =
            new PlanReader(List.of(), List.of(), List.of(), Map.of(), Map.of());

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
        boolean whole = node.path("Node Type").asText().equals("Seq Scan")
                && (tables.isEmpty() || tables.contains(table));
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

    /** The steps in the JSON of {@code EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)}, for people. Used by one thread. */
    static final class ExplainedSteps {
        /** How many times more or fewer rows than estimated are worth a flag. */
        static final double MISESTIMATE = 10;

        private static final List<String> CONDITIONS = List.of(
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

        private final List<PlanTree.Step> steps = new ArrayList<>();

        private ExplainedSteps() {}

        /** Empty if it is no such plan. */
        static Optional<PlanTree> of(JsonNode explained) {
            JsonNode top = explained.path(0);
            if (!top.path("Plan").path("Node Type").isTextual()) {
                return Optional.empty();
            }
            ExplainedSteps read = new ExplainedSteps();
            read.collect(top.path("Plan"), 0, Reading.TO_THE_END);
            return Optional.of(new PlanTree(
                    top.path("Planning Time").asDouble(), top.path("Execution Time").asDouble(), read.steps));
        }

        /** How far the step above reads what a step gives. */
        private enum Reading {
            TO_THE_END,
            /** A limit may have had enough before. */
            AS_FAR_AS_NEEDED
        }

        private void collect(JsonNode node, int depth, Reading reading) {
            double loops = node.path("Actual Loops").asDouble();
            double estimated = node.path("Plan Rows").asDouble();
            double rows = node.path("Actual Rows").asDouble();
            // Of bitmaps put together the server does not count the rows.
            boolean counted = loops > 0 && !node.path("Node Type").asText().matches("BitmapAnd|BitmapOr");
            steps.add(new PlanTree.Step(
                    depth,
                    what(node),
                    OptionalDouble.of(estimated),
                    loops,
                    loops > 0
                            ? OptionalDouble.of(node.path("Actual Total Time").asDouble() * loops)
                            : OptionalDouble.empty(),
                    counted ? OptionalDouble.of(rows) : OptionalDouble.empty(),
                    counted ? misestimate(reading, estimated, rows) : OptionalDouble.empty(),
                    pages(node),
                    details(node)));
            for (JsonNode below : node.path("Plans")) {
                collect(below, depth + 1, readingOf(node, reading));
            }
        }

        /** What a limit left unread says nothing about the estimate. */
        private static OptionalDouble misestimate(Reading reading, double estimated, double rows) {
            double fewer = Math.max(1, estimated) / Math.max(1, rows);
            boolean flagged = 1 / fewer >= MISESTIMATE || (fewer >= MISESTIMATE && reading == Reading.TO_THE_END);
            return flagged ? OptionalDouble.of(Math.max(fewer, 1 / fewer)) : OptionalDouble.empty();
        }

        private static Reading readingOf(JsonNode node, Reading above) {
            return switch (node.path("Node Type").asText()) {
                case "Limit" -> Reading.AS_FAR_AS_NEEDED;
                case "Sort", "Aggregate", "Hash", "HashAggregate", "BitmapAnd", "BitmapOr", "Bitmap Heap Scan" ->
                    Reading.TO_THE_END;
                default -> above;
            };
        }

        private static PlanTree.Pages pages(JsonNode node) {
            return new PlanTree.Pages(
                    node.path("Shared Hit Blocks").asLong(),
                    node.path("Shared Read Blocks").asLong(),
                    node.path("Temp Read Blocks").asLong()
                            + node.path("Temp Written Blocks").asLong());
        }

        private static String what(JsonNode node) {
            StringBuilder text = new StringBuilder();
            if (node.path("Parallel Aware").asBoolean()) {
                text.append("Parallel ");
            }
            text.append(node.path("Node Type").asText());
            if (!node.path("Join Type").asText("Inner").equals("Inner")) {
                text.append(" (").append(node.path("Join Type").asText()).append(')');
            }
            append(text, " using ", node.path("Index Name").asText());
            append(text, " on ", node.path("Relation Name").asText());
            append(text, " of ", node.path("CTE Name").asText());
            append(text, ", for ", node.path("Subplan Name").asText());
            return text.toString();
        }

        private static void append(StringBuilder text, String before, String name) {
            if (!name.isEmpty()) {
                text.append(before).append(name);
            }
        }

        private static List<PlanTree.Detail> details(JsonNode node) {
            List<PlanTree.Detail> details = new ArrayList<>();
            for (String condition : CONDITIONS) {
                JsonNode value = node.path(condition);
                if (value.isArray()) {
                    List<String> parts = new ArrayList<>();
                    value.forEach(part -> parts.add(part.asText()));
                    details.add(new PlanTree.Detail(condition, String.join(", ", parts)));
                } else if (value.isTextual() || value.asDouble() > 0) {
                    details.add(new PlanTree.Detail(condition, value.asText()));
                }
            }
            return details;
        }
    }
}
