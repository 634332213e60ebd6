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
import siemload.database.layout.document.EventText;
import siemload.database.mongodb.layout.DocumentLayout;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.WholeText;
import siemload.query.Criterion;
import siemload.query.Criterion.AddressAndPortOnOneSide;
import siemload.query.Criterion.AddressFigured;
import siemload.query.Criterion.AnyOf;
import siemload.query.Criterion.CategoryIs;
import siemload.query.Criterion.DescriptionIs;
import siemload.query.Criterion.DetectorIs;
import siemload.query.Criterion.IdIs;
import siemload.query.Criterion.Missing;
import siemload.query.Criterion.PortBetween;
import siemload.query.Criterion.PortUsed;
import siemload.query.Criterion.TextContains;
import siemload.query.EventSide;
import siemload.query.Order;
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.query.Window;

/** The conditions of a search in MongoDB's query language, each from a file of the layout. */
final class SearchFilter {
    private final List<Document> conditions = new ArrayList<>();

    private final DocumentLayout layout;

    private SearchFilter(DocumentLayout layout) {
        this.layout = layout;
    }

    /** What finds all events of a search; pairs are asked for where an index could know them. */
    static SearchFilter of(Search search, DocumentVariant variant) {
        SearchFilter filter = new SearchFilter(variant.layout());
        if (!search.window().isAlways()) {
            filter.add("window", ConditionValues.of(search.window()));
        }
        List<Criterion> criteria = new ArrayList<>(search.criteria());
        if (variant.hasPairs()) {
            filter.takePair(criteria);
        }
        criteria.forEach(filter::add);
        return filter;
    }

    /** Only what comes after a key in this order. */
    void addBeyond(PageKey key, Order order) {
        String name = order == Order.OLDEST_FIRST ? "after-key" : "before-key";
        add(name, ConditionValues.of(key));
    }

    /** All conditions together. One alone stands for itself, so that the server sees a search by id for what it is. */
    Document document() {
        if (conditions.size() == 1) {
            return conditions.get(0);
        }
        return conditions.isEmpty() ? new Document() : new Document("$and", conditions);
    }

    private void add(String name, Map<String, ?> values) {
        add(name, values::get);
    }

    private void add(String name, Function<String, ?> values) {
        conditions.add(condition(name, values));
    }

    private Document condition(String name, Function<String, ?> values) {
        return layout.template("condition-" + name).document(values);
    }

    /** The first category and the first detector become one condition: an index can hold only one array, theirs is it. */
    private void takePair(List<Criterion> criteria) {
        Optional<CategoryIs> category = first(criteria, CategoryIs.class);
        Optional<DetectorIs> detector = first(criteria, DetectorIs.class);
        if (category.isPresent() && detector.isPresent()) {
            criteria.remove(category.orElseThrow());
            criteria.remove(detector.orElseThrow());
            String name = WholeText.of(category.orElseThrow().category());
            String node = WholeText.of(detector.orElseThrow().nodeName());
            add("category-detector", Map.of("category", name, "detector", node));
        }
    }

    private void add(Criterion criterion) {
        if (criterion instanceof AddressFigured figured) {
            add(figured);
        } else if (criterion instanceof CategoryIs is) {
            add("category", Map.of("category", WholeText.of(is.category())));
        } else if (criterion instanceof DetectorIs is) {
            add("detector", Map.of("detector", WholeText.of(is.nodeName())));
        } else if (criterion instanceof PortUsed used) {
            add(used);
        } else if (criterion instanceof PortBetween between) {
            String name = prefix(between.side()).orElse("") + "port-between";
            add(name, Map.of("first", between.first(), "last", between.last()));
        } else if (criterion instanceof Missing missing) {
            add(prefix(missing.side()).orElse("") + "no-" + missing.part().label(), Map.of());
        } else if (criterion instanceof AnyOf anyOf) {
            conditions.add(
                    new Document("$or", anyOf.groups().stream().map(this::group).toList()));
        } else if (criterion instanceof AddressAndPortOnOneSide both) {
            add(both);
        } else if (criterion instanceof TextContains contains) {
            add("text", Map.of("pattern", Pattern.quote(EventText.searchable(contains.text()))));
        } else if (criterion instanceof DescriptionIs is) {
            add("description", Map.of("text", EventText.searchable(is.text())));
        } else if (criterion instanceof IdIs is) {
            add("id", ConditionValues.ofId(is.id()));
        } else {
            throw new AssertionError("a kind of criterion without a filter: " + criterion);
        }
    }

