/**
 * Scenario files: who searches what, how often, for how long, beside which feeder. Start at {@link
 * siemload.scenario.ScenarioReader}. The keys of a file, with their defaults where they may be left out:
 *
 * <pre>
 * description: one sentence
 * dataset: smoke                      a name in datasets/, or a path
 * analysts:                           one or more groups
 *   - name: tier-1                    the group's name in results
 *     load: closed                    closed: with users; open: with arrivals
 *     users: 20                       closed: how many at once
 *     arrivals: 2/s                   open: how fast they come; also 30/m, 100/h, and rates that change
 *     actions: {min: 4, max: 11}      of one investigation
 *     thinkTime: ...                  between an answer and the next action:
 *                                     {distribution: exponential, mean: 4s}, {distribution: constant, value: 4s}
 *                                     or {distribution: uniform, min: 1s, max: 7s}
 *     pause: ...                      between two investigations; as thinkTime
 *     window: {7d: 0.5, all: 0.1}     how far back searches look, with weights; all: from the first event
 *     mix: {HAWAT1: 30}               the searches, with weights
 *     values: {typical: 1}            how popular searched values are, with weights: hot, typical, rare, absent
 *     order: {newestFirst: 1}         with weights: newestFirst, oldestFirst; unsorted with page: whole
 *     listLength: 10                  addresses that a search for a list gets
 *     page: whole                     all rows; or {size: 100, deeper: 0, maximum: 50, lastPage: 0}
 *     followUp: 0                     share of searches that narrow the last one
 *     patience: 10s                   then the user goes on without the answer
 *     maxRunning: 7                   searches of one user at once; or {user: 7, group: 20}: and of all users of the group
 * feeder: {eps: 200, batch: 50, connections: 1}    may be left out; rate: ... in place of eps where it changes
 * phases: {warmup: 15s, measurement: 60s}
 * objectives:                         may be left out
 *   - HAWAT1 responseTime p95 &lt; 2s    SUBJECT METRIC [STATISTIC] COMPARISON LIMIT
 * </pre>
 *
 * Weights are numbers of 0 or more with at least one above 0; they need not add up to anything.
 */
@NullMarked
package siemload.scenario;

import org.jspecify.annotations.NullMarked;
