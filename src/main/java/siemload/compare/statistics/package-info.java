/** Mathematics over runs: pairs, verdicts, thresholds. Seeded, deterministic, and without clocks. */
@NullMarked
package siemload.compare.statistics;

import org.jspecify.annotations.NullMarked;
