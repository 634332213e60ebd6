package siemload.query;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.config.YamlRecords.Key;
import siemload.event.AddressRange;
import siemload.event.Endpoint;
import siemload.event.SecurityEvent;

/**
 * One condition of a search; a search finds the events that meet all of its criteria. The definition of a search may have {@link Drawn}
 * criteria, which each search replaces by criteria with values. Immutable.
 */
public sealed interface Criterion {

    /** The criterion in words: {@code port 22 of a source}. */
    default String words() {
        if (this instanceof AddressMatches one) {
            return "address " + one.anyOf.stream().map(AddressRange::toString).collect(Collectors.joining(" or "))
                    + of(one.side);
        } else if (this instanceof ValueIs one) {
            boolean isPart = one.key == CriterionKey.TEXT;
            return isPart || one.key == CriterionKey.DESCRIPTION
                    ? "description " + (isPart ? "with '" : "'") + one.value + "'"
                    : one.key.label() + " " + one.value;
        } else if (this instanceof PortUsed one) {
            return "port " + one.first + (one.isSingle() ? "" : " to " + one.last) + of(one.side);
        } else if (this instanceof Missing one) {
            return "no " + one.part.label() + of(one.side);
        } else if (this instanceof AnyOf one) {
            return one.groups.stream()
                    .map(group -> group.stream().map(Criterion::words).collect(Collectors.joining(" and ")))
                    .collect(Collectors.joining(") or (", "(", ")"));
        } else if (this instanceof AddressAndPortOnOneSide one) {
            return "address " + one.address + " with port " + one.port;
        } else if (this instanceof ParameterIs one) {
            return ":" + one.parameter + " = '" + one.value + "'";
        }
        return this instanceof Drawn one ? "drawn " + one.key.label() + of(one.side) : "";
    }

    /** Returns whether an event meets this criterion, as a reference for databases. Throws for {@link ParameterIs} and {@link Drawn}. */
    default boolean meets(SecurityEvent event) {
        if (this instanceof AddressMatches one) {
            return one.anyOf.stream().anyMatch(range -> one.side.of(event).anyMatch(end -> has(end, range)));
        } else if (this instanceof ValueIs one) {
            return switch (one.key) {
                case CATEGORY -> event.categories().contains(one.value);
                case DETECTOR ->
                    event.nodes().stream().anyMatch(node -> node.name().equals(one.value));
                case ID -> event.id().equals(one.value);
                case DESCRIPTION -> withoutNul(event.description()).equals(withoutNul(one.value));
                case TEXT -> withoutNul(event.description()).contains(withoutNul(one.value));
                case ADDRESS, ADDRESSES, RANGE, PORT, SERVICE ->
                    throw new IllegalStateException(one.key.label() + " is not a text of an event");
            };
        } else if (this instanceof PortUsed one) {
            return one.side
                    .of(event)
                    .flatMap(end -> end.ports().stream())
                    .anyMatch(port -> port >= one.first && port <= one.last);
        } else if (this instanceof Missing one) {
            return switch (one.part) {
                case ADDRESS ->
                    one.side.of(event).allMatch(end -> end.addresses().isEmpty());
                case PORT -> one.side.of(event).allMatch(end -> end.ports().isEmpty());
                case CATEGORY -> event.categories().isEmpty();
                case DESCRIPTION -> withoutNul(event.description()).isEmpty();
                case ADDRESSES, RANGE, DETECTOR, SERVICE, ID, TEXT -> false;
            };
        } else if (this instanceof AnyOf one) {
            return one.groups.stream().anyMatch(group -> group.stream().allMatch(each -> each.meets(event)));
        } else if (this instanceof AddressAndPortOnOneSide one) {
            return Stream.of(event.sources(), event.targets())
                    .anyMatch(ends -> ends.stream().anyMatch(end -> has(end, one.address))
                            && ends.stream().anyMatch(end -> end.ports().contains(one.port)));
        }
        throw new UnsupportedOperationException("cannot be checked against events: " + words());
    }

    /** Returns whether this is a criterion with this key of texts, whatever the text. */
    default boolean isAbout(CriterionKey text) {
        return this instanceof ValueIs is && is.key() == text;
    }

