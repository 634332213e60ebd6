package siemload.dataset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import siemload.event.IdeaTime;
import siemload.event.SecurityEvent;

/** Makes an event of its own from a recorded one: another id, and all of its timestamps moved by the same time. */
final class TimeShift {
    private static final List<String> TIMESTAMPS =
            List.of("CreateTime", "EventTime", "CeaseTime", "WinStartTime", "WinEndTime");

    private TimeShift() {}

    static SecurityEvent to(Instant detectTime, String id, SecurityEvent event) {
        return new SecurityEvent(
                id,
                detectTime,
                event.categories(),
                event.description(),
                event.sources(),
                event.targets(),
                event.nodes(),
                moved(event.other(), Duration.between(event.detectTime(), detectTime)));
    }

    private static Map<String, JsonNode> moved(Map<String, JsonNode> other, Duration by) {
        Map<String, JsonNode> moved = new LinkedHashMap<>(other);
        for (String key : TIMESTAMPS) {
            moved.computeIfPresent(key, (unused, value) -> value.isTextual() ? moved(value, by) : value);
        }
        return moved;
    }

    /** What is no time stays as it is. */
    private static JsonNode moved(JsonNode value, Duration by) {
        return IdeaTime.parse(value.textValue())
                .<JsonNode>map(time -> TextNode.valueOf(IdeaTime.format(time.plus(by))))
                .orElse(value);
    }
}
