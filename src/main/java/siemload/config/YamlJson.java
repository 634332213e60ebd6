package siemload.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Pattern;

/** What stands in a YAML file as JSON. Stateless. */
final class YamlJson {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    /** Of JSON (RFC 8259, 6), with a sign before it and short enough to be one of a database. */
    private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]{1,40}([.][0-9]{1,40})?([eE][+-]?[0-9]{1,3})?");

    private final YamlSource source;

    private YamlJson(YamlSource source) {
        this.source = source;
    }

    /** The text of a tree; what JSON cannot say is noted at its place. */
    static String text(YamlSource source, String path, YamlTree tree) {
        try {
            return JSON.writeValueAsString(new YamlJson(source).node(path, tree));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree always has a JSON form", e);
        }
    }

    private JsonNode node(String path, YamlTree tree) {
        if (tree instanceof YamlTree.Mapping mapping) {
            ObjectNode object = NODES.objectNode();
            mapping.entries().forEach((key, entry) -> object.set(key, node(path + "." + key, entry.value())));
            return object;
        } else if (tree instanceof YamlTree.Sequence sequence) {
            ArrayNode array = NODES.arrayNode();
            for (YamlTree element : sequence.elements()) {
                array.add(node(path + "[" + array.size() + "]", element));
            }
            return array;
        } else if (tree instanceof YamlTree.Scalar scalar) {
            return scalar(path, scalar);
        }
        boolean isText = tree instanceof YamlTree.Empty empty && empty.quotes() == YamlTree.Empty.Quotes.EMPTY;
        return isText ? TextNode.valueOf("") : NullNode.getInstance();
    }

    private JsonNode scalar(String path, YamlTree.Scalar scalar) {
        return switch (scalar.kind()) {
            case TEXT -> TextNode.valueOf(scalar.text());
            case TRUTH -> truth(scalar.text());
            case NUMBER -> number(path, scalar);
        };
    }

    /** Words such as {@code no} and {@code on} were switches to YAML 1.1, and are texts to whoever writes JSON. */
    private static JsonNode truth(String word) {
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "true" -> BooleanNode.TRUE;
            case "false" -> BooleanNode.FALSE;
            default -> TextNode.valueOf(word);
        };
    }

    private JsonNode number(String path, YamlTree.Scalar scalar) {
        String digits = scalar.text().replace("_", "");
        if (!NUMBER.matcher(digits).matches()) {
            source.note(
                    scalar.place(),
                    ValueType.brief(path),
                    ValueType.quoted(scalar.text())
                            + " is no number of JSON (write it in digits, or as text in quotes)");
            return NullNode.getInstance();
        }
        return DecimalNode.valueOf(new BigDecimal(digits));
    }
}