    private Document group(List<Criterion> criteria) {
        SearchFilter filter = new SearchFilter(layout);
        criteria.forEach(filter::add);
        return filter.document();
    }

    /** The address on any side is asked for as well: that has an index, as far as the indexes are known. */
    private void add(AddressFigured figured) {
        if (figured.side() == EventSide.EITHER || !layout.isForSearchesAlone()) {
            add(figured.anyOf());
        }
        prefix(figured.side())
                .ifPresent(side -> conditions.add(new Document(
                        "$or",
                        figured.anyOf().stream()
                                .map(range -> condition(side + family(range), ConditionValues.of(range)))
                                .toList())));
    }

    /** As with addresses. */
    private void add(PortUsed used) {
        Map<String, Integer> port = Map.of("port", used.port());
        if (used.side() == EventSide.EITHER || !layout.isForSearchesAlone()) {
            add("port", port);
        }
        prefix(used.side()).ifPresent(side -> add(side + "port", port));
    }

    /** How the files of one side begin; empty for either. */
    private static Optional<String> prefix(EventSide side) {
        return switch (side) {
            case SOURCE -> Optional.of("source-");
            case TARGET -> Optional.of("target-");
            case EITHER -> Optional.empty();
        };
    }

    private static String family(AddressRange range) {
        return range.family() == Family.IP4 ? "ip4" : "ip6";
    }

    private void add(List<AddressRange> anyOf) {
        List<Document> ways = new ArrayList<>();
        for (AddressRange range : anyOf) {
            Document condition = condition("address", ConditionValues.of(range));
            // An index is looked for in each way of one alternative: there is none within another.
            if (condition.size() == 1 && condition.get("$or") instanceof List<?> alternatives) {
                alternatives.forEach(way -> ways.add((Document) way));
            } else {
                ways.add(condition);
            }
        }
        conditions.add(new Document("$or", ways));
    }

    /** As with addresses. */
    private void add(AddressAndPortOnOneSide both) {
        if (!layout.isForSearchesAlone()) {
            add(List.of(both.address()));
        }
        add("one-side-" + family(both.address()), ConditionValues.of(both.address(), both.port()));
    }

    private static <T extends Criterion> Optional<T> first(List<Criterion> criteria, Class<T> kind) {
        return criteria.stream().filter(kind::isInstance).map(kind::cast).findFirst();
    }

    /** The values of conditions by their names, each worked out only where a file asks for it. Stateless. */
    private static final class ConditionValues {
        private static final long MOST_TEXTS = 65_536;

        private ConditionValues() {}

        static Function<String, Object> of(Window window) {
            return name -> switch (name) {
                case "from" -> EventText.micros(window.from());
                case "until" -> EventText.micros(window.until());
                case "from_time" -> date(EventText.micros(window.from()));
                case "until_time" -> date(EventText.micros(window.until()));
                default -> throw unknown(name);
            };
        }

        static Function<String, Object> of(PageKey key) {
            return name -> switch (name) {
                case "micros" -> EventText.micros(key.detectTime());
                case "time" -> date(EventText.micros(key.detectTime()));
                default -> id(key.id(), name);
            };
        }

        static Function<String, Object> ofId(String id) {
            return name -> id(id, name);
        }

        static Function<String, Object> of(AddressRange range) {
            return name -> address(range, name);
        }

        static Function<String, Object> of(AddressRange range, int port) {
            return name -> name.equals("port") ? port : address(range, name);
        }

        private static Object address(AddressRange range, String name) {
            return switch (name) {
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
                texts.add((range.family() == Family.IP4
                                ? AddressRange.ip4(low)
                                : AddressRange.ip6(range.firstHigh(), low))
                        .toString());
            }
            return texts;
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

        private static BsonDateTime date(long micros) {
            return new BsonDateTime(EventText.millisFrom(micros));
        }

        private static IllegalArgumentException unknown(String name) {
            return new IllegalArgumentException("no value " + name);
        }
    }
}
