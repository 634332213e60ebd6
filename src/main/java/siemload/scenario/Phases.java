package siemload.scenario;

import java.time.Duration;

/**
 * How long a run takes. Immutable.
 *
 * @param warmup the time before measuring, 0 or more
 * @param measurement the measured time, 1 s or more
 */
public record Phases(Duration warmup, Duration measurement) {}
