package siemload.database.mongodb;

import com.mongodb.MongoClientException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bson.Document;
import org.bson.types.Binary;
import org.jspecify.annotations.Nullable;
import siemload.database.Hint;
import siemload.database.Variant;
import siemload.database.layout.EventText;
import siemload.database.layout.JsonLayout;
import siemload.database.layout.JsonSearches;
import siemload.database.layout.LayoutFormat.Vocabulary;
import siemload.event.AddressRange;
import siemload.query.Criterion;
import siemload.query.Criterion.AddressAndPortOnOneSide;
import siemload.query.Criterion.AddressFigured;
import siemload.query.Criterion.CategoryIs;
import siemload.query.Criterion.DetectorIs;
import siemload.query.Criterion.PortUsed;
import siemload.query.EventSide;
import siemload.query.Order;
import siemload.query.Search;
import siemload.query.Summary;

/** Translates searches into MongoDB's query language, by a layout, for the indexes and the hint of a run. Immutable and thread-safe. */
final class MongodbSearches extends JsonSearches<Document> {
    /** Stands in the place of an index for the order in which the documents lie. */
    static final String NATURAL = "$natural";

    private static final String TIME = "time";
    /** Reads layouts of this database. By {@code _id} the server tells that an event is there already. */
    static final JsonLayout.Format FORMAT = new JsonLayout.Format(
            new Vocabulary(
                    "mongodb",
                    List.of(Hint.NONE, Hint.FULL_SCAN, Hint.INDEX, Hint.TIME_INDEX),
                    JsonLayout.LABELS,
                    Set.of(),
                    "",
                    name -> Optional.empty()),
            BsonNotation.NOTATION,
            Map.of("_id", "id"),
            Set.of("$out", "$merge"));

    private final List<Document> indexes;
    private final Hint hint;

    private MongodbSearches(JsonLayout layout, Hint hint) {
        super(layout);
        this.indexes = layout.indexes()
                .map(set -> BsonNotation.documents(set.value(unused -> "")))
                .orElse(List.of());
        this.hint = hint;
    }

    /**
     * That of a run; a layout of one's own is read here.
     *
     * @throws siemload.config.ConfigException with everything that is wrong with its files
     */
    static MongodbSearches of(Variant variant) {
        return new MongodbSearches(FORMAT.of(variant), variant.hint());
    }

    /** The indexes of the run's set, each with name and key as {@code createIndexes} takes them. */
    List<Document> indexes() {
        return indexes;
    }

    /**
     * What finds the rows of a search.
     *
     * @param order of the rows
     * @param sort the order on the server; empty for any
     * @param skip how many events are passed over
     * @param limit how many are answered at most; 0 for all
     * @param hint the name of an index, or {@link #NATURAL}; empty for nothing
     */
    record Query(Way way, Order order, Document filter, Document sort, int skip, int limit, Optional<String> hint) {}

    /** As the {@code find} command takes it. */
    Query query(Search search) {
        Slice<Document> slice = page(search);
        boolean isSingle = slice.way() == Way.SINGLE;
        return new Query(
                slice.way(),
                search.order(),
                all(slice.met()),
                isSingle
                        ? new Document()
                        : sort(slice.way() == Way.LAST_PAGE ? slice.order().reversed() : slice.order()),
                // The driver skips no more than this; more rows than that are in no store.
                (int) Math.min(slice.offset(), Integer.MAX_VALUE),
                isSingle ? 0 : slice.size(),
                hint(search));
    }

    private Document sort(Order order) {
        return (Document) layout().order(order).orElseGet(Document::new);
    }

    /** The projection that makes a row of a document. */
    Document rows() {
        return (Document) layout().constant("rows");
    }

    /** The stages that read a result backwards and turn it round; only for {@link Way#LAST_PAGE}. */
    List<Document> turned(Query query) {
        return List.of(
                new Document("$match", query.filter()),
                new Document("$sort", query.sort()),
                new Document("$limit", query.limit()),
                new Document("$sort", sort(query.order())),
                new Document("$project", rows()));
    }

