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
import java.util.function.Predicate;
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
    SecurityEvent event(String id) {
        List<String> categories = List.of(category());
        Instant detectTime = time(IdeaPlace.DETECT_TIME)
                .orElseThrow(() -> new EventFormatException("none of "
                        + mapping.paths(IdeaPlace.DETECT_TIME).stream()
                                .map(FieldPath::text)
                                .toList()
                        + " is a time of 1970 to 9999"));
        Map<String, JsonNode> other = new LinkedHashMap<>();
        other.put("Format", TextNode.valueOf("IDEA0"));
        String description = text(IdeaPlace.DESCRIPTION);
        List<Endpoint> sources = MappedEndpoints.sources(mapping, fields).endpoints();
        List<Endpoint> targets = MappedEndpoints.targets(mapping, fields).endpoints();
        List<Node> nodes = nodes();
        for (IdeaPlace place : List.of(IdeaPlace.CREATE_TIME, IdeaPlace.EVENT_TIME, IdeaPlace.CEASE_TIME)) {
            time(place).ifPresent(time -> other.put(place.id(), TextNode.valueOf(IdeaTime.format(time))));
        }
        counts(other);
        for (IdeaPlace place : List.of(IdeaPlace.ALT_NAMES, IdeaPlace.REF)) {
            putTexts(place, other);
        }
        mapping.lists().forEach(list -> list.removeEmptied(fields));
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
        return FieldValues.text(value).map(found::add).orElse(false);
    }

    private List<Node> nodes() {
        String name = text(IdeaPlace.NODE_NAME);
        List<String> software = new ArrayList<>(2);
        takeAll(IdeaPlace.NODE_SOFTWARE, value -> takeText(value, software));
        return name.isEmpty() && software.isEmpty()
                ? List.of()
                : List.of(new Node(name, List.of(), software, Map.of()));
    }

    private void counts(Map<String, JsonNode> other) {
        for (IdeaPlace place : IdeaPlace.values()) {
            if (place.kind() == IdeaPlace.Kind.COUNT) {
                List<Long> found = new ArrayList<>(1);
                takeAll(
                        place,
                        value -> found.isEmpty()
                                && FieldValues.number(value).map(found::add).orElse(false));
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
        for (FieldPath path : mapping.paths(place)) {
            path.take(fields, (value, element) -> accepts.test(value));
        }
    }
}
