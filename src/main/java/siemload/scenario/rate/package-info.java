/**
 * How fast things happen: events that are fed, users who arrive. In: the text of a scenario file or a property. Out: a
 * {@link siemload.scenario.rate.Rate}, a pure function of time.
 */
@NullMarked
package siemload.scenario.rate;

import org.jspecify.annotations.NullMarked;
