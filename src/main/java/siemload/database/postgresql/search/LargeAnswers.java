package siemload.database.postgresql.search;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import siemload.database.server.Portions;
import siemload.query.SearchName;

/** Which statements of a run have had answers of more rows than are taken into memory at once. Thread-safe. */
public final class LargeAnswers {
    private final Set<SearchName> large = ConcurrentHashMap.newKeySet();

    boolean has(SearchName statement) {
        return large.contains(statement);
    }

    /** Notes how many rows an answer had. */
    void answered(SearchName statement, long rows) {
        if (rows > Portions.LARGEST_AT_ONCE) {
            large.add(statement);
        }
    }
}
