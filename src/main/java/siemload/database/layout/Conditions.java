package siemload.database.layout;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import siemload.database.layout.Condition.About;
import siemload.database.layout.Condition.All;
import siemload.database.layout.Condition.Any;
import siemload.database.layout.Condition.Leaf;
import siemload.database.layout.Condition.Subject;
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
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.query.Window;

/**
 * Turns windows and criteria into conditions. A subclass says how a database has the values. What is asked of either side has a block of
 * its own, or is put together of those of both sides. Immutable and thread-safe.
 */
public abstract class Conditions {
    /** How the names of their blocks begin. */
    public static final String PREFIX = "condition-";

    /** What may be asked of one side, or of either. */
    private static final List<String> SIDED =
            List.of("address", "ip4", "ip6", "ip4-list", "ip6-list", "port", "port-between", "no-address", "no-port");

    private static final List<String> ONE_SIDE = List.of("one-side", "one-side-ip4", "one-side-ip6");

    private final Predicate<String> has;

    /** @param has whether a layout has a block of this name */
    protected Conditions(Predicate<String> has) {
        this.has = has;
    }

    /** The names of all blocks of which a layout may have some in the place of others. */
    static Set<String> optional() {
        Set<String> names = new HashSet<>();
        ONE_SIDE.forEach(name -> names.add(PREFIX + name));
        for (String name : SIDED) {
            names.addAll(List.of(PREFIX + name, PREFIX + "source-" + name, PREFIX + "target-" + name));
        }
        return names;
    }

    /** The names of blocks in whose place one of this name may stand, and whose values it may have. */
    public static Stream<String> like(String block) {
        if (!block.startsWith(PREFIX)) {
            return Stream.of(block);
        }
        String name = block.substring(PREFIX.length()).replaceFirst("^(?:source|target)-", "");
        Stream<String> parts = ONE_SIDE.contains(name)
                ? Stream.of("source-ip4", "source-ip6", "source-address", "source-port")
                : SIDED.subList(0, 3).contains(name)
                        ? Stream.of("address", "source-address", "source-" + name)
                        : Stream.of("source-" + name);
        return Stream.concat(Stream.of(block), parts.map(part -> PREFIX + part));
    }

    /** The window and the criteria of a search. */
    public final List<Condition> of(Search search) {
        List<Condition> conditions = new ArrayList<>();
        if (!search.window().isAlways()) {
            conditions.add(new About(Subject.TIME, new Leaf("window", window(search.window()))));
        }
        addAll(search.criteria(), search.window(), conditions);
        return conditions;
    }

    /** The rows beyond a key in this order. */
    public final Condition beyond(PageKey key, Order order) {
        String name = order == Order.OLDEST_FIRST ? "after-key" : "before-key";
        return new About(Subject.TIME, new Leaf(name, key(key)));
    }

    /** Those of criteria of which each must be met. */
    protected void addAll(List<Criterion> criteria, Window window, List<Condition> conditions) {
        for (Criterion criterion : criteria) {
            if (isAsked(criterion)) {
                conditions.add(of(criterion));
            }
        }
    }

    /** Whether a criterion is not met by every event. */
    protected boolean isAsked(Criterion criterion) {
        return true;
    }

    /** That of one criterion. */
    protected final Condition of(Criterion criterion) {
        if (criterion instanceof AnyOf anyOf) {
            return new Any(anyOf.groups().stream().map(this::group).toList());
        } else if (criterion instanceof AddressFigured figured) {
            return new About(Subject.ADDRESS, addresses(figured.anyOf(), figured.side()));
        } else if (criterion instanceof AddressAndPortOnOneSide both) {
            return new About(Subject.ADDRESS, oneSide(both.address(), both.port()));
        }
        return new About(Subject.OTHER, other(criterion));
    }

