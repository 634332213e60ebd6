package siemload.results;

import com.fasterxml.jackson.annotation.JsonValue;
import siemload.config.Choices;

/** What the numbers of a run are worth. Whether the database kept up is another question: {@link Saturation}. */
public enum RunVerdict {
    /** The numbers describe what the scenario asks for. */
    VALID,
    /** They do so roughly: others cost time, and {@link Disturbance} says how far the percentiles may be off. */
    DISTURBED,
    /** The load generator, its machine or the measurement failed: they describe something else. */
    NOT_VALID;

    /** The name in results: {@code notValid}. */
    @JsonValue
    public String label() {
        return Choices.camelCase(this);
    }
}
