package siemload.database.postgresql;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import siemload.database.layout.StoredField;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.Endpoint;
import siemload.event.Node;
import siemload.event.SecurityEvent;

/** Takes what an event has of a field as the value of a column: the one mapping, for loading and for feeding alike. */
interface ColumnWriter {
    void text(String text);

    void timestamp(Instant instant);

    void texts(List<String> texts);

    void numbers(List<Integer> numbers);

    /** All the ranges, which are of one family. */
    void ranges(List<AddressRange> ranges);

    /** The smallest range that covers all of them, which are of one family. */
    void hull(List<AddressRange> ranges);

    /** Writes a field's value. @throws IllegalArgumentException if it is not a field of an event alone */
    default void write(StoredField field, SecurityEvent event) {
        switch (field) {
            case ID -> text(event.id());
            case DETECT_TIME -> timestamp(event.detectTime());
            case CATEGORY -> texts(event.categories());
            case DESCRIPTION -> text(event.description());
            case SOURCE_IP4 -> ranges(addresses(event.sources(), Family.IP4));
            case TARGET_IP4 -> ranges(addresses(event.targets(), Family.IP4));
            case SOURCE_IP4_HULL -> hull(addresses(event.sources(), Family.IP4));
            case TARGET_IP4_HULL -> hull(addresses(event.targets(), Family.IP4));
            case SOURCE_IP6 -> ranges(addresses(event.sources(), Family.IP6));
            case TARGET_IP6 -> ranges(addresses(event.targets(), Family.IP6));
            case SOURCE_IP6_HULL -> hull(addresses(event.sources(), Family.IP6));
            case TARGET_IP6_HULL -> hull(addresses(event.targets(), Family.IP6));
            case SOURCE_PORT -> numbers(distinct(event.sources(), Endpoint::ports));
            case TARGET_PORT -> numbers(distinct(event.targets(), Endpoint::ports));
            case SOURCE_TYPE -> texts(distinct(event.sources(), Endpoint::types));
            case TARGET_TYPE -> texts(distinct(event.targets(), Endpoint::types));
            case PROTOCOL -> texts(protocols(event));
            case NODE_NAME -> texts(distinct(event.nodes(), node -> List.of(node.name())));
            case NODE_TYPE -> texts(distinct(event.nodes(), Node::types));
            case JSON, NETWORK, SIDE -> throw new IllegalArgumentException("no field of an event alone: " + field);
        }
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
        List<T> first = parts.isEmpty() ? List.of() : list.apply(parts.get(0));
        for (int i = 1; i < parts.size(); i++) {
            if (!list.apply(parts.get(i)).equals(first)) {
                Set<T> union = new LinkedHashSet<>();
                parts.forEach(part -> union.addAll(list.apply(part)));
                return List.copyOf(union);
            }
        }
        return first;
    }

    private static List<String> protocols(SecurityEvent event) {
        List<String> sources = distinct(event.sources(), Endpoint::protocols);
        List<String> targets = distinct(event.targets(), Endpoint::protocols);
        return targets.isEmpty() ? sources : distinct(List.of(sources, targets), list -> list);
    }
}
