package siemload.database.mongodb;

import com.mongodb.MongoClientException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bson.Document;
import org.bson.types.Binary;
import org.jspecify.annotations.Nullable;
import siemload.database.Hint;
import siemload.database.Variant;
import siemload.database.layout.Condition;
import siemload.database.layout.Condition.All;
import siemload.database.layout.Condition.Leaf;
import siemload.database.layout.EventFields;
import siemload.database.layout.EventText;
import siemload.database.layout.JsonSearches;
import siemload.database.server.Portions;
import siemload.event.AddressRange;
import siemload.query.Criterion;
import siemload.query.Criterion.AddressAndPortOnOneSide;
import siemload.query.Criterion.AddressFigured;
import siemload.query.Criterion.CategoryIs;
import siemload.query.Criterion.DetectorIs;
import siemload.query.Criterion.PortUsed;
import siemload.query.EventSide;
import siemload.query.Order;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.Summary;

/** Translates searches into MongoDB's query language, by a layout, for the indexes and the hint of a run. Immutable and thread-safe. */
final class DocumentSearches extends JsonSearches<Document> {
    private static final String TIME = "time";
    /** Stands in the place of an index for the order in which the documents lie. */
    static final String NATURAL = "$natural";

    private final DocumentLayout layout;
    private final Hint hint;
    private final boolean hasPairs;

    private DocumentSearches(DocumentLayout layout, Hint hint, boolean hasPairs) {
        super(layout);
        this.layout = layout;
        this.hint = hint;
        this.hasPairs = hasPairs;
    }

    /**
     * That of a run; a layout of one's own is read here.
     *
     * @throws siemload.config.ConfigException with everything that is wrong with its files
     */
    static DocumentSearches of(Variant variant) {
        DocumentLayout layout = DocumentLayout.of(variant);
        return new DocumentSearches(layout, variant.hint(), layout.hasPairs(variant.indexes()));
    }

    /** The same with another hint. */
    DocumentSearches with(Hint other) {
        return new DocumentSearches(layout, other, hasPairs);
    }

    DocumentLayout layout() {
        return layout;
    }

    /**
     * A search as the {@code find} command takes it.
     *
     * @param sort the order on the server; empty for any
     * @param skip how many events are passed over
     * @param limit how many are answered at most; 0 for all
     * @param hint the name of an index, or {@link #NATURAL}; empty for nothing
     */
    record EventQuery(Document filter, Document sort, int skip, int limit, Optional<String> hint, Reading reading) {}

    /** How the rows are read. */
    enum Reading {
        /** In their order, received at once. */
        PAGE,
        /** From the last to the first, received at once. */
        PAGE_BACKWARDS,
        /** In their order, received in portions. */
        STREAM,
        /** From the last to the first, turned round by the server, received in portions. */
        STREAM_BACKWARDS
    }

    /** What finds the rows of a search. */
    EventQuery query(Search search) {
        Slice slice = page(search);
        boolean isLarge = Portions.make(slice.size());
        Order order = slice.way() == Way.LAST_PAGE ? slice.order().reversed() : slice.order();
        // The driver skips no more than this; more rows than that are in no store.
        int skip = (int) Math.min(slice.offset(), Integer.MAX_VALUE);
        return switch (slice.way()) {
            case SINGLE -> query(search, slice, new Document(), 0, 0, Reading.PAGE);
            case PAGE ->
                query(search, slice, layout.order(order), skip, slice.size(), isLarge ? Reading.STREAM : Reading.PAGE);
            case PAGE_BACKWARDS -> query(search, slice, layout.order(order), 0, slice.size(), Reading.PAGE_BACKWARDS);
            case LAST_PAGE -> query(search, slice, layout.order(order), 0, slice.size(), Reading.STREAM_BACKWARDS);
            case WHOLE -> query(search, slice, layout.order(order), 0, 0, Reading.STREAM);
        };
    }

    private EventQuery query(Search search, Slice slice, Document sort, int skip, int limit, Reading reading) {
        return new EventQuery(document(slice.met()), sort, skip, limit, hint(search), reading);
    }

    /** The stages that find the rows in what others have made of documents before. */
    List<Document> stages(EventQuery query) {
        List<Document> stages = new ArrayList<>(layout.behindStages(List.of(new Document("$match", query.filter()))));
        if (!query.sort().isEmpty()) {
            stages.add(new Document("$sort", query.sort()));
        }
        if (query.skip() > 0) {
            stages.add(new Document("$skip", query.skip()));
        }
        if (query.limit() > 0) {
            stages.add(new Document("$limit", query.limit()));
        }
        stages.add(new Document("$project", layout.rows()));
        return stages;
    }

    /** The stages that read a result backwards and turn it round; only for {@link Reading#STREAM_BACKWARDS}. */
    List<Document> turned(EventQuery query) {
        Document newest = layout.order(Order.NEWEST_FIRST);
        Map<String, Object> values = new HashMap<>();
        values.put("conditions", query.filter());
        values.put("backwards", query.sort());
        values.put("limit", query.limit());
        values.put("forwards", query.sort().equals(newest) ? layout.order(Order.OLDEST_FIRST) : newest);
        values.put("rows", layout.rows());
        return pipeline("last-page", values);
    }

