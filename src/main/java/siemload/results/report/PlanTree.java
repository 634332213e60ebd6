package siemload.results.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * PostgreSQL's {@code EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)} reduced to what a reader needs: the steps, each with how
 * deep it lies, what it does, the rows that were estimated and that came, its time and its pages. Stateless.
 */
final class PlanTree {
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

    private static final List<String> PAGES = List.of(
            "Shared Hit Blocks",
            "Shared Read Blocks",
            "Shared Dirtied Blocks",
            "Temp Read Blocks",
            "Temp Written Blocks");

    private PlanTree() {}

    /** Whether it is such a plan. */
    static boolean isOne(JsonNode explained) {
        return explained.path(0).path("Plan").path("Node Type").isTextual();
    }

    /** Planning and execution time, and the steps from the top down. */
    static ObjectNode of(JsonNode explained) {
        JsonNode top = explained.path(0);
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("planningMillis", top.path("Planning Time").asDouble());
        json.put("executionMillis", top.path("Execution Time").asDouble());
        collect(top.path("Plan"), 0, Reading.TO_THE_END, json.putArray("steps"));
        return json;
    }

    /** How far the step above reads what a step gives. */
    private enum Reading {
        TO_THE_END,
        /** A limit may have had enough before. */
        AS_FAR_AS_NEEDED
    }

    private static void collect(JsonNode node, int depth, Reading reading, ArrayNode steps) {
        ObjectNode step = steps.addObject();
        step.put("depth", depth);
        step.put("what", what(node));
        double loops = node.path("Actual Loops").asDouble();
        double estimated = node.path("Plan Rows").asDouble();
        double rows = node.path("Actual Rows").asDouble();
        step.put("estimated", estimated);
        step.put("loops", loops);
        if (loops > 0) {
            step.put("millis", Series.rounded(node.path("Actual Total Time").asDouble() * loops));
            // Of bitmaps put together the server does not count the rows.
            if (!node.path("Node Type").asText().matches("BitmapAnd|BitmapOr")) {
                step.put("rows", rows);
                factor(reading, estimated, rows, step);
            }
        }
        for (String pages : PAGES) {
            if (node.path(pages).asLong() > 0) {
                step.put(pages, node.path(pages).asLong());
            }
        }
        details(node, step.putArray("details"));
        for (JsonNode below : node.path("Plans")) {
            collect(below, depth + 1, readingOf(node, reading), steps);
        }
    }

    /** What a limit left unread says nothing about the estimate. */
    private static void factor(Reading reading, double estimated, double rows, ObjectNode step) {
        double fewer = Math.max(1, estimated) / Math.max(1, rows);
        if (1 / fewer >= MISESTIMATE || (fewer >= MISESTIMATE && reading == Reading.TO_THE_END)) {
            step.put("misestimate", Series.rounded(Math.max(fewer, 1 / fewer)));
        }
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

    private static void details(JsonNode node, ArrayNode details) {
        for (String condition : CONDITIONS) {
            JsonNode value = node.path(condition);
            if (value.isArray()) {
                List<String> parts = new ArrayList<>();
                value.forEach(part -> parts.add(part.asText()));
                details.addArray().add(condition).add(String.join(", ", parts));
            } else if (value.isTextual() || value.asDouble() > 0) {
                details.addArray().add(condition).add(value.asText());
            }
        }
    }
}
