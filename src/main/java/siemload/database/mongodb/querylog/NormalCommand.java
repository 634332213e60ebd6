package siemload.database.mongodb.querylog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import siemload.query.CommandText;

/**
 * A command in the form that all have which differ in values alone: with a parameter in place of each literal of a filter, of
 * {@code limit} and of {@code skip}, and of the stages of the same meaning. Immutable.
 *
 * <p>Everywhere else literals stay, since they say what is asked. So do truth values, null, and what operators such as {@code $type} or
 * {@code $expr} have. A number keeps the type that Extended JSON gives to the literal.
 *
 * @param text in the notation of scenarios
 * @param values of the parameters {@code p1}, {@code p2} and so on
 */
record NormalCommand(String text, List<String> values) {
    NormalCommand {
        values = List.copyOf(values);
    }

    /** Makes it of a command that has only fields of its own. */
    static NormalCommand of(JsonNode command) {
        Writer writer = new Writer();
        String text = writer.command(command).toString();
        return new NormalCommand(text, writer.values);
    }

    /** Goes through a command once. */
    private static final class Writer {
        private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
        private static final Set<String> FILTERS =
                Set.of("filter", "query", "min", "max", "$match", "restrictSearchWithMatch");
        private static final Set<String> COUNTS = Set.of("limit", "skip", "$limit", "$skip");
        /** Operators whose operand is a part of the question. */
        private static final Set<String> ASKING = Set.of(
                "$type",
                "$exists",
                "$options",
                "$comment",
                "$where",
                "$expr",
                "$jsonSchema",
                "$mod",
                "$geoWithin",
                "$geoIntersects",
                "$near",
                "$nearSphere",
                "$maxDistance",
                "$minDistance",
                "$language",
                "$caseSensitive",
                "$diacriticSensitive",
                "$sampleRate");

        private static final Set<String> TYPES =
                Set.of("$numberInt", "$numberLong", "$numberDouble", "$numberDecimal", "$oid", "$date", "$uuid");
        private static final Set<String> OTHER_TYPES = Set.of(
                "$timestamp",
                "$minKey",
                "$maxKey",
                "$undefined",
                "$symbol",
                "$code",
                "$dbPointer",
                "$regularExpression",
                "$binary");

        private final List<String> values = new ArrayList<>();

        /** The stages of a pipeline are fields of the same kind. */
        JsonNode command(JsonNode command) {
            return fields(command, this::field);
        }

        private JsonNode field(String name, JsonNode value) {
            if (FILTERS.contains(name) && value.isObject()) {
                return filter(value);
            } else if (COUNTS.contains(name) && value.canConvertToInt()) {
                return number(value);
            } else if (name.equals("pipeline") && value.isArray()) {
                return elements(value, this::command);
            } else if (name.equals("$facet") && value.isObject()) {
                return fields(value, (facet, stages) -> elements(stages, this::command));
            } else if (Set.of("$lookup", "$unionWith", "$graphLookup", "$geoNear")
                            .contains(name)
                    && value.isObject()) {
                return command(value);
            }
            return said(value);
        }

        private JsonNode filter(JsonNode value) {
            if (value.isObject()) {
                String first = value.isEmpty() ? "" : value.fieldNames().next();
                return value.size() == 1 && (TYPES.contains(first) || OTHER_TYPES.contains(first))
                        ? typed(first, value)
                        : fields(value, (name, operand) -> ASKING.contains(name) ? said(operand) : filter(operand));
            } else if (value.isArray()) {
                return elements(value, this::filter);
            } else if (value.isTextual()) {
                return parameter(value.textValue());
            }
            return value.isNumber() ? number(value) : value;
        }

        private JsonNode number(JsonNode number) {
            String type = !number.isIntegralNumber()
                    ? "$numberDouble"
                    : number.canConvertToInt() ? "$numberInt" : "$numberLong";
            return NODES.objectNode().set(type, parameter(number.asText()));
        }

        private JsonNode typed(String type, JsonNode value) {
            JsonNode inner = value.get(type);
            if (TYPES.contains(type) && inner.isTextual()) {
                return NODES.objectNode().set(type, parameter(inner.textValue()));
            }
            String part = type.equals("$date")
                    ? "$numberLong"
                    : type.equals("$binary") ? "base64" : type.equals("$regularExpression") ? "pattern" : "";
            if (!inner.path(part).isTextual()) {
                return said(value);
            }
            return NODES.objectNode()
                    .set(
                            type,
                            fields(
                                    inner,
                                    (name, text) -> name.equals(part) ? parameter(text.textValue()) : said(text)));
        }

        private JsonNode parameter(String value) {
            values.add(value);
            return NODES.textNode(":p" + values.size());
        }

        /** A part without parameters. */
        private JsonNode said(JsonNode value) {
            if (value.isTextual()) {
                return NODES.textNode(CommandText.said(value.textValue()));
            } else if (value.isObject()) {
                return fields(value, (name, part) -> said(part));
            }
            return value.isArray() ? elements(value, this::said) : value;
        }

        private static JsonNode fields(JsonNode object, Field change) {
            ObjectNode changed = NODES.objectNode();
            object.properties()
                    .forEach(field -> changed.set(field.getKey(), change.of(field.getKey(), field.getValue())));
            return changed;
        }

        private static JsonNode elements(JsonNode array, UnaryOperator<JsonNode> change) {
            ArrayNode changed = NODES.arrayNode();
            array.forEach(element -> changed.add(change.apply(element)));
            return changed;
        }

        @FunctionalInterface
        private interface Field {
            JsonNode of(String name, JsonNode value);
        }
    }
}
