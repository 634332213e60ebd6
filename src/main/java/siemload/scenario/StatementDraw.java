package siemload.scenario;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import siemload.dataset.SeededRandom;
import siemload.query.Search;
import siemload.query.SearchName;

/**
 * Fills in the values of statements. What is drawn depends on the values and the random numbers alone. Immutable and
 * thread-safe.
 *
 * @param statements by their names; nothing in them is still to be asked
 */
public record StatementDraw(Map<SearchName, StatementPlan> statements) {
    /** Of a scenario without statements. */
    public static final StatementDraw NONE = new StatementDraw(Map.of());

    public StatementDraw {
        statements = Collections.unmodifiableMap(new LinkedHashMap<>(statements));
    }

    /**
     * Draws from the values of a scenario.
     *
     * @param answer gives the values that the database is asked for, by the parameter for people: {@code by_user, :user}
     */
    public static StatementDraw of(
            List<StatementPlan> planned, BiFunction<String, StatementValues.Asked, StatementValues> answer) {
        Map<SearchName, StatementPlan> statements = new LinkedHashMap<>();
        for (StatementPlan plan : planned) {
            Map<String, StatementValues> values = new LinkedHashMap<>();
            plan.values()
                    .forEach((parameter, source) -> values.put(
                            parameter,
                            source instanceof StatementValues.Asked asked
                                    ? answer.apply(plan.statement().name() + ", :" + parameter, asked)
                                    : source));
            statements.put(plan.statement().name(), new StatementPlan(plan.statement(), values, plan.rows()));
        }
        return new StatementDraw(statements);
    }

    /** Whether this is the name of a statement. */
    public boolean has(SearchName name) {
        return statements.containsKey(name);
    }

    /** A search for this statement with values drawn for it. */
    public Search search(SearchName name, SeededRandom random) {
        StatementPlan plan = statements.get(name);
        if (plan == null) {
            throw new IllegalArgumentException(name + " is no statement");
        }
        Map<String, String> values = plan.rows().draw(random);
        plan.values().forEach((parameter, source) -> values.put(parameter, source.draw(random)));
        return plan.statement().search(values);
    }
}
