package siemload.database.sql;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.query.StatementText;

/** The statements of a scenario as the driver takes them. Immutable and thread-safe. */
public final class AskedStatements {
    private final UnaryOperator<String> code;
    private final Map<SearchName, Asked> byName;

    /** @param code writes what is neither quoted nor a parameter so that the driver finds no other places of values in it */
    public AskedStatements(List<Statement> statements, UnaryOperator<String> code) {
        this.code = code;
        Map<SearchName, Asked> all = new HashMap<>();
        statements.forEach(statement -> all.put(statement.name(), new Asked(statement, sql(statement.text()))));
        this.byName = Map.copyOf(all);
    }

    /**
     * One of them.
     *
     * @param sql with {@code ?} in the place of each parameter
     */
    public record Asked(Statement statement, String sql) {}

    /** The one that a search is for. */
    public Asked of(Search search) {
        Asked asked = byName.get(search.name());
        if (asked == null) {
            throw new IllegalArgumentException(search.name() + " is no statement of this run");
        }
        return asked;
    }

    /** A text with {@code ?} in the place of each parameter. */
    public String sql(StatementText text) {
        return text.written(code, parameter -> "?");
    }
}
