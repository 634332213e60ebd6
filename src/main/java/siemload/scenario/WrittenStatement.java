package siemload.scenario;

import java.util.List;
import java.util.Optional;
import siemload.config.ValueType;
import siemload.config.YamlNode;
import siemload.query.StatementText;
import siemload.query.StatementText.Language;
import siemload.query.StatementText.Piece;

/**
 * The text of a statement where a scenario has it: SQL as a text, a command as a text of JSON or as YAML of its own. Immutable but for
 * the problems that it notes.
 *
 * @param text what there is of it, also where that is not a whole statement
 */
record WrittenStatement(YamlNode node, StatementText text) {

    /** Reads the text of a statement, under the key of its language. */
    static WrittenStatement of(ValueLog log, YamlNode statement) {
        Optional<YamlNode> command = statement.optional(Language.COMMAND.key());
        if (command.isPresent()) {
            statement
                    .optional(Language.SQL.key())
                    .ifPresent(sql -> sql.problem("cannot stand beside command (leave one out)"));
            return of(log, command.get(), Language.COMMAND);
        }
        return of(log, statement.required(Language.SQL.key()), Language.SQL);
    }

    /** Reads a text of this language. */
    static WrittenStatement of(ValueLog log, YamlNode node, Language language) {
        boolean isYaml = language == Language.COMMAND && node.isMapping();
        String written = isYaml ? node.json() : log.value(node, ValueType.text());
        if (isYaml) {
            log.put(node.path(), written, node.origin());
        }
        StatementText.Scanned scanned = StatementText.scan(language, written);
        WrittenStatement statement = new WrittenStatement(node, scanned.statement());
        scanned.flaw()
                .filter(flaw -> !written.isEmpty())
                .ifPresent(flaw -> statement.problemAt(flaw.offset(), flaw.message()));
        return statement;
    }

    /** The places of its parameters, in the order of the text. */
    List<Piece.Parameter> places() {
        return text.pieces().stream()
                .filter(Piece.Parameter.class::isInstance)
                .map(Piece.Parameter.class::cast)
                .toList();
    }

    /** Notes that something is wrong with it, at this character of a text. */
    void problemAt(int offset, String message) {
        if (node.isMapping()) {
            node.problem(message);
        } else {
            node.problemAt(offset, message);
        }
    }
}
