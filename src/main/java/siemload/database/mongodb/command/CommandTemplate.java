package siemload.database.mongodb.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInvalidOperationException;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.json.JsonParseException;
import siemload.event.JsonFault;
import siemload.query.CommandText;
import siemload.query.StatementText;

/**
 * A command in Extended JSON (MongoDB's specification, version 2), into which values are put as values: a parameter is a string unless it
 * stands within a type, as in {@code {"$numberInt": ":n"}} or {@code {"$date": ":from"}}. Immutable and thread-safe, as nobody
 * changes the parts of BSON that commands share.
 */
public final class CommandTemplate {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** What a text stands under within a type, with one that is a value there. */
    private static final Map<String, String> EXAMPLES = Map.of(
            "$numberInt",
            "1",
            "$numberLong",
            "1",
            "$numberDouble",
            "1",
            "$numberDecimal",
            "1",
            "$oid",
            "000000000000000000000000",
            "$date",
            "2000-01-01T00:00:00Z",
            "$uuid",
            "00000000-0000-0000-0000-000000000000",
            "pattern",
            "",
            "base64",
            "");

    private static final Set<String> TYPES = Set.of(
            "$numberInt",
            "$numberLong",
            "$numberDouble",
            "$numberDecimal",
            "$oid",
            "$date",
            "$uuid",
            "$regularExpression",
            "$binary");

    private static final Pattern DAY = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");

    private final Node root;

    private CommandTemplate(Node root) {
        this.root = root;
    }

    /** A part of a command. */
    private sealed interface Node {
        /** Without any parameter. */
        record Constant(BsonValue value) implements Node {}

        record Text(String parameter) implements Node {}

        /**
         * A value of a type.
         *
         * @param json of the type, with the parameter in it
         */
        record Typed(JsonNode json, String parameter) implements Node {}

        record Fields(Map<String, Node> fields) implements Node {}

        record Elements(List<Node> elements) implements Node {}
    }

    /**
     * Reads a command.
     *
     * @param text of a command, which has no flaw
     * @throws IllegalArgumentException if it is no Extended JSON; the message says why
     */
    public static CommandTemplate of(StatementText text) {
        try {
            return new CommandTemplate(node(JSON.readTree(text.written())));
        } catch (JsonProcessingException broken) {
            throw new IllegalArgumentException("it is no JSON: " + JsonFault.words(broken), broken);
        }
    }

    private static Node node(JsonNode json) {
        if (!hasParameter(json)) {
            return new Node.Constant(constant(json));
        } else if (json.isTextual()) {
            return new Node.Text(CommandText.parameter(json.textValue()).orElseThrow());
        } else if (json.isArray()) {
            return new Node.Elements(StreamSupport.stream(json.spliterator(), false)
                    .map(CommandTemplate::node)
                    .toList());
        }
        Optional<String> typed = typed(json);
        if (typed.isPresent()) {
            return new Node.Typed(json, typed.get());
        }
        Map<String, Node> fields = new LinkedHashMap<>();
        json.properties().forEach(field -> fields.put(field.getKey(), node(field.getValue())));
        return new Node.Fields(fields);
    }

    /** The only parameter of a type, where this is one. */
    private static Optional<String> typed(JsonNode json) {
        Map.Entry<String, JsonNode> type = json.properties().iterator().next();
        if (json.size() != 1 || !TYPES.contains(type.getKey())) {
            return Optional.empty();
        }
        return type.getValue().isObject()
                ? type.getValue().properties().stream()
                        .filter(part -> EXAMPLES.containsKey(part.getKey()))
                        .flatMap(part -> CommandText.parameter(part.getValue().asText()).stream())
                        .findFirst()
                : CommandText.parameter(type.getValue().asText());
    }

    private static boolean hasParameter(JsonNode json) {
        return json.isTextual()
                ? CommandText.parameter(json.textValue()).isPresent()
                : StreamSupport.stream(json.spliterator(), false).anyMatch(CommandTemplate::hasParameter);
    }