    private Condition other(Criterion criterion) {
        if (criterion instanceof CategoryIs is) {
            return new Leaf("category", category(is.category()));
        } else if (criterion instanceof DetectorIs is) {
            return new Leaf("detector", detector(is.nodeName()));
        } else if (criterion instanceof PortUsed used) {
            return port(used.port(), used.side());
        } else if (criterion instanceof PortBetween between) {
            Map<String, ?> ends = Map.of("first", number(between.first()), "last", number(between.last()));
            return onSide("port-between", between.side(), ends::get);
        } else if (criterion instanceof Missing missing) {
            return missing("no-" + missing.part().label(), missing.side());
        } else if (criterion instanceof TextContains contains) {
            return new Leaf("text", text(contains.text()));
        } else if (criterion instanceof DescriptionIs is) {
            return description(is.text());
        } else if (criterion instanceof IdIs is) {
            return new Leaf("id", id(is.id()));
        }
        throw new AssertionError("a criterion that no event can meet: " + criterion);
    }

    private Condition group(List<Criterion> criteria) {
        List<Condition> group = new ArrayList<>();
        for (Criterion criterion : criteria) {
            if (isAsked(criterion)) {
                group.add(of(criterion));
            }
        }
        return new All(group);
    }

    /** One of these addresses on this side. */
    protected Condition addresses(List<AddressRange> anyOf, EventSide side) {
        return Condition.any(anyOf.stream().map(range -> address(range, side)).toList());
    }

    /** This address on this side, by a block for its family or for both. */
    protected final Condition address(AddressRange range, EventSide side) {
        String family = family(range);
        boolean isOfAny = has(prefix(side) + "address") || (!has(prefix(side) + family) && has("source-address"));
        return onSide(isOfAny && !has(prefix(side) + family) ? "address" : family, side, address(range));
    }

    /** The name of its family in names of blocks. */
    protected static String family(AddressRange range) {
        return range.family() == AddressRange.Family.IP4 ? "ip4" : "ip6";
    }

    /** This address and this port on the same side. */
    protected Condition oneSide(AddressRange range, int port) {
        for (String name : List.of("one-side-" + family(range), "one-side")) {
            if (has(name)) {
                Function<String, ?> ofAddress = address(range);
                Function<String, ?> ofPort = port(port);
                return new Leaf(name, value -> value.startsWith("port") ? ofPort.apply(value) : ofAddress.apply(value));
            }
        }
        return new Any(Stream.of(EventSide.SOURCE, EventSide.TARGET)
                .<Condition>map(side -> new All(List.of(address(range, side), port(port, side))))
                .toList());
    }

    /** This port on this side. */
    protected Condition port(int port, EventSide side) {
        return onSide("port", side, port(port));
    }

    /** What the block of a side says, or that of either, or one of those of both. */
    protected final Condition onSide(String name, EventSide side, Function<String, ?> values) {
        return side == EventSide.EITHER && isOfBoth(name)
                ? new Any(List.of(new Leaf("source-" + name, values), new Leaf("target-" + name, values)))
                : new Leaf(prefix(side) + name, values);
    }

    private Condition missing(String name, EventSide side) {
        Function<String, ?> none = Map.of()::get;
        return side == EventSide.EITHER && isOfBoth(name)
                ? new All(List.of(new Leaf("source-" + name, none), new Leaf("target-" + name, none)))
                : new Leaf(prefix(side) + name, none);
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

    /** The whole description. */
    protected Condition description(String text) {
        return new Leaf("description", text(text));
    }

    /** {@code from} and {@code until}. */
    protected abstract Function<String, ?> window(Window window);

    /** The time and the id of a row. */
    protected abstract Function<String, ?> key(PageKey key);

    /** The id of an event. */
    protected abstract Function<String, ?> id(String id);

    /** An address, a network or a range. */
    protected abstract Function<String, ?> address(AddressRange range);

    /** {@code category}. */
    protected Function<String, ?> category(String category) {
        return Map.of("category", whole(category))::get;
    }

    /** {@code detector}. */
    protected Function<String, ?> detector(String name) {
        return Map.of("detector", whole(name))::get;
    }

    /** A text as a whole. */
    protected abstract Object whole(String text);

    /** A part of the description. */
    protected abstract Function<String, ?> text(String text);

    /** A number. */
    protected Object number(int number) {
        return number;
    }

    /** {@code port}. */
    protected Function<String, ?> port(int port) {
        return Map.of("port", number(port))::get;
    }
}
