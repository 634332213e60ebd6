package siemload.results;

import com.fasterxml.jackson.annotation.JsonValue;
import siemload.config.Choices;

/** What the numbers of a run are worth. */
public enum RunVerdict {
    /** The numbers describe what the scenario asks for. */
    VALID,
    /** The numbers hold: they say that the database did not keep up with what the scenario asks for. */
    SATURATED,
    /** The load generator, its machine or the measurement failed: they describe something else. */
    NOT_VALID;

    /** The name in results: {@code notValid}. */
    @JsonValue
    public String label() {
        return Choices.camelCase(this);
    }
}
