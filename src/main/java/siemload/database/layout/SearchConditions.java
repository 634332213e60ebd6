package siemload.database.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import siemload.database.server.Portions;
import siemload.event.AddressRange;
import siemload.query.Criterion;
import siemload.query.CriterionKey;
import siemload.query.EventSide;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.query.Window;

/**
 * Translates searches into conditions, an order and a range of rows, for any database. Each condition is a block of a layout; a criterion
 * that either side may meet has its own block, or combines the blocks of both sides. Immutable and thread-safe.
 *
 * @param <T> a condition of the database
 */
public abstract class SearchConditions<T> {
    public static final String PREFIX = "condition-";

    private final Predicate<String> has;

    /** @param has whether a layout has a block of this name */
    protected SearchConditions(Predicate<String> has) {
        this.has = has;
    }

    /**
     * The condition of a block with its values.
     *
     * @param name without {@link #PREFIX}
     * @param values the values by their names in the block: times, texts, numbers, ranges of addresses and lists of these
     */
    protected abstract T leaf(String name, Map<String, ?> values);

    protected abstract T all(List<T> conditions);

    protected abstract T any(List<T> conditions);

    protected enum Subject {
        TIME,
        ADDRESS,
        OTHER
    }

    /** Adapts a condition of a search to the database. */
    protected T about(Subject subject, T condition, Search search) {
        return condition;
    }

    /**
     * The rows to request from the server for one search.
     *
     * @param met the conditions that they meet
     * @param order of the rows on the server
     * @param size how many rows at most; 0 for all
     * @param offset how many rows the server skips first
     */
    public record Slice<T>(Way way, List<T> met, Order order, int size, long offset) {}

    public enum Way {
        /** One row at most, in any order. */
        SINGLE,
        PAGE,
        /** The last rows: the server finds them in reverse order, without reading all rows before, and then reverses them. */
        LAST_PAGE,
        WHOLE
    }

    protected final Slice<T> page(Search search) {
        List<T> met = of(search);
        Order order = search.order();
        if (isSingle(search)) {
            return new Slice<>(Way.SINGLE, met, order, 1, 0);
        } else if (search.page() instanceof Page.Numbered page) {
            return new Slice<>(Way.PAGE, met, order, page.size(), page.offset());
        } else if (search.page() instanceof Page.After page) {
            String block = order == Order.OLDEST_FIRST ? "after-key" : "before-key";
            met.add(about(Subject.TIME, leaf(block, key(page.key())), search));
            return new Slice<>(Way.PAGE, met, order, page.size(), 0);
        } else if (search.page() instanceof Page.Last page) {
            return new Slice<>(Way.LAST_PAGE, met, order, page.size(), 0);
        }
        return new Slice<>(Way.WHOLE, met, order, 0, 0);
    }

    /** Returns whether the database treats a search as one that finds at most one row. */
    protected boolean isSingle(Search search) {
        return Portions.isSingle(search);
    }

    /** The conditions for the window and the criteria of a search; the list belongs to the caller. */
    protected List<T> of(Search search) {
        List<T> conditions = new ArrayList<>();
        if (!search.window().isAlways()) {
            conditions.add(about(Subject.TIME, leaf(window(search), values(search.window())), search));
        }
        for (Criterion criterion : search.criteria()) {
            add(criterion, search, conditions);
        }
        return conditions;
    }

    /** The name of the block for the window of a search. */
    protected String window(Search search) {
        return "window";
    }

    protected void add(Criterion criterion, Search search, List<T> conditions) {
        if (isAsked(criterion)) {
            conditions.add(of(criterion, search));
        }
    }

    /** Returns whether a criterion can exclude events: a search for an empty text cannot, since every description contains it. */
    private static boolean isAsked(Criterion criterion) {
        return !(criterion instanceof Criterion.ValueIs is
                && is.key() == CriterionKey.TEXT
                && EventField.EventText.searchable(is.value()).isEmpty());
    }

    private T of(Criterion criterion, Search search) {
        if (criterion instanceof Criterion.AnyOf anyOf) {
            return any(anyOf.groups().stream()
                    .map(group -> all(group.stream()
                            .filter(SearchConditions::isAsked)
                            .map(one -> of(one, search))
                            .toList()))
                    .toList());
        } else if (criterion instanceof Criterion.AddressMatches figured) {
            return about(Subject.ADDRESS, addresses(figured.anyOf(), figured.side()), search);
        } else if (criterion instanceof Criterion.AddressAndPortOnOneSide both) {
            return about(Subject.ADDRESS, oneSide(both), search);
        }
        return about(Subject.OTHER, other(criterion), search);
    }

