package siemload.query;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A statement in the database's own language that is asked, timed and reported as a search is: the search has its name, and the
 * values of its parameters as criteria. Immutable.
 *
 * @param name what it is called in results
 * @param effect what its user says of it; a server that is told that it only reads lets it do no more
 */
public record Statement(SearchName name, StatementText text, Effect effect) {

    /** What becomes of the data. */
    public enum Effect {
        READS,
        /** It may change them, and what it changes stays. */
        WRITES
    }

    /** One that only reads. */
    public Statement(SearchName name, StatementText text) {
        this(name, text, Effect.READS);
    }

    /** Whether it may change data. */
    public boolean writes() {
        return effect == Effect.WRITES;
    }

    /**
     * What is asked with these values: the whole result, in whatever order the statement says.
     *
     * @param values one for each parameter, by its name
     */
    public Search search(Map<String, String> values) {
        List<Criterion> criteria = text.parameters().stream()
                .<Criterion>map(parameter -> new Criterion.ParameterIs(
                        parameter, Objects.requireNonNull(values.get(parameter), () -> "no value for :" + parameter)))
                .toList();
        return new Search(name, Window.ALWAYS, criteria, Order.UNSORTED, new Page.Stated());
    }

    /** The values of a search of this statement, one for each place in the text that has a parameter. */
    public List<String> values(Search search) {
        return text.places().stream().map(place -> value(place, search)).toList();
    }

    /** The text of a search of this statement with its values in it, for people: to be run by hand. */
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
