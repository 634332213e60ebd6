package siemload.database;

import siemload.query.Statement;
import siemload.query.StatementText;

/**
 * A statement with what a database has counted of its executions. Immutable.
 *
 * @param database it was sent to, as the snapshot calls it; empty where it does not say
 * @param text its parameters are called {@code p1}, {@code p2} and so on, and have no values
 * @param effect as far as the text shows it
 * @param form whether it is what was sent
 * @param calls how often it was executed to its end, 1 or more
 * @param micros how long the server worked on all these, planning included where that is counted
 * @param preparingMicros how much of that it planned
 * @param rows how many rows all of them returned or changed
 * @param spread of their times; not known where planning is counted, whose times lie apart by themselves
 */
public record CountedStatement(
        String database,
        StatementText text,
        Statement.Effect effect,
        Form form,
        long calls,
        double micros,
        double preparingMicros,
        long rows,
        CountedSpread spread) {

    /** What became of a text when it was counted. */
    public enum Form {
        /** A parameter stands for each literal, and all else is as it was. */
        WHOLE,
        /** One parameter stands for lists of any length, too. */
        SHORTENED_LISTS
    }

    /** Both together; they have the same text. */
    public CountedStatement plus(CountedStatement other) {
        return new CountedStatement(
                database,
                text,
                effect,
                form == Form.WHOLE ? other.form : form,
                calls + other.calls,
                micros + other.micros,
                preparingMicros + other.preparingMicros,
                rows + other.rows,
                spread.plus(other.spread));
    }

    /** How long one execution took in the mean, in microseconds. */
    public double meanMicros() {
        return micros / calls;
    }

    /** The share of its time in which it was planned; 0 to 1. */
    public double preparingRatio() {
        return micros == 0 ? 0 : preparingMicros / micros;
    }
}
