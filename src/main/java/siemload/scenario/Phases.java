package siemload.scenario;

import java.time.Duration;
import siemload.config.YamlRecords.Key;

/**
 * How long a run takes. Immutable.
 *
 * @param warmup the time before measuring, 0 or more
 * @param measurement the measured time, 1 s or more
 */
public record Phases(
        @Key(allowed = "0s to 1d") Duration warmup,
        @Key(allowed = "1s to 30d") Duration measurement) {}
