package siemload.dataset.format;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import siemload.event.AddressRange;
import siemload.event.Endpoint;
import siemload.event.EventFormatException;
import siemload.event.IdeaTime;
import siemload.event.Node;
import siemload.event.SecurityEvent;

/**
 * One event on its way from the fields of its format into IDEA: what finds its place is taken out of the fields, what is
 * left at the end is kept in the event under the extension key of the format. Not thread-safe.
 */
record MappedEvent(EventFormat format, FormatMapping mapping, EventTimes times, ObjectNode fields) {
    private static final int MOST_TEXT = 1_000;
    private static final Set<String> NO_TEXT = Set.of("", "-");

    SecurityEvent event(String id) {
        List<String> categories = List.of(category());
        Instant detectTime = time(IdeaPlace.DETECT_TIME)
                .orElseThrow(() -> new EventFormatException("none of "
                        + paths(IdeaPlace.DETECT_TIME).stream()
                                .map(FieldPath::text)
                                .toList()
                        + " is a time of 1970 to 9999"));
        Map<String, JsonNode> other = new LinkedHashMap<>();
        other.put("Format", TextNode.valueOf("IDEA0"));
        String description = text(IdeaPlace.DESCRIPTION);
        List<Endpoint> sources =
                endpoint("Source", IdeaPlace.SOURCE_ADDRESS, IdeaPlace.SOURCE_PORT, IdeaPlace.SOURCE_PROTOCOL);
        List<Endpoint> targets =
                endpoint("Target", IdeaPlace.TARGET_ADDRESS, IdeaPlace.TARGET_PORT, IdeaPlace.TARGET_PROTOCOL);
        List<Node> nodes = nodes();
        for (IdeaPlace place : List.of(IdeaPlace.CREATE_TIME, IdeaPlace.EVENT_TIME, IdeaPlace.CEASE_TIME)) {
            time(place).ifPresent(time -> other.put(place.id(), TextNode.valueOf(IdeaTime.format(time))));
        }
        counts(other);
        for (IdeaPlace place : List.of(IdeaPlace.ALT_NAMES, IdeaPlace.REF)) {
            putTexts(place, other);
        }
        if (!fields.isEmpty()) {
            other.put(format.extension(), fields);
        }
        return new SecurityEvent(id, detectTime, categories, description, sources, targets, nodes, other);
    }

    /** The fields that decide stay: a category says less than they do. */
    private String category() {
        for (FormatMapping.CategoryRule rule : mapping.categories()) {
            List<String> found = new ArrayList<>(1);
            rule.field().visit(fields, value -> noteCategory(rule, value.asText(), found));
            if (!found.isEmpty()) {
                return found.get(0);
            }
        }
        return mapping.otherwise();
    }

    /** The first value that is known decides. */
    private static void noteCategory(FormatMapping.CategoryRule rule, String written, List<String> found) {
        if (!found.isEmpty()) {
            return;
        }
        String value = IdeaPlace.lower(written);
        switch (rule.match()) {
            case IS -> Optional.ofNullable(rule.values().get(value)).ifPresent(found::add);
            case CONTAINS ->
                rule.values().entrySet().stream()
                        .filter(entry -> value.contains(entry.getKey()))
                        .findFirst()
                        .ifPresent(entry -> found.add(entry.getValue()));
        }
    }

    private Optional<Instant> time(IdeaPlace place) {
        List<Instant> found = new ArrayList<>(1);
        takeAll(
                place,
                value -> found.isEmpty() && times.parse(value).map(found::add).orElse(false));
        return found.stream().findFirst();
    }

    private String text(IdeaPlace place) {
        List<String> found = new ArrayList<>(1);
        takeAll(place, value -> found.isEmpty() && takeText(value, found));
        return found.isEmpty() ? "" : found.get(0);
    }

    private static boolean takeText(JsonNode value, List<String> found) {
        boolean fits =
                value.isTextual() && value.textValue().length() <= MOST_TEXT && !NO_TEXT.contains(value.textValue());
        return fits && found.add(value.textValue());
    }

