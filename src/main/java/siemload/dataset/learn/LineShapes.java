package siemload.dataset.learn;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.List;
import siemload.event.EventJson;
import siemload.event.EventReader;
import siemload.event.SecurityEvent;

/**
 * Reads as another reader does, and looks at every sixteenth line for shapes that no longer show in an event: ports as text,
 * and single values where lists belong. Not thread-safe, since it counts.
 */
final class LineShapes implements EventReader {
    private static final int LOOKED_AT = 16;

    private final EventReader reader;
    private final Oddities oddities;
    private int lines;

    LineShapes(EventReader reader, Oddities oddities) {
        this.reader = reader;
        this.oddities = oddities;
    }

    @Override
    public SecurityEvent read(byte[] bytes, int offset, int length, long position) {
        SecurityEvent event = reader.read(bytes, offset, length, position);
        if (lines++ % LOOKED_AT == 0) {
            look(bytes, offset, length);
        }
        return event;
    }

    @Override
    public String identity() {
        return reader.identity();
    }

    @Override
    public List<String> lacks(SecurityEvent event) {
        return List.of();
    }

    private void look(byte[] bytes, int offset, int length) {
        boolean text = false;
        boolean single = false;
        try (JsonParser parser = EventJson.OF_DETECTORS.parser(bytes, offset, length)) {
            String list = "";
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.FIELD_NAME) {
                    list = isList(parser.currentName()) ? parser.currentName() : "";
                } else if (token.isScalarValue() && !list.isEmpty()) {
                    single |= !parser.getParsingContext().inArray();
                    text |= list.equals("Port") && token == JsonToken.VALUE_STRING;
                }
            }
        } catch (IOException notJson) {
            return;
        }
        if (text) {
            oddities.add(Oddity.PORT_AS_TEXT);
        }
        if (single) {
            oddities.add(Oddity.SINGLE_VALUE);
        }
    }

    private static boolean isList(String key) {
        return switch (key) {
            case "Category", "Type", "IP4", "IP6", "Port", "Proto", "SW" -> true;
            default -> false;
        };
    }
}
