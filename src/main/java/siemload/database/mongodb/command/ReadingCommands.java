package siemload.database.mongodb.command;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * Which commands are known to read, with all fields that they may have (MongoDB 8.0, database commands). The server itself has no
 * transactions that only read, so that nothing else is sent to it. Stateless.
 */
public final class ReadingCommands {
    private static final Map<String, Set<String>> FIELDS = Map.of(
            "find",
                    Set.of(
                            "filter",
                            "sort",
                            "projection",
                            "hint",
                            "skip",
                            "limit",
                            "batchSize",
                            "singleBatch",
                            "max",
                            "min",
                            "returnKey",
                            "showRecordId",
                            "noCursorTimeout",
                            "allowPartialResults",
                            "allowDiskUse",
                            "collation",
                            "let",
                            "readConcern"),
            "aggregate", Set.of("pipeline", "cursor", "allowDiskUse", "collation", "hint", "let", "readConcern"),
            "count", Set.of("query", "limit", "skip", "hint", "collation", "readConcern"),
            "distinct", Set.of("key", "query", "hint", "collation", "readConcern"));

    private static final List<String> NAMES = List.of("find", "aggregate", "count", "distinct");
    private static final Map<String, String> OURS = Map.of(
            "maxTimeMS", "-Dtimeout says how long a statement may take",
            "comment", "by which siemload finds what it has to stop");
    private static final Set<String> WRITING = Set.of("$out", "$merge");
    private static final String ENDLESS = "$changeStream";

    private ReadingCommands() {}

    /** Why a command is not asked; empty if it is one of those that are known to read. */
    public static Optional<String> refusal(CommandTemplate template) {
        BsonDocument command = template.example();
        String name = command.getFirstKey();
        Set<String> fields = FIELDS.get(name);
        if (fields == null) {
            return Optional.of(
                    "'" + name + "' is none of the commands that are known to read (allowed, as the first field: "
                            + String.join(", ", NAMES) + ")");
        }
        BsonValue collection = Objects.requireNonNull(command.get(name));
        boolean isNamed =
                collection.isString() && !collection.asString().getValue().isEmpty();
        boolean isOfDatabase = name.equals("aggregate") && collection.isNumber();
        if (!template.isConstant(name) || (!isNamed && !isOfDatabase)) {
            return Optional.of(name + " needs the name of a collection, and no parameter in its place");
        }
        return command.keySet().stream()
                .filter(field -> !field.equals(name) && !fields.contains(field))
                .findFirst()
                .map(field -> name + " cannot have the field '" + field + "' "
                        + (OURS.containsKey(field)
                                ? "(leave it out: " + OURS.get(field) + ")"
                                : "(allowed: "
                                        + String.join(
                                                ", ", fields.stream().sorted().toList()) + ")"))
                .or(() -> writing(command).map(stage -> "the stage " + stage + " writes"))
                .or(() -> contains(command, ENDLESS)
                        ? Optional.of("the stage " + ENDLESS + " never ends")
                        : Optional.empty());
    }

    /** The collection that a command reads first; empty where it reads none. */
    public static Optional<String> collection(BsonDocument command) {
        BsonValue collection = Objects.requireNonNull(command.get(command.getFirstKey()));
        return collection.isString() ? Optional.of(collection.asString().getValue()) : Optional.empty();
    }

    /** The fields that a command of this name may have beside its own; none where it is not known to read. */
    public static Set<String> fields(String name) {
        return FIELDS.getOrDefault(name, Set.of());
    }

    private static Optional<String> writing(BsonDocument command) {
        return WRITING.stream()
                .sorted()
                .filter(stage -> contains(command, stage))
                .findFirst();
    }

    private static boolean contains(BsonValue value, String field) {
        if (value.isDocument()) {
            return value.asDocument().entrySet().stream()
                    .anyMatch(entry -> entry.getKey().equals(field) || contains(entry.getValue(), field));
        }
        return value.isArray() && value.asArray().stream().anyMatch(element -> contains(element, field));
    }
}
