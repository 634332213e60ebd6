package siemload.scenario.replay;

import java.util.List;
import siemload.query.Statement;

/**
 * One of the different statements of a query recording. Immutable.
 *
 * @param example the values of one of its executions, in the order of its parameters
 * @param plans by which it was executed then, the commonest first; none where the log has none
 */
public record RecordedQuery(Statement statement, List<String> example, List<RecordedPlan> plans) {
    public RecordedQuery {
        plans = List.copyOf(plans);
        example = List.copyOf(example);
        if (example.size() != statement.text().parameters().size()) {
            throw new IllegalArgumentException(statement.name() + " has an example of " + example.size()
                    + " values for " + statement.text().parameters().size() + " parameters");
        }
    }

    /** One of which nobody knows by which plans. */
    public RecordedQuery(Statement statement, List<String> example) {
        this(statement, example, List.of());
    }
}
