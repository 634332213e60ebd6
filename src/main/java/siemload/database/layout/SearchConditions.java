package siemload.database.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import siemload.database.layout.Condition.About;
import siemload.database.layout.Condition.All;
import siemload.database.layout.Condition.Any;
import siemload.database.layout.Condition.Leaf;
import siemload.database.layout.Condition.Subject;
import siemload.database.server.Portions;
import siemload.event.AddressRange;
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
import siemload.query.Page;
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.query.Window;

/**
 * Turns searches into conditions, an order and a part of the rows, whatever the database. What is asked of either side has a block of its
 * own, or is put together of those of both sides. A subclass writes them in its notation. Immutable and thread-safe.
 */
public abstract class SearchConditions {
    /** How the names of their blocks begin. */
    public static final String PREFIX = "condition-";

    private final Predicate<String> has;

    /** @param has whether a layout has a block of this name */
    protected SearchConditions(Predicate<String> has) {
        this.has = has;
    }

    /**
     * Which rows the server is asked for.
     *
     * @param met their conditions
     * @param order in which it is to have them
     * @param size how many at most; 0 for all
     * @param offset how many it passes over
     */
    public record Slice(Way way, List<Condition> met, Order order, int size, long offset) {}

    /** How rows come. */
    public enum Way {
        /** One at most, in no order. */
        SINGLE,
        PAGE,
        /** From the last to the first. */
        PAGE_BACKWARDS,
        /** The last ones, turned round by the server. */
        LAST_PAGE,
        WHOLE
    }

    /** The rows of the search's page. */
    protected final Slice page(Search search) {
        List<Condition> met = of(search);
        Order order = search.order();
        if (isSingle(search)) {
            return new Slice(Way.SINGLE, met, order, 1, 0);
        } else if (search.page() instanceof Page.Numbered page) {
            return new Slice(Way.PAGE, met, order, page.size(), page.offset());
        } else if (search.page() instanceof Page.After page) {
            String block = order == Order.OLDEST_FIRST ? "after-key" : "before-key";
            met.add(new About(Subject.TIME, new Leaf(block, page.key())));
            return new Slice(Way.PAGE, met, order, page.size(), 0);
        } else if (search.page() instanceof Page.Last page) {
            return isTurnedHere(page.size())
                    ? new Slice(Way.PAGE_BACKWARDS, met, order.reversed(), page.size(), 0)
                    : new Slice(Way.LAST_PAGE, met, order, page.size(), 0);
        }
        return new Slice(Way.WHOLE, met, order, 0, 0);
    }

    /** Whether a search is asked for as one that finds one row at most. */
    protected boolean isSingle(Search search) {
        return Portions.isSingle(search);
    }

    /** Whether a last page of this size is read as the first one of the other order, which ends early: as long as memory has all of it. */
    protected boolean isTurnedHere(int size) {
        return !Portions.make(size);
    }

    /** The window and the criteria of a search; the list is the caller's. */
    protected List<Condition> of(Search search) {
        List<Condition> conditions = new ArrayList<>();
        if (!search.window().isAlways()) {
            conditions.add(new About(Subject.TIME, new Leaf("window", search.window())));
        }
        for (Criterion criterion : search.criteria()) {
            add(criterion, search, conditions);
        }
        return conditions;
    }

    /** Adds that of one of a search's criteria. */
    protected void add(Criterion criterion, Search search, List<Condition> conditions) {
        if (isAsked(criterion)) {
            conditions.add(of(criterion));
        }
    }

    /** Whether a criterion is not met by every event. */
    protected boolean isAsked(Criterion criterion) {
        return true;
    }

    private Condition of(Criterion criterion) {
        if (criterion instanceof AnyOf anyOf) {
            return new Any(anyOf.groups().stream().map(this::group).toList());
        } else if (criterion instanceof AddressFigured figured) {
            return new About(Subject.ADDRESS, addresses(figured.anyOf(), figured.side()));
        } else if (criterion instanceof AddressAndPortOnOneSide both) {
            return new About(Subject.ADDRESS, oneSide(both));
        }
        return new About(Subject.OTHER, other(criterion));
    }

    private Condition group(List<Criterion> criteria) {
        return new All(criteria.stream().filter(this::isAsked).map(this::of).toList());
    }

