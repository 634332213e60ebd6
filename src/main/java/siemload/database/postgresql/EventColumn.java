package siemload.database.postgresql;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import siemload.database.layout.StoredField;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.Endpoint;
import siemload.event.Node;
import siemload.event.SecurityEvent;

/**
 * How a column is filled with what an event has of a field: the one mapping, for loading and for feeding alike. Immutable.
 *
 * @param text the value as text
 * @param binary appends the value in binary form
 */
record EventColumn(Function<SecurityEvent, String> text, BiConsumer<SecurityEvent, CopyBuffer> binary) {

    /** Of no field. */
    static final EventColumn NOTHING = new EventColumn(event -> "", (event, rows) -> {});

    private <T> EventColumn(ColumnType<T> type, Function<SecurityEvent, T> value) {
        this(
                event -> type.text().apply(value.apply(event)),
                (event, column) -> type.binary().accept(column, value.apply(event)));
    }

    /** Those of a field. @throws IllegalArgumentException if it is not a field of an event alone */
    static EventColumn of(StoredField field) {
        return switch (field) {
            case ID -> new EventColumn(ColumnType.TEXT, SecurityEvent::id);
            case DETECT_TIME -> new EventColumn(ColumnType.TIMESTAMP, SecurityEvent::detectTime);
            case CATEGORY -> new EventColumn(ColumnType.TEXTS, SecurityEvent::categories);
            case DESCRIPTION -> new EventColumn(ColumnType.TEXT, SecurityEvent::description);
            case SOURCE_IP4 -> new EventColumn(ColumnType.RANGES, event -> addresses(event.sources(), Family.IP4));
            case TARGET_IP4 -> new EventColumn(ColumnType.RANGES, event -> addresses(event.targets(), Family.IP4));
            case SOURCE_IP4_HULL -> new EventColumn(ColumnType.HULL, event -> addresses(event.sources(), Family.IP4));
            case TARGET_IP4_HULL -> new EventColumn(ColumnType.HULL, event -> addresses(event.targets(), Family.IP4));
            case SOURCE_IP6 -> new EventColumn(ColumnType.RANGES, event -> addresses(event.sources(), Family.IP6));
            case TARGET_IP6 -> new EventColumn(ColumnType.RANGES, event -> addresses(event.targets(), Family.IP6));
            case SOURCE_IP6_HULL -> new EventColumn(ColumnType.HULL, event -> addresses(event.sources(), Family.IP6));
            case TARGET_IP6_HULL -> new EventColumn(ColumnType.HULL, event -> addresses(event.targets(), Family.IP6));
            case SOURCE_PORT ->
                new EventColumn(ColumnType.NUMBERS, event -> distinct(event.sources(), Endpoint::ports));
            case TARGET_PORT ->
                new EventColumn(ColumnType.NUMBERS, event -> distinct(event.targets(), Endpoint::ports));
            case SOURCE_TYPE -> new EventColumn(ColumnType.TEXTS, event -> distinct(event.sources(), Endpoint::types));
            case TARGET_TYPE -> new EventColumn(ColumnType.TEXTS, event -> distinct(event.targets(), Endpoint::types));
            case PROTOCOL -> new EventColumn(ColumnType.TEXTS, EventColumn::protocols);
            case NODE_NAME -> new EventColumn(ColumnType.TEXTS, EventColumn::nodeNames);
            case NODE_TYPE -> new EventColumn(ColumnType.TEXTS, event -> distinct(event.nodes(), Node::types));
            case JSON, NETWORK, SIDE -> throw new IllegalArgumentException("no field of an event alone: " + field);
        };
    }

    /** The column's value for the event, as text. */
    String text(SecurityEvent event) {
        return text.apply(event);
    }

    /** Appends the column's value for the event. */
    void write(SecurityEvent event, CopyBuffer column) {
        binary.accept(event, column);
    }

    /**
     * How values of one type go to the server.
     *
     * @param text a value in the type's text form
     * @param binary appends a value in the form that the type sends and receives, with its length before it
     */
    private record ColumnType<T>(Function<T, String> text, BiConsumer<CopyBuffer, T> binary) {
        static final ColumnType<String> TEXT = new ColumnType<>(SqlText::clean, CopyBuffer::text);
        static final ColumnType<Instant> TIMESTAMP = new ColumnType<>(SqlText::timestamp, CopyBuffer::timestamp);
        static final ColumnType<List<String>> TEXTS = new ColumnType<>(SqlText::textArray, CopyBuffer::textArray);
        static final ColumnType<List<Integer>> NUMBERS = new ColumnType<>(SqlText::intArray, CopyBuffer::intArray);
        /** All the ranges, which are of one family. */
        static final ColumnType<List<AddressRange>> RANGES =
                new ColumnType<>(SqlText::multirange, CopyBuffer::multirange);
        /** The smallest range that covers all of them, which are of one family. */
        static final ColumnType<List<AddressRange>> HULL = new ColumnType<>(SqlText::hull, CopyBuffer::hull);
    }

    private static List<AddressRange> addresses(List<Endpoint> side, Family family) {
        if (side.isEmpty()) {
            return List.of();
        }
        if (side.size() == 1 && areAll(side.get(0).addresses(), family)) {
            return side.get(0).addresses();
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
    private static <P, T> List<T> distinct(List<P> parts, Function<P, List<T>> list) {
        if (parts.isEmpty()) {
            return List.of();
        }
        List<T> first = list.apply(parts.get(0));
        for (int i = 1; i < parts.size(); i++) {
            if (!list.apply(parts.get(i)).equals(first)) {
                return union(parts, list);
            }
        }
        return first;
    }

    private static <P, T> List<T> union(List<P> parts, Function<P, List<T>> list) {
        Set<T> union = new LinkedHashSet<>();
        parts.forEach(part -> union.addAll(list.apply(part)));
        return List.copyOf(union);
    }

    private static List<String> protocols(SecurityEvent event) {
        List<String> sources = distinct(event.sources(), Endpoint::protocols);
        List<String> targets = distinct(event.targets(), Endpoint::protocols);
        if (targets.isEmpty() || targets.equals(sources)) {
            return sources;
        }
        return union(List.of(sources, targets), list -> list);
    }

    private static List<String> nodeNames(SecurityEvent event) {
        List<Node> nodes = event.nodes();
        return nodes.size() == 1
                ? List.of(nodes.get(0).name())
                : nodes.stream().map(Node::name).distinct().toList();
    }
}
