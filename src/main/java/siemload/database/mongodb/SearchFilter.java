package siemload.database.mongodb;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.bson.Document;
import siemload.database.IndexSet;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.WholeText;
import siemload.query.Criterion;
import siemload.query.Criterion.AddressAndPortOnOneSide;
import siemload.query.Criterion.AddressFigured;
import siemload.query.Criterion.CategoryIs;
import siemload.query.Criterion.DetectorIs;
import siemload.query.Criterion.IdIs;
import siemload.query.Criterion.PortUsed;
import siemload.query.Criterion.TextContains;
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.query.Window;

/** The conditions of a search in MongoDB's query language, each from a file of the layout. */
final class SearchFilter {
    private static final JsonTemplate WINDOW = condition("window");
    private static final JsonTemplate AFTER_KEY = condition("after-key");
    private static final JsonTemplate BEFORE_KEY = condition("before-key");
    private static final JsonTemplate ADDRESS = condition("address");
    private static final JsonTemplate ONE_SIDE_IP4 = condition("one-side-ip4");
    private static final JsonTemplate ONE_SIDE_IP6 = condition("one-side-ip6");
    private static final JsonTemplate CATEGORY = condition("category");
    private static final JsonTemplate DETECTOR = condition("detector");
    private static final JsonTemplate CATEGORY_DETECTOR = condition("category-detector");
    private static final JsonTemplate PORT = condition("port");
    private static final JsonTemplate TEXT = condition("text");
    private static final JsonTemplate ID = condition("id");

    private final List<Document> conditions = new ArrayList<>();

    private SearchFilter() {}

    /** What finds all events of a search; pairs are asked for where an index could know them. */
    static SearchFilter of(Search search, IndexSet indexes) {
        SearchFilter filter = new SearchFilter();
        if (!search.window().isAlways()) {
            filter.add(search.window());
        }
        List<Criterion> criteria = new ArrayList<>(search.criteria());
        if (IndexChoice.hasPairs(indexes)) {
            filter.takePair(criteria);
        }
        criteria.forEach(filter::add);
        return filter;
    }

    void addAfter(PageKey key) {
        conditions.add(AFTER_KEY.document(place(key)));
    }

    void addBefore(PageKey key) {
        conditions.add(BEFORE_KEY.document(place(key)));
    }

    /** All conditions together. One alone stands for itself, so that the server sees a search by id for what it is. */
    Document document() {
        if (conditions.size() == 1) {
            return conditions.get(0);
        }
        return conditions.isEmpty() ? new Document() : new Document("$and", conditions);
    }

    private void add(Window window) {
        long from = EventText.micros(window.from());
        conditions.add(WINDOW.document(Map.of("from", from, "until", EventText.micros(window.until()))));
    }

    /** The first category and the first detector become one condition: an index can hold only one array, theirs is it. */
    private void takePair(List<Criterion> criteria) {
        Optional<CategoryIs> category = first(criteria, CategoryIs.class);
        Optional<DetectorIs> detector = first(criteria, DetectorIs.class);
        if (category.isPresent() && detector.isPresent()) {
            criteria.remove(category.orElseThrow());
            criteria.remove(detector.orElseThrow());
            conditions.add(CATEGORY_DETECTOR.document(Map.of(
                    "category", WholeText.of(category.orElseThrow().category()),
                    "detector", WholeText.of(detector.orElseThrow().nodeName()))));
        }
    }

    private void add(Criterion criterion) {
        if (criterion instanceof AddressFigured figured) {
            add(figured.anyOf());
        } else if (criterion instanceof CategoryIs is) {
            conditions.add(CATEGORY.document(Map.of("category", WholeText.of(is.category()))));
        } else if (criterion instanceof DetectorIs is) {
            conditions.add(DETECTOR.document(Map.of("detector", WholeText.of(is.nodeName()))));
        } else if (criterion instanceof PortUsed used) {
            conditions.add(PORT.document(Map.of("port", used.port())));
        } else if (criterion instanceof AddressAndPortOnOneSide both) {
            add(both);
        } else if (criterion instanceof TextContains contains) {
            String pattern = Pattern.quote(EventText.searchable(contains.text()));
            conditions.add(TEXT.document(Map.of("pattern", pattern)));
        } else if (criterion instanceof IdIs is) {
            conditions.add(ID.document(Map.of("id", WholeText.of(is.id()))));
        } else {
            throw new AssertionError("a kind of criterion without a filter: " + criterion);
        }
    }

    private void add(List<AddressRange> anyOf) {
        List<Document> ways = new ArrayList<>();
        for (AddressRange range : anyOf) {
            ways.addAll(ADDRESS.document(ends(range)).getList("$or", Document.class));
        }
        conditions.add(new Document("$or", ways));
    }

    /** The address on any side is asked for as well: that has an index. */
    private void add(AddressAndPortOnOneSide both) {
        add(List.of(both.address()));
        Document ends = new Document("port", both.port());
        ends.putAll(ends(both.address()));
        JsonTemplate side = both.address().family() == Family.IP4 ? ONE_SIDE_IP4 : ONE_SIDE_IP6;
        conditions.add(side.document(ends));
    }

    private static Map<String, byte[]> ends(AddressRange range) {
        return Map.of("first", range.firstBytes(), "last", range.lastBytes());
    }

    private static Map<String, Object> place(PageKey key) {
        return Map.of("micros", EventText.micros(key.detectTime()), "id", WholeText.of(key.id()));
    }

    private static <T extends Criterion> Optional<T> first(List<Criterion> criteria, Class<T> kind) {
        return criteria.stream().filter(kind::isInstance).map(kind::cast).findFirst();
    }

    private static JsonTemplate condition(String name) {
        return JsonTemplate.read("idea/condition-" + name + ".json");
    }
}
