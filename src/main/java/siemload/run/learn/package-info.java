/**
 * Learning a scenario from query logs and from counts. In: the statements that a database logged or counted. Out: a scenario that asks them, and
 * how it was then.
 */
@NullMarked
package siemload.run.learn;

import org.jspecify.annotations.NullMarked;
