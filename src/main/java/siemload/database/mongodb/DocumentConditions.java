package siemload.database.mongodb;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.bson.BsonDateTime;
import org.bson.Document;
import org.bson.types.ObjectId;
import siemload.database.SearchException;
import siemload.database.layout.Condition;
import siemload.database.layout.Condition.About;
import siemload.database.layout.Condition.All;
import siemload.database.layout.Condition.Any;
import siemload.database.layout.Condition.Leaf;
import siemload.database.layout.Conditions;
import siemload.database.layout.EventText;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.WholeText;
import siemload.query.Criterion;
import siemload.query.Criterion.CategoryIs;
import siemload.query.Criterion.DetectorIs;
import siemload.query.EventSide;
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.query.Window;

/** The conditions of searches in MongoDB's query language, each from a block of the layout. */
final class DocumentConditions extends Conditions {
    private static final long MOST_TEXTS = 65_536;

    private final DocumentVariant variant;

    DocumentConditions(DocumentVariant variant) {
        super(variant.layout()::has);
        this.variant = variant;
    }

    /** What finds all events of a search; pairs are asked for where an index could know them. */
    List<Condition> all(Search search) {
        List<Criterion> criteria = new ArrayList<>(search.criteria());
        Optional<CategoryIs> category = first(criteria, CategoryIs.class);
        Optional<DetectorIs> detector = first(criteria, DetectorIs.class);
        if (!variant.hasPairs() || category.isEmpty() || detector.isEmpty()) {
            return of(search);
        }
        // An index can hold only one array: that of the pairs.
        criteria.remove(category.orElseThrow());
        criteria.remove(detector.orElseThrow());
        Map<String, String> pair = Map.of(
                "category", WholeText.of(category.orElseThrow().category()),
                "detector", WholeText.of(detector.orElseThrow().nodeName()));
        List<Condition> conditions = of(search.with(criteria));
        conditions.add(search.window().isAlways() ? 0 : 1, new Leaf("category-detector", pair::get));
        return conditions;
    }

    private static <T extends Criterion> Optional<T> first(List<Criterion> criteria, Class<T> kind) {
        return criteria.stream().filter(kind::isInstance).map(kind::cast).findFirst();
    }

    /** All conditions together. One alone stands for itself, so that the server sees a search by id for what it is. */
    Document document(List<Condition> conditions) {
        List<Document> all = new ArrayList<>();
        conditions.forEach(condition -> add(condition, all));
        if (all.size() == 1) {
            return all.get(0);
        }
        return all.isEmpty() ? new Document() : new Document("$and", all);
    }

    private void add(Condition condition, List<Document> all) {
        if (condition instanceof About about) {
            add(about.condition(), all);
        } else if (condition instanceof All several) {
            several.parts().forEach(part -> add(part, all));
        } else if (condition instanceof Any any) {
            List<Document> ways = new ArrayList<>();
            any.parts().forEach(part -> addWays(document(List.of(part)), ways));
            all.add(new Document("$or", ways));
        } else if (condition instanceof Leaf leaf) {
            all.add(variant.layout().template(PREFIX + leaf.name()).document(leaf.values()));
        }
    }

    /** An index is looked for in each way of one alternative: there is none within another. */
    private static void addWays(Document condition, List<Document> ways) {
        if (condition.size() == 1 && condition.get("$or") instanceof List<?> alternatives) {
            alternatives.forEach(way -> ways.add((Document) way));
        } else {
            ways.add(condition);
        }
    }

    /** The address on any side is asked for as well: that has an index, as far as the indexes are known. */
    @Override
    protected Condition addresses(List<AddressRange> anyOf, EventSide side) {
        return side == EventSide.EITHER
                ? super.addresses(anyOf, side)
                : withEither(anyOf, super.addresses(anyOf, side));
    }

