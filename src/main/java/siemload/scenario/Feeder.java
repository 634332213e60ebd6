package siemload.scenario;

import siemload.config.YamlRecords.Key;
import siemload.scenario.rate.Rate;

/**
 * Who inserts events beside the analysts. Immutable.
 *
 * @param rate events a second; {@link Rate#NONE} for no feeder
 * @param batch events a transaction, 1 to 10,000
 * @param connections over how many connections the batches are spread in turn, 1 or more
 */
public record Feeder(
        @Key(value = "eps", allowed = "rate") Rate rate,
        @Key(allowed = "1 to 10000", standard = "50") int batch,
        @Key(allowed = "1 to 1000", standard = "1") int connections) {

    /** Whether anything is fed. */
    public boolean isOn() {
        return !rate.isNone();
    }
}
