package siemload.query;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A statement in the database's own language. A statement is executed, timed and reported like a search with its name; its parameters'
 * values are the criteria. Immutable.
 *
 * @param effect the effect that its user declared; the server enforces that a reading statement only reads
 */
public record Statement(SearchName name, StatementText text, Effect effect) {

    /** The effect of a statement on the data. */
    public enum Effect {
        READS,
        /** The statement may change data, and the changes are kept. */
        WRITES
    }

    /** A statement that only reads. */
    public Statement(SearchName name, StatementText text) {
        this(name, text, Effect.READS);
    }

    /** Returns whether the statement may change data. */
    public boolean writes() {
        return effect == Effect.WRITES;
    }

    /** Returns the search with these values of all parameters, which reads the whole result in the statement's own order. */
    public Search search(Map<String, String> values) {
        List<Criterion> criteria = text.parameters().stream()
                .<Criterion>map(parameter -> new Criterion.ParameterIs(
                        parameter, Objects.requireNonNull(values.get(parameter), () -> "no value for :" + parameter)))
                .toList();
        return new Search(name, Window.ALWAYS, criteria, Order.UNSORTED, new Page.Stated());
    }

    /** The values of a search of this statement, one for each occurrence of a parameter in the text. */
    public List<String> values(Search search) {
        return text.places().stream().map(place -> value(place, search)).toList();
    }

    /** The text of a search of this statement with literal values, which people can run by hand. */
    public String text(Search search) {
        return text.written(
                code -> code, parameter -> "'" + value(parameter, search).replace("'", "''") + "'");
    }

    private static String value(String parameter, Search search) {
        for (Criterion criterion : search.criteria()) {
            if (criterion instanceof Criterion.ParameterIs is && is.parameter().equals(parameter)) {
                return is.value();
            }
        }
        throw new IllegalArgumentException("no value for :" + parameter + " of " + search.name());
    }
}