    private List<Node> nodes() {
        String name = text(IdeaPlace.NODE_NAME);
        List<String> software = new ArrayList<>(2);
        takeAll(IdeaPlace.NODE_SOFTWARE, value -> takeText(value, software));
        return name.isEmpty() && software.isEmpty()
                ? List.of()
                : List.of(new Node(name, List.of(), software, Map.of()));
    }

    private List<Endpoint> endpoint(String part, IdeaPlace address, IdeaPlace port, IdeaPlace protocol) {
        List<AddressRange> addresses = new ArrayList<>(1);
        List<Integer> ports = new ArrayList<>(1);
        List<String> protocols = new ArrayList<>(2);
        Map<String, JsonNode> other = new LinkedHashMap<>();
        takeAll(
                address,
                value -> address(value).map(found -> addNew(addresses, found)).orElse(false));
        takeAll(port, value -> port(value).map(found -> addNew(ports, found)).orElse(false));
        takeAll(
                protocol,
                value -> value.isTextual()
                        && isWord(value.textValue())
                        && addNew(protocols, IdeaPlace.lower(value.textValue())));
        for (IdeaPlace place : IdeaPlace.values()) {
            if (place.kind() == IdeaPlace.Kind.TEXTS && place.isOf(part)) {
                putTexts(place, other);
            }
        }
        boolean empty = addresses.isEmpty() && ports.isEmpty() && protocols.isEmpty() && other.isEmpty();
        return empty ? List.of() : List.of(new Endpoint(List.of(), addresses, ports, protocols, other));
    }

    private static <T> boolean addNew(List<T> values, T value) {
        return values.contains(value) || values.add(value);
    }

    private static boolean isWord(String text) {
        return !text.isEmpty() && text.length() <= 40 && text.chars().allMatch(c -> c > ' ' && c < 127);
    }

    private static Optional<AddressRange> address(JsonNode value) {
        return value.isTextual() ? AddressRange.tryParse(value.textValue()) : Optional.empty();
    }

    private static Optional<Integer> port(JsonNode value) {
        return number(value).filter(port -> port <= 65_535).map(Long::intValue);
    }

    private static Optional<Long> number(JsonNode value) {
        String digits = value.isIntegralNumber() || value.isTextual() ? value.asText() : "";
        boolean number =
                !digits.isEmpty() && digits.length() <= 18 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        return number ? Optional.of(Long.valueOf(digits)) : Optional.empty();
    }

    private void counts(Map<String, JsonNode> other) {
        for (IdeaPlace place : IdeaPlace.values()) {
            if (place.kind() == IdeaPlace.Kind.COUNT) {
                List<Long> found = new ArrayList<>(1);
                takeAll(
                        place,
                        value ->
                                found.isEmpty() && number(value).map(found::add).orElse(false));
                found.forEach(count -> other.put(place.id(), count(count)));
            }
        }
    }

    /** The node that a reader of JSON makes. */
    private static JsonNode count(long count) {
        return count <= Integer.MAX_VALUE ? IntNode.valueOf((int) count) : LongNode.valueOf(count);
    }

    private void putTexts(IdeaPlace place, Map<String, JsonNode> other) {
        List<String> found = new ArrayList<>(1);
        takeAll(place, value -> takeText(value, found));
        if (!found.isEmpty()) {
            ArrayNode list = JsonNodeFactory.instance.arrayNode(found.size());
            found.forEach(list::add);
            other.put(place.key(), list);
        }
    }

    /** Asks field after field; what is not accepted stays. */
    private void takeAll(IdeaPlace place, Predicate<JsonNode> accepts) {
        for (FieldPath path : paths(place)) {
            path.take(fields, accepts);
        }
    }

    private List<FieldPath> paths(IdeaPlace place) {
        return mapping.fields().getOrDefault(place, List.of());
    }
}