    private static BsonValue constant(JsonNode json) {
        try {
            return parsed(meant(json));
        } catch (JsonParseException | BsonInvalidOperationException | IllegalArgumentException wrong) {
            throw new IllegalArgumentException("it is no Extended JSON: " + wrong.getMessage(), wrong);
        }
    }

    private static JsonNode meant(JsonNode json) {
        if (json.isTextual()) {
            return TextNode.valueOf(CommandText.meant(json.textValue()));
        } else if (json.isArray()) {
            ArrayNode array = JSON.createArrayNode();
            json.forEach(element -> array.add(meant(element)));
            return array;
        } else if (json.isObject()) {
            ObjectNode object = JSON.createObjectNode();
            json.properties().forEach(field -> object.set(field.getKey(), meant(field.getValue())));
            return object;
        }
        return json;
    }

    /** Whether the value of a field at the top has no parameter. */
    boolean isConstant(String field) {
        return root instanceof Node.Constant
                || (root instanceof Node.Fields all && all.fields().get(field) instanceof Node.Constant);
    }

    /**
     * The command with its values.
     *
     * @param values of the parameters, by their names
     * @throws IllegalArgumentException if a value is none of the type that it stands within
     */
    public BsonDocument with(UnaryOperator<String> values) {
        return filled(root, values).asDocument().clone();
    }

    /** The command with some value of its type in the place of each parameter. */
    public BsonDocument example() {
        return example(root).asDocument().clone();
    }

    private static BsonValue filled(Node node, UnaryOperator<String> values) {
        if (node instanceof Node.Constant constant) {
            return constant.value();
        } else if (node instanceof Node.Text text) {
            return new BsonString(values.apply(text.parameter()));
        } else if (node instanceof Node.Typed typed) {
            return typed(typed, values.apply(typed.parameter()));
        } else if (node instanceof Node.Fields fields) {
            BsonDocument document = new BsonDocument();
            fields.fields().forEach((name, value) -> document.append(name, filled(value, values)));
            return document;
        }
        BsonArray array = new BsonArray();
        ((Node.Elements) node).elements().forEach(element -> array.add(filled(element, values)));
        return array;
    }

    private static BsonValue typed(Node.Typed typed, String value) {
        try {
            return parsed(replaced(typed.json(), (field, text) -> field.equals("$date") ? instant(value) : value));
        } catch (JsonParseException | BsonInvalidOperationException | IllegalArgumentException wrong) {
            throw new IllegalArgumentException(
                    "'" + value + "' of :" + typed.parameter() + " is no "
                            + typed.json().fieldNames().next(),
                    wrong);
        }
    }

    /** A day begins at midnight of UTC. */
    private static String instant(String date) {
        return DAY.matcher(date).matches() ? date + "T00:00:00Z" : date;
    }

    /** With another text in the place of each parameter of a type. */
    private static JsonNode replaced(JsonNode json, BinaryOperator<String> value) {
        ObjectNode object = JSON.createObjectNode();
        json.properties().forEach(field -> {
            JsonNode part = field.getValue();
            if (part.isObject()) {
                object.set(field.getKey(), replaced(part, value));
            } else if (CommandText.parameter(part.asText()).isPresent()) {
                object.put(field.getKey(), value.apply(field.getKey(), part.asText()));
            } else {
                object.set(field.getKey(), part);
            }
        });
        return object;
    }

    private static BsonValue parsed(JsonNode json) {
        String text = JSON.createObjectNode().set("value", json).toString();
        return Objects.requireNonNull(BsonDocument.parse(text).get("value"));
    }

    private static BsonValue example(Node node) {
        if (node instanceof Node.Typed typed) {
            return parsed(replaced(typed.json(), (field, text) -> EXAMPLES.getOrDefault(field, "")));
        } else if (node instanceof Node.Fields fields) {
            BsonDocument document = new BsonDocument();
            fields.fields().forEach((name, value) -> document.append(name, example(value)));
            return document;
        } else if (node instanceof Node.Elements elements) {
            List<BsonValue> values = new ArrayList<>();
            elements.elements().forEach(element -> values.add(example(element)));
            return new BsonArray(values);
        }
        return filled(node, parameter -> "");
    }
}