    private Condition other(Criterion criterion) {
        if (criterion instanceof CategoryIs is) {
            return new Leaf("category", is.category());
        } else if (criterion instanceof DetectorIs is) {
            return new Leaf("detector", is.nodeName());
        } else if (criterion instanceof PortUsed used) {
            return port(used.port(), used.side());
        } else if (criterion instanceof PortBetween between) {
            return onSide("port-between", between.side(), between);
        } else if (criterion instanceof Missing missing) {
            String name = "no-" + missing.part().label();
            return missing.side() == EventSide.EITHER && isOfBoth(name)
                    ? new All(List.of(new Leaf("source-" + name, missing), new Leaf("target-" + name, missing)))
                    : new Leaf(prefix(missing.side()) + name, missing);
        } else if (criterion instanceof TextContains contains) {
            return new Leaf("text", contains);
        } else if (criterion instanceof DescriptionIs is) {
            return description(is);
        } else if (criterion instanceof IdIs is) {
            return new Leaf("id", is.id());
        }
        throw new AssertionError("a criterion that no event can meet: " + criterion);
    }

    /** The whole description. */
    protected Condition description(DescriptionIs is) {
        return new Leaf("description", is);
    }

    /** One of these addresses on this side. */
    protected Condition addresses(List<AddressRange> anyOf, EventSide side) {
        return Condition.any(anyOf.stream().map(range -> address(range, side)).toList());
    }

    /** This address on this side, by a block for its family or for both. */
    protected final Condition address(AddressRange range, EventSide side) {
        String family = family(range.family());
        boolean isOfAny = !has(prefix(side) + family) && (has(prefix(side) + "address") || has("source-address"));
        return onSide(isOfAny ? "address" : family, side, range);
    }

    /** The name of a family in names of blocks. */
    protected static String family(AddressRange.Family family) {
        return family == AddressRange.Family.IP4 ? "ip4" : "ip6";
    }

    /** An address and a port on the same side. */
    protected Condition oneSide(AddressAndPortOnOneSide both) {
        for (String name : List.of("one-side-" + family(both.address().family()), "one-side")) {
            if (has(name)) {
                return new Leaf(name, both);
            }
        }
        return new Any(Stream.of(EventSide.SOURCE, EventSide.TARGET)
                .<Condition>map(side -> new All(List.of(address(both.address(), side), port(both.port(), side))))
                .toList());
    }

    /** This port on this side. */
    protected Condition port(int port, EventSide side) {
        return onSide("port", side, port);
    }

    /** What the block of a side says, or that of either, or one of those of both. */
    protected final Condition onSide(String name, EventSide side, Object of) {
        return side == EventSide.EITHER && isOfBoth(name)
                ? new Any(List.of(new Leaf("source-" + name, of), new Leaf("target-" + name, of)))
                : new Leaf(prefix(side) + name, of);
    }

    private boolean isOfBoth(String name) {
        return !has(name) && has("source-" + name) && has("target-" + name);
    }

    /** Whether the layout has the block of a condition. */
    protected final boolean has(String name) {
        return has.test(PREFIX + name);
    }

    /** How the names of conditions on a side begin. */
    protected static String prefix(EventSide side) {
        return switch (side) {
            case SOURCE -> "source-";
            case TARGET -> "target-";
            case EITHER -> "";
        };
    }

    /** The address that a leaf is about. */
    protected static AddressRange range(Object of) {
        return of instanceof AddressAndPortOnOneSide both ? both.address() : (AddressRange) of;
    }

    /** What a name stands for in the block of a leaf about this, whatever the database: a time, an address, a number or a text. */
    protected static Object part(String name, Object of) {
        if (of instanceof Window window) {
            return name.startsWith("from") ? window.from() : window.until();
        } else if (of instanceof PageKey key) {
            return name.endsWith("id") ? key.id() : key.detectTime();
        } else if (of instanceof EventFields.Pair pair) {
            return name.equals("category") ? pair.category() : pair.detector();
        } else if (of instanceof PortBetween ports) {
            return name.equals("first") ? ports.first() : ports.last();
        } else if (of instanceof TextContains contains) {
            return contains.text();
        } else if (of instanceof DescriptionIs is) {
            return is.text();
        } else if (of instanceof AddressAndPortOnOneSide both && name.startsWith("port")) {
            return both.port();
        } else if (of instanceof AddressRange || of instanceof AddressAndPortOnOneSide) {
            return name.equals("first") ? range(of).first() : range(of).last();
        }
        return of;
    }

    /** The first one of a search's criteria of this kind, if it has one. */
    protected static <T extends Criterion> Optional<T> first(Search search, Class<T> kind) {
        return search.criteria().stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .findFirst();
    }
}
