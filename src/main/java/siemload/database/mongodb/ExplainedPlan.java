package siemload.database.mongodb;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import siemload.database.Plan;
import siemload.database.Plan.Access;
import siemload.database.Plan.Access.Kind;

/** Reduces what {@code explain} says to what can be compared. Both engines and sharded clusters nest the same stages. */
final class ExplainedPlan {
    private static final JsonWriterSettings READABLE = JsonWriterSettings.builder()
            .outputMode(JsonMode.RELAXED)
            .indent(true)
            .build();
    /** Where stages stand inside others; not the plans that lost, nor the program that a plan became. */
    private static final Set<String> INNER =
            Set.of("winningPlan", "queryPlan", "inputStage", "inputStages", "outerStage", "innerStage", "shards");

    private final List<Access> accesses = new ArrayList<>();
    private boolean sorted;

    private ExplainedPlan() {}

    static Plan of(BsonDocument explained) {
        ExplainedPlan plan = new ExplainedPlan();
        plan.visit(explained.getDocument("queryPlanner", new BsonDocument()), "events");
        String text = explained.toJson(READABLE);
        // The server has no plan that several of its workers share.
        return new Plan(text, Plan.Format.JSON, plan.accesses, plan.sorted, false, Optional.empty());
    }

    /** @param outer the collection, unless the node names one: each shard does for itself */
    private void visit(BsonDocument node, String outer) {
        String collection = node.containsKey("namespace")
                ? node.getString("namespace").getValue().split("\\.", 2)[1]
                : outer;
        BsonValue stage = node.get("stage");
        if (stage != null && stage.isString()) {
            stage(stage.asString().getValue(), node, collection);
        }
        node.forEach((key, value) -> {
            if (INNER.contains(key)) {
                inner(value, collection);
            }
        });
    }

    private void inner(BsonValue value, String collection) {
        if (value instanceof BsonDocument document) {
            visit(document, collection);
        } else if (value instanceof BsonArray array) {
            array.forEach(item -> inner(item, collection));
        }
    }

    private void stage(String name, BsonDocument stage, String collection) {
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
    private static Access index(BsonDocument stage) {
        String name = stage.getString("indexName").getValue();
        BsonValue pattern = stage.get("keyPattern");
        String key = pattern == null
                ? name
                : pattern.isDocument()
                        ? pattern.asDocument().getFirstKey()
                        : pattern.asString()
                                .getValue()
                                .replaceFirst("^\\W*", "")
                                .replaceFirst("[\":\\s].*", "");
        return new Access(kind(key), name);
    }

    private static Kind kind(String firstKey) {
        return switch (firstKey) {
            case "_id", "_id_" -> Kind.ID_INDEX;
            case "DetectMicros" -> Kind.TIME_INDEX;
            default -> Kind.FIELD_INDEX;
        };
    }
}
