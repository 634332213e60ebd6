package siemload.database.mongodb;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.Document;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import siemload.database.Plan;
import siemload.database.Plan.Access;
import siemload.database.Plan.Access.Kind;

/**
 * Reduces what {@code explain} says to what can be compared. Both engines and sharded clusters nest the same stages; a
 * pipeline has those that found its events in its first stage, or is one plan like any other where the engine does it all.
 */
final class ExplainedPlan {
    private static final JsonWriterSettings READABLE = JsonWriterSettings.builder()
            .outputMode(JsonMode.RELAXED)
            .indent(true)
            .build();
    /** Where stages stand inside others; not the plans that lost, nor the program that a plan became. */
    private static final Set<String> INNER = Set.of(
            "queryPlanner",
            "winningPlan",
            "queryPlan",
            "inputStage",
            "inputStages",
            "outerStage",
            "innerStage",
            "shards",
            "stages",
            "$cursor");

    private final List<Access> accesses = new ArrayList<>();
    private boolean sorted;

    private final String timeKey;

    private ExplainedPlan(String timeKey) {
        this.timeKey = timeKey;
    }

    /** Of documents of which nobody has said what their time is. */
    static Plan of(Document explained) {
        return of(explained, "");
    }

    /** @param timeKey what an index of the time begins with */
    static Plan of(Document explained, String timeKey) {
        ExplainedPlan plan = new ExplainedPlan(timeKey);
        plan.visit(explained, "events");
        String text = explained.toJson(READABLE);
        // The server has no plan that several of its workers share.
        return new Plan(text, Plan.Format.JSON, plan.accesses, plan.sorted, false, Optional.empty());
    }

    /** @param outer the collection, unless the node names one: each shard does for itself */
    private void visit(Document node, String outer) {
        String collection =
                node.get("namespace") instanceof String namespace ? namespace.split("\\.", 2)[1] : outer;
        if (node.get("stage") instanceof String stage) {
            stage(stage, node, collection);
        }
        sorted |= node.containsKey("$sort");
        node.forEach((key, value) -> {
            if (key.equals("shards") && value instanceof Document shards) {
                shards.values().forEach(shard -> inner(shard, collection));
            } else if (INNER.contains(key)) {
                inner(value, collection);
            }
        });
    }

    private void inner(Object value, String collection) {
        if (value instanceof Document document) {
            visit(document, collection);
        } else if (value instanceof List<?> list) {
            list.forEach(item -> inner(item, collection));
        }
    }

    private void stage(String name, Document stage, String collection) {
        switch (name) {
            case "COLLSCAN" -> accesses.add(new Access(Kind.TABLE, collection));
            case "IDHACK", "EXPRESS_CLUSTERED_IXSCAN", "CLUSTERED_IXSCAN" ->
                accesses.add(new Access(Kind.ID_INDEX, "_id_"));
            case "IXSCAN", "EXPRESS_IXSCAN", "COUNT_SCAN", "DISTINCT_SCAN" -> accesses.add(index(stage));
            case "SORT" -> sorted = true;
            default -> {
                // FETCH, LIMIT, PROJECTION_SIMPLE and the like: what is done with events that were found.
            }
        }
    }

    /** The key is a document, but the shortest plans of newer servers tell it as text: {@code { _id: 1 }}. */
    private Access index(Document stage) {
        String name = stage.getString("indexName");
        String key = name;
        if (stage.get("keyPattern") instanceof Document pattern) {
            key = pattern.keySet().iterator().next();
        } else if (stage.get("keyPattern") instanceof String pattern) {
            key = pattern.replaceFirst("^\\W*", "").replaceFirst("[\":\\s].*", "");
        }
        return new Access(kind(key), name);
    }

    private Kind kind(String firstKey) {
        if (firstKey.equals("_id") || firstKey.equals("_id_")) {
            return Kind.ID_INDEX;
        }
        return firstKey.equals(timeKey) ? Kind.TIME_INDEX : Kind.FIELD_INDEX;
    }
}
