package siemload.dataset.format;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import siemload.event.EventFormatException;

/**
 * Takes a CEF line apart, versions 0 and 1, after "ArcSight Common Event Format" (OpenText): seven fields with {@code |}
 * between them, then keys and values. Stateless and thread-safe.
 */
final class CefLine {
    static final String MARK = "CEF:";

    private static final List<String> HEADER = List.of(
            "cefVersion", "deviceVendor", "deviceProduct", "deviceVersion", "deviceEventClassId", "name", "severity");

    /** The header of RFC 5424 or RFC 3164, with or without its priority; the time may also be one of ISO 8601. */
    private static final Pattern SYSLOG = Pattern.compile("(?:<(?<priority>\\d{1,3})>)?(?:1 (?=\\d{4}-|- ))?"
            + "(?<time>[A-Z][a-z]{2} [ \\d]\\d (?:\\d{4} )?\\d\\d:\\d\\d:\\d\\d|\\d{4}-\\d\\d-\\d\\dT\\S{8,30}|-)"
            + " (?<host>\\S{1,255}) ?(?<rest>.*)");

    private CefLine() {}

    /** The fields of a line by their names, texts all of them; throws {@link EventFormatException} where it is none. */
    static ObjectNode fields(String line) {
        int start = line.indexOf(MARK);
        if (start < 0) {
            throw new EventFormatException("not CEF: there is no CEF: in the line");
        }
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        int end = header(line, start + MARK.length(), fields);
        extension(line.substring(end), fields);
        syslog(line.substring(0, start).strip(), fields);
        return fields;
    }

    private static int header(String line, int start, ObjectNode fields) {
        int at = start;
        for (String name : HEADER) {
            StringBuilder value = new StringBuilder();
            boolean ended = false;
            while (at < line.length() && !ended) {
                char character = line.charAt(at++);
                if (character == '\\' && at < line.length() && "\\|".indexOf(line.charAt(at)) >= 0) {
                    value.append(line.charAt(at++));
                } else if (character == '|') {
                    ended = true;
                } else {
                    value.append(character);
                }
            }
            // The last field may end with the line: then there is no extension.
            if (!ended && !name.equals("severity")) {
                throw new EventFormatException("not CEF: its header ends after " + name + " (it has seven fields)");
            }
            fields.put(name, value.toString());
        }
        if (!fields.get("cefVersion").textValue().matches("[01](\\.\\d)?")) {
            throw new EventFormatException("not CEF of version 0 or 1");
        }
        return at;
    }

    /** A key is the last word before an equals sign that is not escaped; its value goes on to the next key. */
    private static void extension(String text, ObjectNode fields) {
        int equals = nextEquals(text, 0);
        String before = equals < 0 ? text : text.substring(0, keyStart(text, equals));
        if (!before.isBlank()) {
            add(fields, "extensionBeforeKeys", TextNode.valueOf(unescaped(before.strip())));
        }
        while (equals >= 0) {
            String key = text.substring(keyStart(text, equals), equals);
            int next = nextEquals(text, equals + 1);
            int end = next < 0 ? text.length() : keyStart(text, next);
            add(
                    fields,
                    key,
                    TextNode.valueOf(unescaped(text.substring(equals + 1, end).stripTrailing())));
            equals = next;
        }
    }

    /** Where the next equals sign stands that has a key before it; -1 if none has. */
    private static int nextEquals(String text, int from) {
        for (int at = from; at < text.length(); at++) {
            char character = text.charAt(at);
            if (character == '\\') {
                at++;
            } else if (character == '=') {
                int start = keyStart(text, at);
                if (start < at && start >= from && (start == 0 || text.charAt(start - 1) == ' ')) {
                    return at;
                }
            }
        }
        return -1;
    }

    private static int keyStart(String text, int equals) {
        int start = equals;
        while (start > 0 && isOfKey(text.charAt(start - 1))) {
            start--;
        }
        return start;
    }

    private static boolean isOfKey(char character) {
        return (character >= 'a' && character <= 'z')
                || (character >= 'A' && character <= 'Z')
                || (character >= '0' && character <= '9')
                || "_.-[]:".indexOf(character) >= 0;
    }

    private static String unescaped(String text) {
        if (text.indexOf('\\') < 0) {
            return text;
        }
        StringBuilder plain = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            int escape = character == '\\' && i + 1 < text.length() ? "\\=|nr".indexOf(text.charAt(i + 1)) : -1;
            if (escape >= 0) {
                plain.append("\\=|\n\r".charAt(escape));
                i++;
            } else {
                plain.append(character);
            }
        }
        return plain.toString();
    }

    private static void syslog(String prefix, ObjectNode fields) {
        if (prefix.isEmpty()) {
            return;
        }
        Matcher header = SYSLOG.matcher(prefix);
        ObjectNode syslog = JsonNodeFactory.instance.objectNode();
        if (header.matches()) {
            for (String part : List.of("priority", "time", "host", "rest")) {
                String value = header.group(part);
                if (value != null && !value.isEmpty()) {
                    syslog.put(part, value);
                }
            }
        } else {
            syslog.put("header", prefix);
        }
        add(fields, "syslog", syslog);
    }

    /** Beside what has the same key already. */
    private static void add(ObjectNode fields, String key, JsonNode value) {
        JsonNode before = fields.get(key);
        if (before == null) {
            fields.set(key, value);
        } else if (before instanceof ArrayNode list) {
            list.add(value);
        } else {
            fields.set(key, JsonNodeFactory.instance.arrayNode().add(before).add(value));
        }
    }
}
