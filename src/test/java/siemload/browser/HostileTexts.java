package siemload.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Puts texts that want to be markup, script or address in front of every text of result files. Equal texts stay equal, so
 * that what refers to each other still does. Stateless.
 */
final class HostileTexts {
    static final List<String> ALL = List.of(
            "<img src=x onerror=hostile(name)>",
            "</script><script>hostile(name)</script>",
            "javascript:hostile(name)//",
            "\"' onmouseover=hostile(name) onfocus=hostile(name) autofocus x='",
            "`${hostile(name)}`",
            "\u2028hostile(name);//\u2029",
            "<svg/onload=hostile(name)>",
            "<iframe srcdoc='<script>parent.hostile(name)</script>'>",
            "&lt;img src=x onerror=hostile(name)&gt;",
            "<!--<script>",
            "</title></style></textarea><details open ontoggle=hostile(name)>",
            "{a|<img src=x onerror=hostile(name)>}");

    /** Those whose values are instants or constants, which no reader takes another text for. */
    private static final Set<String> NOT_FREE =
            Set.of("startedAt", "kind", "is", "asked", "verdict", "outcome", "quantity", "file", "security");

    /** Objects whose keys are texts, too. */
    private static final Set<String> MAPS =
            Set.of("container", "environment", "errors", "facts", "figures", "counters", "sections", "shapes");

    private static final ObjectMapper JSON = new ObjectMapper();

    private HostileTexts() {}

    /** Always the same one in front of a text. */
    static String of(String text) {
        return ALL.get(Math.floorMod(text.hashCode(), ALL.size())) + text;
    }

    static void in(Path json) throws IOException {
        JSON.writeValue(json.toFile(), of("", JSON.readTree(json.toFile())));
    }

    static JsonNode of(String key, JsonNode node) {
        if (node instanceof ObjectNode object) {
            ObjectNode hostile = JsonNodeFactory.instance.objectNode();
            boolean texts = MAPS.contains(key) || key.equals("settings") || key.equals("values");
            object.properties()
                    .forEach(entry -> hostile.set(
                            texts && !entry.getKey().matches("\\d+") ? of(entry.getKey()) : entry.getKey(),
                            of(entry.getKey(), entry.getValue())));
            return hostile;
        }
        if (node instanceof ArrayNode array) {
            ArrayNode hostile = JsonNodeFactory.instance.arrayNode();
            array.forEach(element -> hostile.add(of("", element)));
            return hostile;
        }
        return node.isTextual() && !NOT_FREE.contains(key) ? TextNode.valueOf(of(node.textValue())) : node;
    }

    /** In place of one text of a file that is no JSON. */
    static void in(Path file, String text) throws IOException {
        Files.writeString(file, Files.readString(file).replace(text, of(text)));
    }
}
