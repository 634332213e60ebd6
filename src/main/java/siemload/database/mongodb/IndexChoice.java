package siemload.database.mongodb;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Variant;
import siemload.query.Criterion;
import siemload.query.Criterion.AddressAndPortOnOneSide;
import siemload.query.Criterion.AddressFigured;
import siemload.query.Criterion.CategoryIs;
import siemload.query.Criterion.DetectorIs;
import siemload.query.Criterion.PortUsed;
import siemload.query.Search;

/** The indexes of each set, and which of them a hint names. */
final class IndexChoice {
    private static final String TIME = "time";

    private IndexChoice() {}

    /** The indexes of the set, each with name and key as {@code createIndexes} takes them. */
    static List<BsonDocument> of(IndexSet indexes) {
        return JsonTemplate.read("idea/indexes-" + indexes.label() + ".json").pipeline(Map.of());
    }

    /** Whether the set has an index of pairs of category and detector. */
    static boolean hasPairs(IndexSet indexes) {
        return indexes == IndexSet.NATIVE;
    }

    /** What the server is told for the search: the name of an index as a text, or a document; empty for nothing. */
    static Optional<BsonValue> hint(Search search, Variant variant) {
        if (!Hint.concerns(search)) {
            return Optional.empty();
        }
        return switch (variant.hint()) {
            case NONE -> Optional.empty();
            case FULL_SCAN -> Optional.of(new BsonDocument("$natural", new BsonInt32(1)));
            case INDEX -> Optional.of(new BsonString(fieldIndex(search, variant.indexes())));
            case TIME_INDEX -> Optional.of(new BsonString(TIME));
            case FULL_SCAN_PARALLEL, FIRST_ROWS ->
                throw new IllegalArgumentException(
                        "MongoDB knows no hint '" + variant.hint().label() + "'");
        };
    }

    /** The index of the field that usually finds the fewest events. */
    private static String fieldIndex(Search search, IndexSet indexes) {
        boolean category = has(search, CategoryIs.class);
        boolean detector = has(search, DetectorIs.class);
        if (has(search, AddressFigured.class) || has(search, AddressAndPortOnOneSide.class)) {
            return "address";
        } else if (category && detector && hasPairs(indexes)) {
            return "category_detector";
        } else if (detector) {
            return "detector";
        } else if (category) {
            return "category";
        }
        return has(search, PortUsed.class) ? "port" : TIME;
    }

    private static boolean has(Search search, Class<? extends Criterion> kind) {
        return search.criteria().stream().anyMatch(kind::isInstance);
    }
}
