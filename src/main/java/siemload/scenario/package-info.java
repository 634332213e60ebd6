/**
 * Scenario files: who searches what, how often, for how long, beside which feeder. Start at {@link
 * siemload.scenario.ScenarioReader}. What may stand in a file is told by docs/scenarios.md.
 * Weights in it are numbers of 0 or more with at least one above 0; they need not add up to anything.
 */
@NullMarked
package siemload.scenario;

import org.jspecify.annotations.NullMarked;
