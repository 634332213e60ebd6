package siemload.database.oracle;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import siemload.event.AddressRange;
import siemload.event.Endpoint;
import siemload.event.Node;
import siemload.event.SecurityEvent;

/**
 * An event as tables have it. Immutable.
 *
 * @param categories each once, in the form of a column
 * @param detectors each once, in the form of a column
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record StoredEvent(
        SecurityEvent event,
        byte[] id,
        byte[] json,
        String description,
        Set<String> categories,
        Set<String> detectors,
        Side sources,
        Side targets) {

    static StoredEvent of(SecurityEvent event, byte[] json) {
        return new StoredEvent(
                event,
                ColumnValues.id(event.id()),
                json,
                ColumnValues.description(event.description()),
                texts(event.categories().stream()),
                texts(event.nodes().stream().map(Node::name)),
                Side.of(event.sources()),
                Side.of(event.targets()));
    }

    private static Set<String> texts(Stream<String> texts) {
        Set<String> distinct = new LinkedHashSet<>();
        texts.forEach(text -> distinct.add(ColumnValues.text(text)));
        return distinct;
    }

    /**
     * What has a row of its own beside the event's: an address or a value.
     *
     * @param mark the side or the field
     * @param text of a value; of an address, empty
     * @param first of an address; of a value, null
     */
    record Listed(String mark, String text, byte @Nullable [] first, byte @Nullable [] last) {}

    /** One side of an event: each address and each port once, and what covers all addresses. */
    record Side(
            Collection<AddressRange> addresses,
            byte @Nullable [] lowest,
            byte @Nullable [] highest,
            Set<Integer> ports) {

        static Side of(List<Endpoint> ends) {
            Set<AddressRange> addresses = new LinkedHashSet<>();
            Set<Integer> ports = new LinkedHashSet<>();
            for (Endpoint end : ends) {
                addresses.addAll(end.addresses());
                ports.addAll(end.ports());
            }
            byte @Nullable [] lowest = null;
            byte @Nullable [] highest = null;
            for (AddressRange range : addresses) {
                byte[] first = ColumnValues.first(range);
                byte[] last = ColumnValues.last(range);
                lowest = lowest == null || Arrays.compareUnsigned(first, lowest) < 0 ? first : lowest;
                highest = highest == null || Arrays.compareUnsigned(last, highest) > 0 ? last : highest;
            }
            return new Side(addresses, lowest, highest, ports);
        }

        private List<Listed> listed(String mark) {
            return addresses.stream()
                    .map(range -> new Listed(mark, "", ColumnValues.first(range), ColumnValues.last(range)))
                    .toList();
        }
    }

    /** The addresses of those sides that have at least so many. */
    List<Listed> addresses(int atLeast) {
        List<Listed> listed = new ArrayList<>();
        if (sources.addresses.size() >= atLeast) {
            listed.addAll(sources.listed("S"));
        }
        if (targets.addresses.size() >= atLeast) {
            listed.addAll(targets.listed("T"));
        }
        return listed;
    }

    /** The values of those fields that have at least so many. */
    List<Listed> values(int atLeast) {
        List<Listed> listed = new ArrayList<>();
        list("C", categories, atLeast, listed);
        list("D", detectors, atLeast, listed);
        list("S", sources.ports, atLeast, listed);
        list("T", targets.ports, atLeast, listed);
        return listed;
    }

    private static void list(String field, Set<?> values, int atLeast, List<Listed> listed) {
        if (values.size() >= atLeast) {
            values.forEach(value -> listed.add(new Listed(field, value.toString(), null, null)));
        }
    }

    /** The protocols of all sources, then those of all targets. */
    List<String> protocols() {
        return event.endpoints().flatMap(end -> end.protocols().stream()).toList();
    }

    long connections() {
        var count = event.other().get("ConnCount");
        return count != null && count.canConvertToLong() ? count.longValue() : 1;
    }
}
