/** Mathematics over runs: pairs, verdicts, growth, scalability, change points. Seeded, deterministic, and without clocks. */
@NullMarked
package siemload.compare.statistics;

import org.jspecify.annotations.NullMarked;
