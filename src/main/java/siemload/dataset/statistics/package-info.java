/** Mathematics over the counts of a stream of events. In: counts. Out: what they tell, and how sure that is. */
@NullMarked
package siemload.dataset.statistics;

import org.jspecify.annotations.NullMarked;
