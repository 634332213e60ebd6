/**
 * Experiments, gates and capacities: runs that belong together, and what they say. All three are a schedule of runs, a {@link
 * siemload.compare.RunLog} of those that have ended, and a rule of decision. Start at {@link siemload.compare.Experiment} for one question,
 * at {@link siemload.compare.Comparer} for how runs become verdicts, and at {@link siemload.compare.ComparisonReports} for what people read.
 */
@NullMarked
package siemload.compare;

import org.jspecify.annotations.NullMarked;
