package siemload.compare.capacity;

import com.fasterxml.jackson.annotation.JsonValue;
import siemload.config.Choices;

/**
 * What a search for the largest load came to. Loads are in the unit of what varies. Immutable.
 *
 * @param kind what is known
 * @param estimate the load up to which more than half of the runs meet all objectives, which is as likely larger as smaller; the
 *     bound where only a bound is known; 0 where nothing is
 * @param low the load is as large as this, or larger, with a probability of 97.5 %
 * @param high the load is as large as this, or smaller, with a probability of 97.5 %
 */
public record Finding(Kind kind, double estimate, double low, double high) {

    /** How much is known of the largest load. */
    public enum Kind {
        /** As exactly as was asked for. */
        FOUND,
        /** Less exactly: there were no more runs. */
        ROUGHLY,
        /** The largest load that was allowed meets all objectives. */
        AT_LEAST,
        /** Not even the smallest load meets all objectives. */
        LESS_THAN,
        /** At least as large as {@code low}; runs at larger loads are not valid. */
        NOT_MEASURABLE,
        /** No run met all objectives, and it is not certain that none could: runs were not valid, or there were no more. */
        NOTHING_MET;

        /** The name in results: {@code atLeast}. */
        @JsonValue
        public String label() {
            return Choices.camelCase(this);
        }
    }

    /** Whether the question is answered: by a load, or by a bound that was given. */
    public boolean hasAnswer() {
        return kind == Kind.FOUND || kind == Kind.AT_LEAST || kind == Kind.LESS_THAN;
    }

    /** Whether some load meets all objectives. */
    public boolean hasLoad() {
        return switch (kind) {
            case FOUND, ROUGHLY, AT_LEAST, NOT_MEASURABLE -> true;
            case LESS_THAN, NOTHING_MET -> false;
        };
    }
}
