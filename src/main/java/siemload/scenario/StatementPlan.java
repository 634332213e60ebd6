package siemload.scenario;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import siemload.dataset.SeededRandom;
import siemload.query.Search;
import siemload.query.Statement;

/**
 * A statement of a scenario, and where the values of its parameters come from. Immutable and thread-safe.
 *
 * @param values for each parameter of the statement that the rows have none for, and for no other
 * @param rows values that belong together, such as the start and the end of a window, by parameter: one row is drawn, and gives all of
 *     them. One that stands there twice comes twice as often; empty where nothing comes from rows
 */
public record StatementPlan(Statement statement, Map<String, StatementValues> values, List<Map<String, String>> rows) {
    public StatementPlan {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        rows = List.copyOf(rows);
    }

    /**
     * The same with values in the place of questions.
     *
     * @param answer gives the values that the database is asked for, by the parameter for people: {@code by_user, :user}
     */
    public StatementPlan answered(BiFunction<String, StatementValues.Asked, StatementValues> answer) {
        Map<String, StatementValues> answered = new LinkedHashMap<>(values);
        answered.replaceAll((parameter, source) -> source instanceof StatementValues.Asked asked
                ? answer.apply(statement.name() + ", :" + parameter, asked)
                : source);
        return new StatementPlan(statement, answered, rows);
    }

    /** A search for the statement, with values that depend on the random numbers alone; nothing is still to be asked. */
    Search search(SeededRandom random) {
        Map<String, String> drawn = new HashMap<>(rows.isEmpty() ? Map.of() : rows.get(random.nextInt(rows.size())));
        values.forEach((parameter, source) -> drawn.put(parameter, source.draw(random)));
        return statement.search(drawn);
    }
}
