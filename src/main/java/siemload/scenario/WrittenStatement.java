package siemload.scenario;

import java.util.List;
import siemload.config.ValueType;
import siemload.config.YamlNode;
import siemload.query.StatementText;
import siemload.query.StatementText.Piece;

/**
 * The text of a statement where a scenario has it. Immutable but for the problems that it notes.
 *
 * @param text what there is of it, also where that is not a whole statement
 */
record WrittenStatement(YamlNode node, StatementText text) {

    /** Reads a text of SQL. */
    static WrittenStatement of(ValueLog log, YamlNode node) {
        String written = log.value(node, ValueType.text());
        StatementText.Scanned scanned = StatementText.scan(written);
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
        node.problemAt(offset, message);
    }
}
