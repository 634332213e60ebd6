package siemload.compare.capacity;

import com.fasterxml.jackson.annotation.JsonValue;
import siemload.config.Choices;

/** What a run says of its load. */
public enum TrialOutcome {
    /** The run is valid, its database kept up, and all objectives were met. */
    MET,
    /** An objective was missed, or the database did not keep up. */
    NOT_MET,
    /** Nothing: the run is not valid, or did not measure what an objective is about. */
    INVALID;

    /** The name in results: {@code notMet}. */
    @JsonValue
    public String label() {
        return Choices.camelCase(this);
    }
}
