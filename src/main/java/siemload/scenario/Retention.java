package siemload.scenario;

import java.time.Duration;
import siemload.config.YamlRecords.Key;

/**
 * The oldest day of the data set is removed while users search and events arrive. Immutable.
 *
 * @param after how long after the start of the measured phase; shorter than that phase
 */
public record Retention(@Key(allowed = "0s to 1d") Duration after) {}
