package siemload.scenario;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import siemload.query.Statement;

/**
 * A statement of a scenario, and where the values of its parameters come from. Immutable.
 *
 * @param values for each parameter of the statement that the rows have none for, and for no other
 * @param rows values that belong together
 * @param then what the log, or the counts, have of it from which it was learnt; empty where it was written by hand
 */
public record StatementPlan(
        Statement statement, Map<String, StatementValues> values, ValueRows rows, Optional<StatementThen> then) {
    public StatementPlan {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** One that nobody has learnt from a log. */
    public StatementPlan(Statement statement, Map<String, StatementValues> values, ValueRows rows) {
        this(statement, values, rows, Optional.empty());
    }
}
