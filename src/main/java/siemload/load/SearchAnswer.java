package siemload.load;

import java.util.Optional;
import siemload.measure.Sample;
import siemload.query.PageKey;

/**
 * What came back for a {@link SearchRequest}. Immutable, but for the bytes of the kept row, which nobody changes.
 *
 * @param sample the measured times, rows and outcome
 * @param count the exact count, where that was asked for; otherwise the rows read
 */
record SearchAnswer(Sample sample, long count, Optional<byte[]> keptRow, Optional<PageKey> lastKey) {}
