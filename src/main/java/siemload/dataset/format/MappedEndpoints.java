package siemload.dataset.format;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import siemload.event.AddressRange;
import siemload.event.Endpoint;

/**
 * The sources or the targets of one event: one of all fields together, and behind it one of each element of lists whose
 * elements are told apart. Not thread-safe.
 */
final class MappedEndpoints {
    private static final List<IdeaPlace> SOURCE = Arrays.stream(IdeaPlace.values())
            .filter(place -> place.isOf("Source"))
            .toList();
    private static final List<IdeaPlace> TARGET = Arrays.stream(IdeaPlace.values())
            .filter(place -> place.isOf("Target"))
            .toList();
    /** Of endpoints, and of values of one; more stay in the fields. A line of a mebibyte may have a hundred thousand. */
    private static final int MOST = 1_000;

    private final Parts together = new Parts();
    /** By the list that the elements are of. */
    private final Map<String, List<Parts>> apart = new LinkedHashMap<>(0);

    private MappedEndpoints() {}

    static MappedEndpoints sources(FormatMapping mapping, ObjectNode fields) {
        return taken(SOURCE, mapping, fields);
    }

    static MappedEndpoints targets(FormatMapping mapping, ObjectNode fields) {
        return taken(TARGET, mapping, fields);
    }

    private static MappedEndpoints taken(List<IdeaPlace> places, FormatMapping mapping, ObjectNode fields) {
        MappedEndpoints endpoints = new MappedEndpoints();
        for (IdeaPlace place : places) {
            for (FieldPath path : mapping.paths(place)) {
                path.take(
                        fields,
                        (value, element) ->
                                element < MOST && endpoints.parts(path, element).takes(place, value));
            }
        }
        return endpoints;
    }

    private Parts parts(FieldPath path, int element) {
        if (element == FieldPath.NO_ELEMENT) {
            return together;
        }
        List<Parts> elements = apart.computeIfAbsent(path.listText(), list -> new ArrayList<>());
        while (elements.size() <= element) {
            elements.add(new Parts());
        }
        return elements.get(element);
    }

    List<Endpoint> endpoints() {
        Stream<Parts> all =
                Stream.concat(Stream.of(together), apart.values().stream().flatMap(List::stream));
        return all.filter(Parts::isAny).map(Parts::endpoint).toList();
    }

    /** What becomes one endpoint. */
    private static final class Parts {
        private final List<AddressRange> addresses = new ArrayList<>(1);
        private final List<Integer> ports = new ArrayList<>(1);
        private final List<String> protocols = new ArrayList<>(1);
        private final Map<String, JsonNode> other = new LinkedHashMap<>(0);

        private boolean takes(IdeaPlace place, JsonNode value) {
            return switch (place.kind()) {
                case ADDRESSES -> addNew(addresses, FieldValues.address(value));
                case PORTS -> addNew(ports, FieldValues.port(value));
                case PROTOCOLS -> addNew(protocols, FieldValues.protocol(value));
                case TEXTS -> addText(place.key(), FieldValues.text(value));
                case TIME, TEXT, COUNT -> false;
            };
        }

        private static <T> boolean addNew(List<T> values, Optional<T> value) {
            return values.size() < MOST
                    && value.isPresent()
                    && !values.contains(value.get())
                    && values.add(value.get());
        }

        private boolean addText(String key, Optional<String> text) {
            if (text.isPresent()
                    && other.computeIfAbsent(key, list -> JsonNodeFactory.instance.arrayNode())
                            instanceof ArrayNode texts) {
                texts.add(text.get());
            }
            return text.isPresent();
        }

        private boolean isAny() {
            return !addresses.isEmpty() || !ports.isEmpty() || !protocols.isEmpty() || !other.isEmpty();
        }

        private Endpoint endpoint() {
            if (!addresses.isEmpty()) {
                // IDEA has those of each family in a list of their own.
                AddressRange.Family first = addresses.get(0).family();
                addresses.sort(Comparator.comparing(range -> range.family() != first));
            }
            return new Endpoint(List.of(), addresses, ports, protocols, other);
        }
    }
}
