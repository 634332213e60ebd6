package siemload.database.mongodb.querylog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import siemload.database.LatestUsed;
import siemload.database.LoggedText;
import siemload.database.mongodb.command.CommandTemplate;
import siemload.database.mongodb.command.ReadingCommands;
import siemload.query.StatementText;

/** What becomes of a logged command: its form and its values, or why it is left out. Remembers the latest forms. Not thread-safe. */
final class CommandForms {
    private static final int REMEMBERED = 500;
    /** What stands in the place of each value where the server was told to hide them. */
    private static final String HIDDEN = "###";

    private static final String WRITES = "writes";
    private static final String COLLECTIONS = "makes, changes or drops collections or indexes";
    private static final String ENDS = "begins or ends a transaction";
    private static final Map<String, String> OTHERS = Map.ofEntries(
            Map.entry("insert", WRITES),
            Map.entry("update", WRITES),
            Map.entry("delete", WRITES),
            Map.entry("remove", WRITES),
            Map.entry("findAndModify", WRITES),
            Map.entry("findandmodify", WRITES),
            Map.entry("bulkWrite", WRITES),
            Map.entry("applyOps", WRITES),
            Map.entry("create", COLLECTIONS),
            Map.entry("createIndexes", COLLECTIONS),
            Map.entry("drop", COLLECTIONS),
            Map.entry("dropDatabase", COLLECTIONS),
            Map.entry("dropIndexes", COLLECTIONS),
            Map.entry("collMod", COLLECTIONS),
            Map.entry("renameCollection", COLLECTIONS),
            Map.entry("commitTransaction", ENDS),
            Map.entry("abortTransaction", ENDS),
            Map.entry("getMore", "asks for more rows of a command that is counted"),
            Map.entry("getmore", "asks for more rows of a command that is counted"));

    private static final Set<String> SERVERS_OWN = Set.of("admin", "config", "local");
    private static final Set<String> WRITING_STAGES = Set.of("$out", "$merge");
    /** What drivers, routers and siemload itself add to a command. */
    private static final Set<String> ADDED = Set.of(
            "lsid",
            "txnNumber",
            "stmtId",
            "autocommit",
            "startTransaction",
            "maxTimeMS",
            "maxTimeMSOpOnly",
            "comment",
            "apiVersion",
            "apiStrict",
            "apiDeprecationErrors",
            "writeConcern",
            "shardVersion",
            "databaseVersion",
            "needsMerge",
            "fromMongos",
            "fromRouter",
            "runtimeConstants",
            "mayBypassWriteBlocking",
            "bypassDocumentValidation",
            "clientOperationKey",
            "readConcern");

    /** Whether a form can be asked again, by its text. */
    private final Map<String, Boolean> remembered = new LatestUsed<>(REMEMBERED);

    /** What becomes of it. Immutable. */
    sealed interface Outcome {
        /**
         * It is not asked again.
         *
         * @param reason a group of words that can be counted
         */
        record LeftOut(String reason) implements Outcome {}

        /** It is asked again with these values of the text's parameters, in their order. */
        record Asked(StatementText text, List<String> values) implements Outcome {}
    }

    Outcome of(LoggedOperation operation) {
        return refusal(operation).<Outcome>map(Outcome.LeftOut::new).orElseGet(() -> asked(own(operation.command())));
    }

    private static Optional<String> refusal(LoggedOperation operation) {
        JsonNode command = operation.command();
        String name = command.isEmpty() || operation.kind().equals("getmore")
                ? operation.kind()
                : command.fieldNames().next();
        Set<String> fields = ReadingCommands.fields(name);
        if (OTHERS.containsKey(operation.kind()) || OTHERS.containsKey(name)) {
            return Optional.of(OTHERS.getOrDefault(operation.kind(), OTHERS.getOrDefault(name, "")));
        } else if (operation.cut()) {
            return Optional.of("is cut off (maxLogSizeKB)");
        } else if (fields.isEmpty()) {
            return Optional.of("is no find, aggregate, count or distinct");
        } else if (SERVERS_OWN.contains(operation.database())
                || command.path(name).asText().startsWith("system.")) {
            return Optional.of("reads what is the server's own");
        } else if (operation.failed()) {
            return Optional.of("failed");
        } else if (hasStage(command.path("pipeline"), WRITING_STAGES)) {
            return Optional.of(WRITES);
        } else if (command.path("tailable").asBoolean()
                || hasStage(command.path("pipeline"), Set.of("$changeStream"))) {
            return Optional.of("waits for what will be written");
        }
        return command.properties().stream()
                .map(Map.Entry::getKey)
                .filter(field -> !field.equals(name) && !fields.contains(field) && !isAdded(field))
                .findFirst()
                .map(unknown -> "has a field that is not known");
    }

    private static boolean isAdded(String field) {
        return ADDED.contains(field) || field.startsWith("$") || field.equals("tailable") || field.equals("awaitData");
    }

    private static boolean hasStage(JsonNode pipeline, Set<String> names) {
        for (JsonNode stage : pipeline) {
            if (names.stream().anyMatch(stage::has)) {
                return true;
            }
        }
        return false;
    }

    /** Without what others have added. The level of reading is the client's choice. */
    private static JsonNode own(JsonNode command) {
        ObjectNode own = JsonNodeFactory.instance.objectNode();
        command.properties().stream()
                .filter(field -> !isAdded(field.getKey()))
                .forEach(field -> own.set(field.getKey(), field.getValue()));
        JsonNode level = command.path("readConcern").path("level");
        if (level.isTextual()) {
            own.putObject("readConcern").set("level", level);
        }
        return own;
    }

    private Outcome asked(JsonNode command) {
        NormalCommand normal = NormalCommand.of(command);
        Optional<String> flaw = LoggedText.flaw(normal.text()).or(() -> LoggedText.flawOfValues(normal.values()));
        if (flaw.isPresent()) {
            return new Outcome.LeftOut(flaw.get());
        } else if (normal.values().contains(HIDDEN)) {
            return new Outcome.LeftOut("has values that are hidden (redactClientLogData)");
        }
        StatementText text = StatementText.scan(StatementText.Language.COMMAND, normal.text())
                .statement();
        return remembered.computeIfAbsent(
                        normal.text(),
                        written -> isAskable(written, normal.values().size()))
                ? new Outcome.Asked(text, normal.values())
                : new Outcome.LeftOut("cannot be written in the notation of scenarios");
    }

    private static boolean isAskable(String written, int values) {
        StatementText.Scanned scanned = StatementText.scan(StatementText.Language.COMMAND, written);
        List<String> expected =
                IntStream.rangeClosed(1, values).mapToObj(i -> "p" + i).toList();
        if (scanned.flaw().isPresent() || !scanned.statement().places().equals(expected)) {
            return false;
        }
        try {
            return ReadingCommands.refusal(CommandTemplate.of(scanned.statement()))
                    .isEmpty();
        } catch (IllegalArgumentException noExtendedJson) {
            return false;
        }
    }
}
