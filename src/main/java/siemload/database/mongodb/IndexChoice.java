package siemload.database.mongodb;

import java.util.Optional;
import java.util.function.Consumer;
import org.bson.Document;
import org.bson.conversions.Bson;
import siemload.database.Hint;
import siemload.query.Criterion;
import siemload.query.Criterion.AddressAndPortOnOneSide;
import siemload.query.Criterion.AddressFigured;
import siemload.query.Criterion.CategoryIs;
import siemload.query.Criterion.DetectorIs;
import siemload.query.Criterion.PortUsed;
import siemload.query.Search;

/** Which index a hint names. */
final class IndexChoice {
    private static final String TIME = "time";
    /** Stands in the place of an index for the order in which the documents lie. */
    private static final String NATURAL = "$natural";

    private IndexChoice() {}

    /** The driver takes the name of an index and the natural order by different methods. */
    static void tell(Optional<String> hint, Consumer<Bson> document, Consumer<String> index) {
        hint.filter(NATURAL::equals).ifPresent(order -> document.accept(new Document(order, 1)));
        hint.filter(name -> !name.equals(NATURAL)).ifPresent(index);
    }

    /** What the server is told for the search, for {@link #tell}; empty for nothing. */
    static Optional<String> hint(Search search, DocumentVariant variant) {
        if (!Hint.concerns(search)) {
            return Optional.empty();
        }
        return switch (variant.hint()) {
            case NONE -> Optional.empty();
            case FULL_SCAN -> Optional.of(NATURAL);
            case INDEX -> Optional.of(fieldIndex(search, variant));
            case TIME_INDEX -> Optional.of(TIME);
            case FULL_SCAN_PARALLEL, FIRST_ROWS ->
                throw new IllegalArgumentException(
                        "MongoDB knows no hint '" + variant.hint().label() + "'");
        };
    }

    /** The index of the field that usually finds the fewest events. */
    private static String fieldIndex(Search search, DocumentVariant variant) {
        boolean category = has(search, CategoryIs.class);
        boolean detector = has(search, DetectorIs.class);
        if (has(search, AddressFigured.class) || has(search, AddressAndPortOnOneSide.class)) {
            return "address";
        } else if (category && detector && variant.hasPairs()) {
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
