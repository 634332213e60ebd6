/** The load itself: analysts and a feeder on Gatling. The only package that sees Gatling. */
@NullMarked
package siemload.simulation;

import org.jspecify.annotations.NullMarked;
