package siemload.scenario;

import java.util.List;
import siemload.config.Choices;
import siemload.config.ValueType;
import siemload.config.YamlRecords.Key;

/** How users read a result. Immutable. */
public sealed interface ResultReading {
    /** The whole result as it is written, the only way that is a word. */
    ValueType<String> WHOLE = new ValueType<>(
            "whole, or {size: 100}",
            "whole",
            text -> ValueType.choice(Choices.names(List.of("whole"))).parse(text));

    /** From the first row to the last, as exports and reports do. */
    record Whole() implements ResultReading {}

    /**
     * Page by page.
     *
     * @param size rows a page, 1 to 100,000
     * @param deeperRatio the chance that the next action is the next page, 0 to 1
     * @param maximum the deepest page number reached that way
     * @param lastPageRatio the chance that the next action is the last page, found by an exact count, 0 to 1
     */
    record Paged(
            @Key(allowed = "1 to 100000") int size,
            @Key(value = "deeper", standard = "0") double deeperRatio,
            @Key(allowed = "1 to 1000000", standard = "50") int maximum,
            @Key(value = "lastPage", standard = "0") double lastPageRatio)
            implements ResultReading {
        public Paged {
            double sum = deeperRatio + lastPageRatio;
            Procedure.require(sum <= 1, "", "deeper and lastPage add up to " + sum + " (allowed: at most 1 together)");
            Procedure.require(
                    deeperRatio == 0 || maximum > 1,
                    "maximum",
                    "1 leaves no page for deeper, which is " + deeperRatio + " (allowed: 2 or more)");
        }
    }
}
