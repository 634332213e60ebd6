package siemload.compare;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import siemload.compare.SourceClaim.ClaimResult;
import siemload.compare.statistics.Decision;
import siemload.results.statistics.Median;

/**
 * What the runs of an experiment say, as {@code comparison.json} holds it: everything that a report needs. Immutable.
 *
 * @param experiment what was asked, after all overrides
 * @param runs all that ended, in the order in which they did
 * @param figures everything that was measured, by subject, metric and variant; those of invalid runs are not in it
 * @param verdicts one for each pair of variants and each subject, of the metric that decides; those against the baseline first
 * @param plans the plans of each kind of search
 * @param differences what differed beside the axis
 * @param withheld why no verdict is given; empty where they are
 * @param gaps what was asked for and could not be compared, in words: measured too seldom, or not at all
 * @param claims how what earlier studies found stands now, one for each source of the experiment
 * @param sides what named variants ran on, and which gave the same answers, in words; empty for variants without names
 * @param answers what the same questions gave on both sides; none where no variants by name, or sides of a gate, were asked the same
 * @param disturbed how many of the runs that count were disturbed by other programs, and by how much, in words; empty where none was
 */
public record Comparison(
        Experiment experiment,
        List<Run> runs,
        List<Series> figures,
        List<PairVerdict> verdicts,
        List<PlanShapes> plans,
        List<Difference> differences,
        List<String> withheld,
        List<String> gaps,
        List<ClaimResult> claims,
        List<String> sides,
        List<Answers> answers,
        List<String> disturbed) {

    /** The runs that do not count, each once, also where it stands for several variants. */
    List<Run> invalidRuns() {
        Map<Integer, Run> byPosition = new LinkedHashMap<>();
        runs.stream()
                .filter(run -> !run.invalid().isEmpty())
                .forEach(run -> byPosition.putIfAbsent(run.position(), run));
        return List.copyOf(byPosition.values());
    }

    /** Which variants did not keep up, in words: {@code none was saturated in 9 of 9 runs: the CPUs (...) gave out (run 2)}. */
    List<String> saturated() {
        return experiment.labels().stream()
                .flatMap(label -> {
                    List<Run> own = runs.stream()
                            .filter(run ->
                                    run.variant().equals(label) && run.invalid().isEmpty())
                            .toList();
                    List<Run> saturated = own.stream().filter(Run::saturated).toList();
                    return saturated.stream()
                            .limit(1)
                            .map(first -> experiment.spoken(label) + " was saturated in " + saturated.size() + " of "
                                    + own.size() + " runs: " + first.gaveOut().get(0) + " exhausted (run "
                                    + first.position() + ")");
                })
                .toList();
    }

    /** How each variant compares with the baseline. */
    List<PairVerdict> verdictsAgainstBaseline() {
        return verdicts.stream()
                .filter(verdict -> verdict.baseline().equals(experiment.baseline()))
                .toList();
    }

    /** Whether there is a verdict, if only that nothing could be seen. */
    public boolean saysSomething() {
        return withheld.isEmpty() && !verdicts.isEmpty();
    }

    /**
     * What two variants answered to the same questions: steps of a procedure, or statements with the same values.
     *
     * @param questions how many both answered, statements while nobody wrote
     * @param differing to how many of them they gave other answers
     * @param examples of these, in words
     */
    public record Answers(String baseline, String candidate, long questions, long differing, List<String> examples) {
        /** For people: {@code b answered like a: 0 of 1,024 questions had other answers}. */
        String sentence() {
            if (questions == 0) {
                return "no answer of " + candidate + " could be compared with one of " + baseline
                        + ": no valid runs of both asked the same while nobody wrote a row";
            }
            return String.format(
                    Locale.ROOT,
                    "%s %s like %s: %,d of %,d questions had other answers%s%s",
                    candidate,
                    differing == 0 ? "answered" : "did not answer",
                    baseline,
                    differing,
                    questions,
                    differing == 0 ? "" : ": " + String.join(", ", examples),
                    differing > examples.size() ? ", ..." : "");
        }
    }

    /**
     * One run.
     *
     * @param position 1 for the first
     * @param block runs of one block were compared with each other; 0 for the first
     * @param directory below that of the experiment
     * @param invalid why it does not count; empty if it does
     * @param gaveOut what its database had used up when it did not keep up, the weightiest first; empty where it kept up
     */
    public record Run(
            int position,
            int block,
            String variant,
            String directory,
            double seconds,
            List<String> invalid,
            List<String> gaveOut) {

        /** Whether it counts, and its database did not keep up. */
        boolean saturated() {
            return invalid.isEmpty() && !gaveOut.isEmpty();
        }
    }

    /**
     * One metric of one subject in the runs of one variant.
     *
     * @param values by block, in the unit of the metric
     * @param median of them
     * @param bounds the blocks in which the true value is no better than this one: too many searches got no answer
     */
    public record Series(
            String subject,
            String metric,
            String variant,
            Map<Integer, Double> values,
            double median,
            List<Integer> bounds) {
        public Series {
            values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        }

        /** These values with their median; nothing where there are none. */
        static Optional<Series> of(
                String subject, String metric, String variant, Map<Integer, Double> values, List<Integer> bounds) {
            return values.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Series(subject, metric, variant, values, Median.of(values.values()), bounds));
        }

        boolean isOf(Metric other) {
            return metric.equals(other.name());
        }

        /** What it is in these blocks alone, if it is in any. */
        Optional<Series> within(Set<Integer> blocks) {
            Map<Integer, Double> kept = new LinkedHashMap<>(values);
            kept.keySet().retainAll(blocks);
            return of(
                    subject,
                    metric,
                    variant,
                    kept,
                    bounds.stream().filter(blocks::contains).toList());
        }
    }

    /** How two variants compare in one subject, also in a sentence for people. */
    public record PairVerdict(
            String subject, String metric, String baseline, String candidate, Decision decision, String sentence) {
        boolean isOf(String otherSubject, String otherMetric) {
            return subject.equals(otherSubject) && metric.equals(otherMetric);
        }

        boolean isBetween(String one, String other) {
            return baseline.equals(one) && candidate.equals(other);
        }

        /** With both variants in each other's place, without words; nothing where its ratio cannot be turned. */
        Optional<PairVerdict> turned() {
            return decision.ratio().low() > 0
                            && Double.isFinite(decision.ratio().high())
                    ? Optional.of(new PairVerdict(
                            subject,
                            metric,
                            /* baseline= */ candidate,
                            /* candidate= */ baseline,
                            decision.turned(),
                            ""))
                    : Optional.empty();
        }
    }

    /**
     * The plans of one kind of search.
     *
     * @param shapes by variant that has any in a run that counts: all that its runs had, in the order in which they appeared
     */
    public record PlanShapes(String search, Map<String, List<String>> shapes) {}
}
