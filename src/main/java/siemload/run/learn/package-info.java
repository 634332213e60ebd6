/**
 * Learning a scenario from query logs. In: the statements that a database logged. Out: a scenario that asks them, and
 * how it was then.
 */
@NullMarked
package siemload.run.learn;

import org.jspecify.annotations.NullMarked;
