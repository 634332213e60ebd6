package siemload.scenario.replay;

import java.util.List;
import siemload.query.Statement;

/**
 * One of the different statements of a query recording. Immutable.
 *
 * @param example the values of one of its executions, in the order of its parameters
 */
public record RecordedQuery(Statement statement, List<String> example) {
    public RecordedQuery {
        example = List.copyOf(example);
        if (example.size() != statement.text().parameters().size()) {
            throw new IllegalArgumentException(statement.name() + " has an example of " + example.size()
                    + " values for " + statement.text().parameters().size() + " parameters");
        }
    }
}