    private Condition withEither(List<AddressRange> anyOf, Condition exact) {
        return variant.layout().isForSearchesAlone()
                ? exact
                : new All(List.of(super.addresses(anyOf, EventSide.EITHER), exact));
    }

    @Override
    protected Condition oneSide(AddressRange range, int port) {
        return withEither(List.of(range), super.oneSide(range, port));
    }

    /** As with addresses. */
    @Override
    protected Condition port(int port, EventSide side) {
        Condition exact = super.port(port, side);
        return side == EventSide.EITHER || variant.layout().isForSearchesAlone()
                ? exact
                : new All(List.of(super.port(port, EventSide.EITHER), exact));
    }

    @Override
    protected Function<String, ?> window(Window window) {
        return name -> switch (name) {
            case "from" -> EventText.micros(window.from());
            case "until" -> EventText.micros(window.until());
            case "from_time" -> date(EventText.micros(window.from()));
            case "until_time" -> date(EventText.micros(window.until()));
            default -> throw unknown(name);
        };
    }

    @Override
    protected Function<String, ?> key(PageKey key) {
        return name -> switch (name) {
            case "micros" -> EventText.micros(key.detectTime());
            case "time" -> date(EventText.micros(key.detectTime()));
            default -> id(key.id(), name);
        };
    }

    @Override
    protected Function<String, ?> id(String id) {
        return name -> id(id, name);
    }

    /** An id that is none of the type is asked for as text, which no such id equals. */
    private static Object id(String id, String name) {
        return switch (name) {
            case "id" -> WholeText.of(id);
            case "object_id" -> ObjectId.isValid(id) ? new ObjectId(id) : WholeText.of(id);
            case "number_id" -> number(id);
            default -> throw unknown(name);
        };
    }

    private static Object number(String id) {
        try {
            return Long.parseLong(id);
        } catch (NumberFormatException none) {
            return WholeText.of(id);
        }
    }

    /** Each form is worked out only where a block asks for it. */
    @Override
    protected Function<String, ?> address(AddressRange range) {
        return name -> switch (name) {
            case "first" -> range.firstBytes();
            case "last" -> range.lastBytes();
            case "first_text" -> range.first().toString();
            case "last_text" -> range.last().toString();
            case "first_number" -> number(range, range.firstLow());
            case "last_number" -> number(range, range.lastLow());
            case "texts" -> texts(range);
            default -> throw unknown(name);
        };
    }

    /** No number of an IPv4 address is below zero. */
    private static long number(AddressRange range, long low) {
        return range.family() == Family.IP4 ? low : -1;
    }

    private static List<String> texts(AddressRange range) {
        long more = range.lastLow() - range.firstLow();
        if (range.firstHigh() != range.lastHigh() || more < 0 || more >= MOST_TEXTS) {
            String why = String.format(
                    Locale.ROOT,
                    "%s has too many addresses to be asked for one by one (at most %,d; ask for first_number and"
                            + " last_number, or first and last)",
                    range,
                    MOST_TEXTS);
            throw new SearchException(SearchException.Kind.OTHER, "", why);
        }
        List<String> texts = new ArrayList<>();
        for (long low = range.firstLow(); low - range.firstLow() <= more; low++) {
            AddressRange one =
                    range.family() == Family.IP4 ? AddressRange.ip4(low) : AddressRange.ip6(range.firstHigh(), low);
            texts.add(one.toString());
        }
        return texts;
    }

    @Override
    protected Object whole(String text) {
        return WholeText.of(text);
    }

    @Override
    protected Function<String, ?> text(String text) {
        return Map.of("pattern", Pattern.quote(EventText.searchable(text)))::get;
    }

    @Override
    protected Condition description(String text) {
        return new Leaf("description", Map.of("text", EventText.searchable(text))::get);
    }

    private static BsonDateTime date(long micros) {
        return new BsonDateTime(EventText.millisFrom(micros));
    }

    private static IllegalArgumentException unknown(String name) {
        return new IllegalArgumentException("no value " + name);
    }
}
