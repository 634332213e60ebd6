package siemload.database.postgresql;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import siemload.database.Plan.PlanTree;

/** The steps in the JSON of {@code EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)}, for people. Used by one thread. */
final class ExplainedSteps {
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
