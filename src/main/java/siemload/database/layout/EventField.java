package siemload.database.layout;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import siemload.database.layout.LayoutAbout.LayoutTable.Rows;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.Endpoint;
import siemload.event.Node;
import siemload.event.SecurityEvent;

/** What of an event can be stored in one place, in loads and by the feeder: the one mapping for columns and documents. */
public enum EventField {
    ID(Kind.TEXT, SecurityEvent::id),
    DETECT_TIME(Kind.TIME, SecurityEvent::detectTime),
    CATEGORY(Kind.TEXTS, SecurityEvent::categories),
    DESCRIPTION(Kind.TEXT, event -> EventText.searchable(event.description())),
    SOURCE_IP4(Kind.RANGES, event -> addresses(event.sources(), Family.IP4)),
    TARGET_IP4(Kind.RANGES, event -> addresses(event.targets(), Family.IP4)),
    SOURCE_IP4_HULL(Kind.HULL, SOURCE_IP4.value),
    TARGET_IP4_HULL(Kind.HULL, TARGET_IP4.value),
    SOURCE_IP6(Kind.RANGES, event -> addresses(event.sources(), Family.IP6)),
    TARGET_IP6(Kind.RANGES, event -> addresses(event.targets(), Family.IP6)),
    SOURCE_IP6_HULL(Kind.HULL, SOURCE_IP6.value),
    TARGET_IP6_HULL(Kind.HULL, TARGET_IP6.value),
    SOURCE_PORT(Kind.NUMBERS, event -> distinct(event.sources(), Endpoint::ports)),
    TARGET_PORT(Kind.NUMBERS, event -> distinct(event.targets(), Endpoint::ports)),
    SOURCE_TYPE(Kind.TEXTS, event -> distinct(event.sources(), Endpoint::types)),
    TARGET_TYPE(Kind.TEXTS, event -> distinct(event.targets(), Endpoint::types)),
    PROTOCOL(Kind.TEXTS, EventField::protocols),
    NODE_NAME(Kind.TEXTS, event -> distinct(event.nodes(), node -> List.of(node.name()))),
    NODE_TYPE(Kind.TEXTS, event -> distinct(event.nodes(), Node::types)),
    /** The whole event as IDEA JSON, in bytes. */
    JSON(Kind.WHOLE_EVENT),
    /** An address of the event, or the smallest network around the range that it is. */
    NETWORK(Kind.OF_ADDRESS),
    /** On which side that address is: {@code s} or {@code t}. */
    SIDE(Kind.OF_ADDRESS);

    private final Kind kind;

    @SuppressWarnings("ImmutableEnumChecker") // The functions have no state.
    private final Function<SecurityEvent, Object> value;

    EventField(Kind kind, Function<SecurityEvent, ?> value) {
        this.kind = kind;
        this.value = value::apply;
    }

    EventField(Kind kind) {
        this(kind, event -> {
            throw new IllegalArgumentException("no field of an event alone");
        });
    }

    public enum Kind {
        /** A {@link String}. */
        TEXT,
        /** An {@link java.time.Instant}. */
        TIME,
        /** Different strings in a list. */
        TEXTS,
        /** Different whole numbers in a list. */
        NUMBERS,
        /** Each {@link AddressRange} of one family in a list. */
        RANGES,
        /** The same, of which the smallest range around all of them is stored. */
        HULL,
        /** Known in the row of the event alone. */
        WHOLE_EVENT,
        /** Known in the row of an address alone. */
        OF_ADDRESS
    }

    /** The name in the files of layouts. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    public Kind kind() {
        return kind;
    }

    /** Whether it can fill a column of such a table. */
    public boolean fits(Rows rows) {
        return kind == Kind.WHOLE_EVENT ? rows == Rows.EVENTS : kind != Kind.OF_ADDRESS || rows == Rows.ADDRESSES;
    }

    /** What an event has of it, of the type of its {@link #kind}. @throws IllegalArgumentException if it is not a field of an event alone */
    public Object of(SecurityEvent event) {
        return value.apply(event);
    }

    private static List<AddressRange> addresses(List<Endpoint> side, Family family) {
        List<AddressRange> first = side.isEmpty() ? List.of() : side.get(0).addresses();
        if (side.size() < 2 && areAll(first, family)) {
            return first;
        }
        List<AddressRange> addresses = new ArrayList<>();
        for (Endpoint end : side) {
            for (AddressRange address : end.addresses()) {
                if (address.family() == family) {
                    addresses.add(address);
                }
            }
        }
        return addresses;
    }

    private static boolean areAll(List<AddressRange> addresses, Family family) {
        for (int i = 0; i < addresses.size(); i++) {
            if (addresses.get(i).family() != family) {
                return false;
            }
        }
        return true;
    }

    /** What the parts have, each once; the list of the first part itself where the others have the same. */
    static <P, T> List<T> distinct(List<P> parts, Function<P, List<T>> list) {
        List<T> first = parts.isEmpty() ? List.of() : list.apply(parts.get(0));
        boolean same = first.size() < 2 || Set.copyOf(first).size() == first.size();
        for (int i = 1; same && i < parts.size(); i++) {
            same = list.apply(parts.get(i)).equals(first);
        }
        if (same) {
            return first;
        }
        Set<T> union = new LinkedHashSet<>();
        parts.forEach(part -> union.addAll(list.apply(part)));
        return List.copyOf(union);
    }

    private static List<String> protocols(SecurityEvent event) {
        List<String> sources = distinct(event.sources(), Endpoint::protocols);
        List<String> targets = distinct(event.targets(), Endpoint::protocols);
        return targets.isEmpty() ? sources : distinct(List.of(sources, targets), list -> list);
    }
}
