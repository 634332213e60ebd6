/**
 * The largest load that still meets the objectives. In: a question of the command line. Out: runs in processes of their own, each at
 * a load that the ones before it lead to, and what they say together. Start at {@link siemload.compare.capacity.LoadSearch} for how
 * the next load is chosen, and at {@link siemload.compare.capacity.CapacityRuns} for how runs are made.
 */
@NullMarked
package siemload.compare.capacity;

import org.jspecify.annotations.NullMarked;
