package siemload.results.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import siemload.database.PlanTree;

/** The steps of a plan as the page shows them; what is not there is left out. Stateless. */
final class PlanSteps {
    private PlanSteps() {}

    static ObjectNode of(PlanTree plan) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("planningMillis", plan.planningMillis());
        json.put("executionMillis", plan.executionMillis());
        ArrayNode steps = json.putArray("steps");
        plan.steps().forEach(step -> add(step, steps.addObject()));
        return json;
    }

    private static void add(PlanTree.Step step, ObjectNode json) {
        json.put("depth", step.depth());
        json.put("what", step.what());
        step.estimated().ifPresent(rows -> json.put("estimated", rows));
        json.put("loops", step.loops());
        step.millis().ifPresent(millis -> json.put("millis", Series.rounded(millis)));
        step.rows().ifPresent(rows -> json.put("rows", rows));
        step.misestimate().ifPresent(factor -> json.put("misestimate", Series.rounded(factor)));
        putIfAny(json, "hit", step.pages().hit());
        putIfAny(json, "read", step.pages().read());
        putIfAny(json, "temporary", step.pages().temporary());
        ArrayNode details = json.putArray("details");
        step.details().forEach(detail -> details.addArray().add(detail.name()).add(detail.text()));
    }

    private static void putIfAny(ObjectNode json, String name, long pages) {
        if (pages > 0) {
            json.put(name, pages);
        }
    }
}
