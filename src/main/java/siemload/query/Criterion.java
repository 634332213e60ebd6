package siemload.query;

import java.util.List;
import java.util.stream.Collectors;
import siemload.event.AddressRange;

/** One condition of a search; an event is found when it meets all criteria of the search. Immutable. */
public sealed interface Criterion {

    /** For people: {@code port 22 of a source}. */
    String words();

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
    }

    /** The event has exactly this category among its categories; {@code Malware} does not match {@code Malware.Worm}. */
    record CategoryIs(String category) implements Criterion {
        @Override
        public String words() {
            return "category " + category;
        }
    }

    /** A node of the event, detector or relay, has exactly this name. */
    record DetectorIs(String nodeName) implements Criterion {
        @Override
        public String words() {
            return "detector " + nodeName;
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
    }

    /** The event has this identifier. */
    record IdIs(String id) implements Criterion {
        @Override
        public String words() {
            return "id " + id;
        }
    }

    /** This is the whole description of the event, letter for letter; NUL characters are left out on both sides. */
    record DescriptionIs(String text) implements Criterion {
        @Override
        public String words() {
            return "description '" + text + "'";
        }
    }

    /** The description of the event holds this text, letter for letter; NUL characters are left out on both sides. */
    record TextContains(String text) implements Criterion {
        @Override
        public String words() {
            return "description with '" + text + "'";
        }
    }

    /** The parameter of a {@link Statement} has this value, as text; the database settles its type. It says nothing of events. */
    record ParameterIs(String parameter, String value) implements Criterion {
        @Override
        public String words() {
            return ":" + parameter + " = '" + value + "'";
        }
    }
}
