package siemload.load;

import java.util.Optional;
import siemload.measure.Sample;
import siemload.query.PageKey;

/**
 * What came back for a {@link SearchRequest}. Immutable, but for the bytes of the kept row, which nobody changes.
 *
 * @param sample the measured times, rows and outcome
 * @param phase the sample's, as {@link siemload.measure.RunClock#phaseIndex} has it
 * @param count the exact count, where that was asked for; otherwise the rows read
 * @param message the server's words about a failure; empty otherwise
 */
record SearchAnswer(
        Sample sample, int phase, long count, String message, Optional<byte[]> keptRow, Optional<PageKey> lastKey) {}
