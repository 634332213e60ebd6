/** Mathematics over the seconds of one run. In: its histogram logs. Out: what its figures are worth. */
@NullMarked
package siemload.results.statistics;

import org.jspecify.annotations.NullMarked;
