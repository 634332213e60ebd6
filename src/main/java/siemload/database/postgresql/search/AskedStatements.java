package siemload.database.postgresql.search;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import siemload.database.server.Portions;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.query.StatementText;

/** The statements of a scenario as the driver takes them, and which of them have large answers. Thread-safe. */
public final class AskedStatements {
    private final Map<SearchName, Asked> byName;
    private final Set<SearchName> large = ConcurrentHashMap.newKeySet();

    public AskedStatements(List<Statement> statements) {
        Map<SearchName, Asked> all = new HashMap<>();
        statements.forEach(statement -> all.put(statement.name(), new Asked(statement, sql(statement.text()))));
        this.byName = Map.copyOf(all);
    }

    /**
     * One of them.
     *
     * @param sql with {@code ?} in the place of each parameter
     */
    record Asked(Statement statement, String sql) {}

    /** The one that a search is for. */
    Asked of(Search search) {
        Asked asked = byName.get(search.name());
        if (asked == null) {
            throw new IllegalArgumentException(search.name() + " is no statement of this run");
        }
        return asked;
    }

    /** To the driver a question mark is a place for a value, and two of them are the operator of that name. */
    static String sql(StatementText text) {
        return text.written(code -> code.replace("?", "??"), parameter -> "?");
    }

    /** Whether answers to it have had more rows than are taken into memory at once. */
    boolean isLarge(Asked asked) {
        return large.contains(asked.statement().name());
    }

    /** Notes how many rows an answer had. */
    void answered(Asked asked, long rows) {
        if (rows > Portions.LARGEST_AT_ONCE) {
            large.add(asked.statement().name());
        }
    }
}