    private List<Document> pipeline(String block, Map<String, ?> values) {
        return layout.behindStages(layout.template(block).pipeline(values));
    }

    /** The stages that sum up the events of a search. */
    List<Document> summary(Search search, Summary summary) {
        Map<String, Object> values = new HashMap<>();
        values.put("conditions", filter(search));
        values.put("field", layout.block("field-" + summary.field().label()).value(name -> ""));
        values.put(TIME, layout.timeOfRows());
        if (summary instanceof Summary.OverTime timeline) {
            values.put("from", EventText.micros(search.window().from()));
            values.put("step", timeline.step(search.window()).toNanos() / 1_000);
            return pipeline("timeline", values);
        } else if (summary instanceof Summary.TopList top) {
            values.put("limit", top.size());
            return pipeline("top-list", values);
        }
        throw new AssertionError("a kind of summary without a pipeline: " + summary);
    }

    /** What these stages give. */
    static Summary.Line line(Search search, Document line) {
        Instant from = line.get("start") instanceof Number micros
                ? EventText.instant(micros.longValue())
                : search.window().start();
        return new Summary.Line(from, value(line.get("value")), MongodbCounters.number(line, "events"));
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

    /** The stages that tell when the events were, and how many there are. */
    List<Document> times() {
        return pipeline("times", Map.of(TIME, layout.timeOfRows()));
    }

    /** Translates a search that users come to in this way. @throws siemload.database.layout.Blocks.MissingBlockException */
    void translate(Search search, PageClass page) {
        switch (page) {
            case COUNT -> filter(search);
            case SUMMARY -> search.summary().ifPresent(summary -> summary(search, summary));
            case FIRST, DEEPER, WHOLE, STATEMENT -> query(search);
            case LAST -> turned(query(search));
        }
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
        boolean category = first(search, CategoryIs.class).isPresent();
        boolean detector = first(search, DetectorIs.class).isPresent();
        if (first(search, AddressFigured.class).isPresent()
                || first(search, AddressAndPortOnOneSide.class).isPresent()) {
            return "address";
        } else if (category && detector && hasPairs) {
            return "category_detector";
        } else if (detector) {
            return "detector";
        } else if (category) {
            return "category";
        }
        return first(search, PortUsed.class).isPresent() ? "port" : TIME;
    }

    /** What finds all events of a search. */
    Document filter(Search search) {
        return document(of(search));
    }

    /** Pairs are asked for where an index could know them: it can hold only one array, that of the pairs. */
    @Override
    protected List<Condition> of(Search search) {
        Optional<CategoryIs> category = first(search, CategoryIs.class);
        Optional<DetectorIs> detector = first(search, DetectorIs.class);
        if (!hasPairs || category.isEmpty() || detector.isEmpty()) {
            return super.of(search);
        }
        List<Criterion> others = new ArrayList<>(search.criteria());
        others.remove(category.orElseThrow());
        others.remove(detector.orElseThrow());
        List<Condition> conditions = super.of(search.with(others));
        EventFields.Pair pair = new EventFields.Pair(
                category.orElseThrow().category(), detector.orElseThrow().nodeName());
        conditions.add(search.window().isAlways() ? 0 : 1, new Leaf("category-detector", pair));
        return conditions;
    }

    private Document document(List<Condition> conditions) {
        return all(conditions, Condition.written(conditions, this));
    }

    /** One alone stands for itself, so that the server sees a search by id for what it is. */
    @Override
    public Document all(List<Condition> conditions, List<Document> parts) {
        List<Object> all = spliced("$and", parts);
        if (all.size() == 1) {
            return (Document) all.get(0);
        }
        return all.isEmpty() ? new Document() : new Document("$and", all);
    }

    /** An index is looked for in each way of one alternative: there is none within another. */
    @Override
    public Document any(List<Condition> conditions, List<Document> parts) {
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

    /** What is asked of one side is asked of either as well: that has an index, as far as the indexes are known. */
    private Condition withEither(EventSide side, Condition exact, Condition either) {
        return side == EventSide.EITHER || layout.isForSearchesAlone() ? exact : new All(List.of(either, exact));
    }

    @Override
    protected Condition addresses(List<AddressRange> anyOf, EventSide side) {
        return withEither(side, super.addresses(anyOf, side), super.addresses(anyOf, EventSide.EITHER));
    }

    @Override
    protected Condition oneSide(AddressAndPortOnOneSide both) {
        return withEither(
                EventSide.SOURCE, super.oneSide(both), super.addresses(List.of(both.address()), EventSide.EITHER));
    }

    @Override
    protected Condition port(int port, EventSide side) {
        return withEither(side, super.port(port, side), super.port(port, EventSide.EITHER));
    }
}