    @Override
    protected List<Document> summed(Search search, Summary summary) {
        return BsonNotation.documents(summed(search, summary, Map.of("conditions", conditions(search))));
    }

    /** What the stages of a summary give. */
    static Summary.Line line(Search search, Document line) {
        Instant from = line.get("start") instanceof Number micros
                ? EventText.instant(micros.longValue())
                : search.window().start();
        return new Summary.Line(from, value(line.get("value")), BsonNotation.number(line, "events"));
    }

    private static String value(@Nullable Object value) {
        if (value instanceof String text) {
            return text;
        } else if (value instanceof Binary address && Set.of(4, 16).contains(address.length())) {
            return AddressRange.ofBytes(address.getData()).toString();
        }
        throw new MongoClientException("a line of the summary has the value " + value
                + ", which is neither a string nor an address of 4 or 16 bytes");
    }

    /** The key that documents are sorted by first: an index that begins with it is one of the time. */
    String timeKey() {
        return sort(Order.NEWEST_FIRST).keySet().iterator().next();
    }

    /** What the server is told for a search: the name of an index, or {@link #NATURAL}; empty for nothing. */
    Optional<String> hint(Search search) {
        if (!Hint.concerns(search)) {
            return Optional.empty();
        }
        return switch (hint) {
            case NONE -> Optional.empty();
            case FULL_SCAN -> Optional.of(NATURAL);
            case INDEX -> Optional.of(fieldIndex(search));
            case TIME_INDEX -> Optional.of(TIME);
            case FULL_SCAN_PARALLEL, FIRST_ROWS ->
                throw new IllegalArgumentException("MongoDB knows no hint '" + hint.label() + "'");
        };
    }

    /** The index of the field that usually finds the fewest events. */
    private String fieldIndex(Search search) {
        if (asks(search, AddressFigured.class) || asks(search, AddressAndPortOnOneSide.class)) {
            return "address";
        } else if (asks(search, DetectorIs.class)) {
            return "detector";
        } else if (asks(search, CategoryIs.class)) {
            return "category";
        }
        return asks(search, PortUsed.class) ? "port" : TIME;
    }

    private static boolean asks(Search search, Class<? extends Criterion> kind) {
        return search.criteria().stream().anyMatch(kind::isInstance);
    }

    /** One alone stands for itself, so that the server sees a search by id for what it is. */
    @Override
    protected Document all(List<Document> parts) {
        List<Object> all = spliced("$and", parts);
        if (all.size() == 1) {
            return (Document) all.get(0);
        }
        return all.isEmpty() ? new Document() : new Document("$and", all);
    }

    /** An index is looked for in each way of one alternative: there is none within another. */
    @Override
    protected Document any(List<Document> parts) {
        return new Document("$or", spliced("$or", parts));
    }

    /** These, but what stands under this operator in the place of one that is nothing else. */
    private static List<Object> spliced(String operator, List<Document> parts) {
        List<Object> spliced = new ArrayList<>();
        for (Document part : parts) {
            if (part.size() == 1 && part.get(operator) instanceof List<?> inner) {
                spliced.addAll(inner);
            } else {
                spliced.add(part);
            }
        }
        return spliced;
    }

    /** What is asked of one side is asked of either as well: that has an index. */
    private Document withEither(EventSide side, Document exact, Document either) {
        return side == EventSide.EITHER ? exact : all(List.of(either, exact));
    }

    @Override
    protected Document addresses(List<AddressRange> anyOf, EventSide side) {
        return withEither(side, super.addresses(anyOf, side), super.addresses(anyOf, EventSide.EITHER));
    }

    @Override
    protected Document oneSide(AddressAndPortOnOneSide both) {
        return withEither(
                EventSide.SOURCE, super.oneSide(both), super.addresses(List.of(both.address()), EventSide.EITHER));
    }

    @Override
    protected Document port(int port, EventSide side) {
        return withEither(side, super.port(port, side), super.port(port, EventSide.EITHER));
    }
}