    private T other(Criterion criterion) {
        if (criterion instanceof Criterion.PortUsed used) {
            return used.isSingle()
                    ? port(used.first(), used.side())
                    : onSide("port-between", used.side(), Map.of("first", used.first(), "last", used.last()));
        } else if (criterion instanceof Criterion.Missing missing) {
            return onSide("no-" + missing.part().label(), missing.side(), Map.of());
        } else if (criterion instanceof Criterion.ValueIs is) {
            String name = is.key().label();
            boolean isOfDescription = is.key() == CriterionKey.TEXT || is.key() == CriterionKey.DESCRIPTION;
            String text = isOfDescription ? EventField.EventText.searchable(is.value()) : is.value();
            return leaf(
                    is.key() == CriterionKey.DESCRIPTION ? description(text) : name,
                    Map.of(isOfDescription ? "text" : name, text));
        }
        throw new AssertionError("a criterion that no event can meet: " + criterion);
    }

    /** Some databases treat an empty description as NULL, and a long description as a large object that cannot be compared. */
    private String description(String text) {
        String special = text.isEmpty() ? "no-description" : "long-description";
        return (text.isEmpty() || EventField.EventText.isLong(text)) && has(special) ? special : "description";
    }

    /** The condition for any of these addresses on this side; addresses of a family share a block for lists, if there is one. */
    protected T addresses(List<AddressRange> anyOf, EventSide side) {
        if (anyOf.size() == 1) {
            return address(anyOf.get(0), side);
        }
        List<T> any = new ArrayList<>();
        for (AddressRange.Family family : AddressRange.Family.values()) {
            List<AddressRange> some =
                    anyOf.stream().filter(range -> range.family() == family).toList();
            String list = family(family) + "-list";
            if (!some.isEmpty() && (has(prefix(side) + list) || (side == EventSide.EITHER && isOfBoth(list)))) {
                any.add(onSide(list, side, Map.of("address", some)));
            } else {
                some.forEach(range -> any.add(address(range, side)));
            }
        }
        return any.size() == 1 ? any.get(0) : any(any);
    }

    /** The condition for this address on this side, from a block for its family or for both families. */
    private T address(AddressRange range, EventSide side) {
        String family = family(range.family());
        boolean isOfAny = !has(prefix(side) + family) && (has(prefix(side) + "address") || has("source-address"));
        Map<String, ?> values = Map.of("address", range, "first", range.first(), "last", range.last());
        return onSide(isOfAny ? "address" : family, side, values);
    }

    private static String family(AddressRange.Family family) {
        return family == AddressRange.Family.IP4 ? "ip4" : "ip6";
    }

    protected T oneSide(Criterion.AddressAndPortOnOneSide both) {
        return any(Stream.of(EventSide.SOURCE, EventSide.TARGET)
                .map(side -> all(List.of(address(both.address(), side), port(both.port(), side))))
                .toList());
    }

    protected T port(int port, EventSide side) {
        return onSide("port", side, Map.of("port", port));
    }

    /** The condition on one side, or on either: its own block or those of both sides. A missing field is missing on both sides. */
    private T onSide(String name, EventSide side, Map<String, ?> values) {
        if (side != EventSide.EITHER || !isOfBoth(name)) {
            return leaf(prefix(side) + name, values);
        }
        List<T> both = List.of(leaf("source-" + name, values), leaf("target-" + name, values));
        return name.startsWith("no-") ? all(both) : any(both);
    }

    private boolean isOfBoth(String name) {
        return !has(name) && has("source-" + name) && has("target-" + name);
    }

    protected final boolean has(String name) {
        return has.test(PREFIX + name);
    }

    protected static String prefix(EventSide side) {
        return switch (side) {
            case SOURCE -> "source-";
            case TARGET -> "target-";
            case EITHER -> "";
        };
    }

    protected static Map<String, ?> values(Window window) {
        return Map.of("from", window.from(), "until", window.until());
    }

    protected static Map<String, ?> key(PageKey key) {
        return Map.of("time", key.detectTime(), "id", key.id());
    }
}
