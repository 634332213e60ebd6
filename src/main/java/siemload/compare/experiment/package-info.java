/**
 * Experiments and gates: one question, one thing varied, everything else proven equal, and a verdict. In: files, settings, and
 * the results of runs. Out: runs in processes of their own, and what they say. Start at {@link
 * siemload.compare.experiment.Experiment} for what one is, at {@link siemload.compare.experiment.Ledger} and {@link
 * siemload.compare.experiment.GateRuns} for how runs are made, and at {@link siemload.compare.experiment.Comparer} for how they become
 * a verdict. The keys of a file in {@code experiments/} are in docs/experiments.md.
 */
@NullMarked
package siemload.compare.experiment;

import org.jspecify.annotations.NullMarked;
