/** The system that a run took place on: what a reader must know to judge its numbers or to repeat it. */
@NullMarked
package siemload.measure.environment;

import org.jspecify.annotations.NullMarked;
