package siemload.scenario;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import siemload.query.Statement;

/**
 * A statement of a scenario, and where the values of its parameters come from. Immutable.
 *
 * @param values for each parameter of the statement that the rows have none for, and for no other
 * @param rows values that belong together
 */
public record StatementPlan(Statement statement, Map<String, StatementValues> values, ValueRows rows) {
    public StatementPlan {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }
}