    /** Returns whether this criterion and the other one are about the same part of an event. */
    default boolean isLike(Criterion other) {
        return getClass().equals(other.getClass()) && (!(this instanceof ValueIs is) || other.isAbout(is.key()));
    }

    /** The drawn values of this criterion, at any depth. */
    default Stream<Drawn> drawn() {
        return this instanceof AnyOf any
                ? any.groups.stream().flatMap(List::stream).flatMap(Criterion::drawn)
                : Stream.of(this).filter(Drawn.class::isInstance).map(Drawn.class::cast);
    }

    /** Returns this criterion with given values in place of its drawn values. */
    default Criterion with(Function<Drawn, Criterion> values) {
        if (this instanceof AnyOf any) {
            return new AnyOf(any.groups.stream()
                    .map(group -> group.stream().map(one -> one.with(values)).toList())
                    .toList());
        }
        return this instanceof Drawn drawn ? values.apply(drawn) : this;
    }

    private static boolean has(Endpoint end, AddressRange range) {
        return end.addresses().stream().anyMatch(range::overlaps);
    }

    private static String withoutNul(String text) {
        return text.replace("\0", "");
    }

    private static String of(EventSide side) {
        return side == EventSide.EITHER ? "" : " of a " + Choices.camelCase(side);
    }

    /**
     * An address on this side of the event overlaps at least one of these ranges. A single address is a range of one
     * address; HAWAT1 has one address, HAWAT2 one range, OTHER1 a list.
     */
    record AddressMatches(List<AddressRange> anyOf, EventSide side) implements Criterion {
        public AddressMatches {
            anyOf = List.copyOf(anyOf);
        }
    }

    /**
     * The event has exactly this text as a category ({@code Malware} does not match {@code Malware.Worm}), as the name of a node (detector
     * or relay), as its identifier, or as its whole description. For {@link CriterionKey#TEXT}, the description contains the text. NUL
     * characters are ignored in a description and in the text that it is compared with.
     *
     * @param key one of category, detector, id, description and text
     */
    record ValueIs(CriterionKey key, String value) implements Criterion {}

    /** The event has a transport port, 0 to 65535, in this range, inclusive, on this side. */
    record PortUsed(int first, int last, EventSide side) implements Criterion {
        public PortUsed(int port, EventSide side) {
            this(port, port, side);
        }

        public PortUsed {
            if (first > last) {
                throw new IllegalArgumentException(
                        "a range of ports must not end before it starts: " + first + "-" + last);
            }
        }

        /** Returns whether this is a single port, for which some index sets of some databases have an index. */
        public boolean isSingle() {
            return first == last;
        }
    }

    /**
     * The event lacks this part on this side; with {@link EventSide#EITHER}, neither a source nor a target has it.
     *
     * @param part one of {@link #PARTS}; an address is of either family, and a description of only NUL characters counts as missing
     * @param side replaced by {@link EventSide#EITHER} for parts without sides
     */
    record Missing(CriterionKey part, EventSide side) implements Criterion {
        /** The parts that an event may lack. */
        public static final List<CriterionKey> PARTS =
                List.of(CriterionKey.ADDRESS, CriterionKey.PORT, CriterionKey.CATEGORY, CriterionKey.DESCRIPTION);

        public Missing {
            side = part.hasSides() ? side : EventSide.EITHER;
        }
    }

    /** The event meets all criteria of at least one of these groups: two or more, each of one criterion or more. */
    record AnyOf(List<List<Criterion>> groups) implements Criterion {
        public AnyOf {
            groups = groups.stream().map(List::copyOf).toList();
        }
    }

    /**
     * One side of the event, all its sources together or all its targets together, has both an address that overlaps
     * the range and the port (0 to 65535).
     */
    record AddressAndPortOnOneSide(
            AddressRange address,
            @Key(allowed = "0 to 65535") int port) implements Criterion {}

    /** A {@link Statement}'s parameter has this text value, whose type the database chooses. Events cannot be checked for a parameter. */
    record ParameterIs(String parameter, String value) implements Criterion {}

    /** A criterion of a search's definition with a value drawn from the data set, on {@link EventSide#EITHER} for keys without sides. */
    record Drawn(CriterionKey key, EventSide side) implements Criterion {}
}
