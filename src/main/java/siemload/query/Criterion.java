package siemload.query;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.event.AddressRange;
import siemload.event.Endpoint;
import siemload.event.SecurityEvent;

/** One condition of a search; an event is found when it meets all criteria of the search. Immutable. */
public sealed interface Criterion extends CriterionTemplate {

    @Override
    default Criterion with(SearchValues values) {
        return this;
    }

    /** For people: {@code port 22 of a source}. */
    String words();

    /** Whether an event meets it, in the plainest words: all databases are measured by this. */
    boolean meets(SecurityEvent event);

    private static boolean has(Endpoint end, AddressRange range) {
        return end.addresses().stream().anyMatch(range::overlaps);
    }

    private static String withoutNul(String text) {
        return text.replace("\0", "");
    }

    private static String of(EventSide side) {
        return switch (side) {
            case SOURCE -> " of a source";
            case TARGET -> " of a target";
            case EITHER -> "";
        };
    }

    /**
     * An address of the event, on this side of it, overlaps at least one of these ranges. A single address is a range of
     * one; HAWAT1 has one address, HAWAT2 one range, OTHER1 a list.
     */
    record AddressFigured(List<AddressRange> anyOf, EventSide side) implements Criterion {
        /** In a source or a target. */
        public AddressFigured(List<AddressRange> anyOf) {
            this(anyOf, EventSide.EITHER);
        }

        public AddressFigured {
            anyOf = List.copyOf(anyOf);
            if (anyOf.isEmpty()) {
                throw new IllegalArgumentException("an address criterion needs at least one address");
            }
        }

        @Override
        public String words() {
            return "address " + anyOf.stream().map(AddressRange::toString).collect(Collectors.joining(" or "))
                    + of(side);
        }

        @Override
        public boolean meets(SecurityEvent event) {
            return anyOf.stream().anyMatch(range -> side.of(event).anyMatch(end -> has(end, range)));
        }
    }

    /** The event has exactly this category among its categories; {@code Malware} does not match {@code Malware.Worm}. */
    record CategoryIs(String category) implements Criterion {
        @Override
        public String words() {
            return "category " + category;
        }

        @Override
        public boolean meets(SecurityEvent event) {
            return event.categories().contains(category);
        }
    }

    /** A node of the event, detector or relay, has exactly this name. */
    record DetectorIs(String nodeName) implements Criterion {
        @Override
        public String words() {
            return "detector " + nodeName;
        }

        @Override
        public boolean meets(SecurityEvent event) {
            return event.nodes().stream().anyMatch(node -> node.name().equals(nodeName));
        }
    }

    /** The event has this transport port, 0 to 65535, on this side. */
    record PortUsed(int port, EventSide side) implements Criterion {
        /** In a source or a target. */
        public PortUsed(int port) {
            this(port, EventSide.EITHER);
        }

        @Override
        public String words() {
            return "port " + port + of(side);
        }

        @Override
        public boolean meets(SecurityEvent event) {
            return side.of(event).anyMatch(end -> end.ports().contains(port));
        }
    }

    /** The event has a transport port of this range, both ends included, on this side. */
    record PortBetween(int first, int last, EventSide side) implements Criterion {
        public PortBetween {
            if (first > last) {
                throw new IllegalArgumentException(
                        "a range of ports must not end before it starts: " + first + "-" + last);
            }
        }

        @Override
        public String words() {
            return "port " + first + " to " + last + of(side);
        }

        @Override
        public boolean meets(SecurityEvent event) {
            return side.of(event).flatMap(end -> end.ports().stream()).anyMatch(port -> port >= first && port <= last);
        }
    }

    /** What an event may be without. */
    enum EventPart {
        /** Addresses of either family. */
        ADDRESS,
        /** Transport ports. */
        PORT,
        CATEGORY,
        /** An empty one is none, and so is one of NUL characters alone. */
        DESCRIPTION;

        /** Whether one side of an event may be without it. */
        public boolean hasSides() {
            return this == ADDRESS || this == PORT;
        }

        /** As files write it: lower case. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The event has nothing of this kind, on this side: no source and no target where the side is either.
     *
     * @param side either for what has none, whatever is given
     */
    record Missing(EventPart part, EventSide side) implements Criterion {
        public Missing {
            side = part.hasSides() ? side : EventSide.EITHER;
        }

        @Override
        public String words() {
            return "no " + part.label() + of(side);
        }

        @Override
        public boolean meets(SecurityEvent event) {
            return switch (part) {
                case ADDRESS -> side.of(event).allMatch(end -> end.addresses().isEmpty());
                case PORT -> side.of(event).allMatch(end -> end.ports().isEmpty());
                case CATEGORY -> event.categories().isEmpty();
                case DESCRIPTION -> withoutNul(event.description()).isEmpty();
            };
        }
    }

    /**
     * The event meets all criteria of at least one of these groups.
     *
     * @param groups two or more, each of one criterion or more
     */
    record AnyOf(List<List<Criterion>> groups) implements Criterion {
        public AnyOf {
            groups = groups.stream().map(List::copyOf).toList();
            if (groups.size() < 2 || groups.stream().anyMatch(List::isEmpty)) {
                throw new IllegalArgumentException("there is nothing to choose from in " + groups);
            }
        }

        @Override
        public String words() {
            return groups.stream()
                    .map(group -> group.stream().map(Criterion::words).collect(Collectors.joining(" and ")))
                    .collect(Collectors.joining(") or (", "(", ")"));
        }

        @Override
        public boolean meets(SecurityEvent event) {
            return groups.stream().anyMatch(group -> group.stream().allMatch(one -> one.meets(event)));
        }
    }

    /**
     * One side of the event, all its sources together or all its targets together, has both an address that overlaps
     * the range and the port (0 to 65535).
     */
    record AddressAndPortOnOneSide(AddressRange address, int port) implements Criterion {
        @Override
        public String words() {
            return "address " + address + " with port " + port;
        }

        @Override
        public boolean meets(SecurityEvent event) {
            return Stream.of(event.sources(), event.targets())
                    .anyMatch(ends -> ends.stream().anyMatch(end -> has(end, address))
                            && ends.stream().anyMatch(end -> end.ports().contains(port)));
        }
    }

    /** The event has this identifier. */
    record IdIs(String id) implements Criterion {
        @Override
        public String words() {
            return "id " + id;
        }

        @Override
        public boolean meets(SecurityEvent event) {
            return event.id().equals(id);
        }
    }

    /** This is the whole description of the event, letter for letter; NUL characters are left out on both sides. */
    record DescriptionIs(String text) implements Criterion {
        @Override
        public String words() {
            return "description '" + text + "'";
        }

        @Override
        public boolean meets(SecurityEvent event) {
            return withoutNul(event.description()).equals(withoutNul(text));
        }
    }

    /** The description of the event holds this text, letter for letter; NUL characters are left out on both sides. */
    record TextContains(String text) implements Criterion {
        @Override
        public String words() {
            return "description with '" + text + "'";
        }

        @Override
        public boolean meets(SecurityEvent event) {
            return withoutNul(event.description()).contains(withoutNul(text));
        }
    }

    /** The parameter of a {@link Statement} has this value, as text; the database settles its type. It says nothing of events. */
    record ParameterIs(String parameter, String value) implements Criterion {
        @Override
        public String words() {
            return ":" + parameter + " = '" + value + "'";
        }

        @Override
        public boolean meets(SecurityEvent event) {
            throw new UnsupportedOperationException("what a parameter means only the statement says");
        }
    }
}
