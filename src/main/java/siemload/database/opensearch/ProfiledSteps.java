package siemload.database.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import siemload.database.PlanTree;
import siemload.database.PlanTree.Detail;
import siemload.database.PlanTree.Pages;
import siemload.database.PlanTree.Step;

/** The queries of a profile, and what collected their events, as a reader needs them. The time of a query has that of those below it. */
final class ProfiledSteps {
    private static final Pages NONE = new Pages(0, 0, 0);
    private static final double NANOS_PER_MILLI = 1e6;
    private static final int LONGEST_DESCRIPTION = 400;

    private final List<Step> steps = new ArrayList<>();
    private double rewriteMillis;
    private double millis;

    private ProfiledSteps() {}

    /** Empty where it is no profile. */
    static Optional<PlanTree> of(JsonNode profile) {
        ProfiledSteps read = new ProfiledSteps();
        for (JsonNode shard : profile.path("shards")) {
            for (JsonNode search : shard.path("searches")) {
                read.rewriteMillis += search.path("rewrite_time").asDouble() / NANOS_PER_MILLI;
                read.add(search.path("query"), "description", "query");
                read.add(search.path("collector"), "reason", "for");
            }
            read.add(shard.path("aggregations"), "description", "of");
        }
        return read.steps.isEmpty()
                ? Optional.empty()
                : Optional.of(new PlanTree(read.rewriteMillis, read.millis, read.steps));
    }

    private void add(JsonNode roots, String detail, String name) {
        for (JsonNode root : roots) {
            millis += millis(root);
            visit(root, 0, detail, name);
        }
    }

    private void visit(JsonNode node, int depth, String detail, String name) {
        String text = node.path(detail).asText();
        String shown = text.length() > LONGEST_DESCRIPTION ? text.substring(0, LONGEST_DESCRIPTION) + "..." : text;
        JsonNode inner = node.path("children");
        steps.add(new Step(
                depth,
                node.path("type").asText(node.path("name").asText()),
                OptionalDouble.empty(),
                1,
                OptionalDouble.of(millis(node)),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                NONE,
                // What is above others only puts together what they say.
                text.isEmpty() || !inner.isEmpty() ? List.of() : List.of(new Detail(name, shown))));
        inner.forEach(below -> visit(below, depth + 1, detail, name));
    }

    private static double millis(JsonNode node) {
        return node.path("time_in_nanos").asDouble() / NANOS_PER_MILLI;
    }
}
