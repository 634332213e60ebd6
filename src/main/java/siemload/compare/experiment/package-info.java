/**
 * Experiments and gates: one question, one thing varied, everything else proven equal, and a verdict. In: files, settings, and
 * the results of runs. Out: runs in processes of their own, and what they say. Start at {@link
 * siemload.compare.experiment.Experiment} for what one is, at {@link siemload.compare.experiment.Ledger} and {@link
 * siemload.compare.experiment.GateRuns} for how runs are made, and at {@link siemload.compare.experiment.Comparer} for how they become
 * a verdict. The keys of a file in {@code experiments/}, with their defaults where they may be left out:
 *
 * <pre>
 * question: one sentence that ends with a question mark
 * kind: comparison              what the report shows: comparison, regret, pareto, depth, scaling, slides
 * scenario: hawat               what each run does: a name in scenarios/, or a YAML file
 * axis: {hint: [none, index]}   the property that varies, and its values; of several every combination
 * variants:                     in the place of an axis: names, and properties of each; its url comes from whoever starts it
 *   ours: {}
 *   theirs: {parameters: work_mem=64MB}
 * settings: {users: 4}          properties that are the same in every run
 * baseline: none                the value that others are compared with; the first one unless given
 * metric: p95                   what decides
 * alsoShow: [p50]               metrics that are shown beside it
 * smallestPercent: 10           the smallest change that matters; the metric's own unless given
 * subjects: [HAWAT1]            what is compared; everything that was measured unless given
 * repeats: 9                    runs of each value, 3 or more
 * seed: 1                       of the order of the runs
 * source:                       what an earlier study found, to be confirmed or contradicted; a list for several
 *   study: CESNET               who found it, and as which of its conclusions
 *   conclusion: 2
 *   says: one sentence
 *   expects:
 *     - {of: index, is: better, subjects: [HAWAT1]}
 *     - {of: index, is: worse, subjects: [delete], against: {subject: load}}
 * </pre>
 *
 * A suite is a file with {@code question} and {@code suite: [NAME, ...]} alone.
 */
@NullMarked
package siemload.compare.experiment;

import org.jspecify.annotations.NullMarked;
