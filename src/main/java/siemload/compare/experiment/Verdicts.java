package siemload.compare.experiment;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import siemload.compare.experiment.Comparison.PairVerdict;
import siemload.compare.experiment.Comparison.Series;
import siemload.compare.statistics.Decision;
import siemload.compare.statistics.DecisionText;
import siemload.compare.statistics.Holm;
import siemload.compare.statistics.PairedRatios;

/**
 * Decides how variants compare. All that is decided about one pair of variants is adjusted together, by Holm. Used by one
 * thread.
 */
final class Verdicts {
    private final List<Series> figures;
    private final long seed;
    private final UnaryOperator<String> spoken;

    /** @param seed of the bootstrap */
    Verdicts(List<Series> figures, long seed) {
        this(figures, seed, UnaryOperator.identity());
    }

    private Verdicts(List<Series> figures, long seed, UnaryOperator<String> spoken) {
        this.figures = figures;
        this.seed = seed;
        this.spoken = spoken;
    }

    /**
     * What is asked of a pair of variants.
     *
     * @param smallest the smallest change that matters, as a ratio above 0
     */
    record Question(String subject, Metric metric, double smallest) {}

    private record Answerable(Question question, PairedRatios ratios) {}

    /** Why some of what was measured has no verdict against the baseline, in words, for people. */
    static List<String> withoutRatio(Experiment experiment, List<Series> figures) {
        Verdicts verdicts = new Verdicts(figures, experiment.seed(), experiment::spoken);
        List<Question> questions = verdicts.questions(experiment);
        return experiment.variants().stream()
                .filter(cell -> !cell.label().equals(experiment.baseline()))
                .flatMap(cell -> verdicts.withoutRatio(experiment.baseline(), cell.label(), questions).stream())
                .toList();
    }

    private List<Question> questions(Experiment experiment) {
        return subjects(experiment).stream()
                .map(subject -> new Question(subject, experiment.metric(), experiment.smallest()))
                .toList();
    }

    /** All pairs of variants of an experiment, those with its baseline first, by the metric that decides. */
    static List<PairVerdict> of(Experiment experiment, List<Series> figures) {
        Verdicts verdicts = new Verdicts(figures, experiment.seed(), experiment::spoken);
        List<Question> questions = verdicts.questions(experiment);
        List<String> cells = new ArrayList<>(
                experiment.variants().stream().map(ComparedVariant::label).toList());
        cells.remove(experiment.baseline());
        cells.add(0, experiment.baseline());
        List<PairVerdict> all = new ArrayList<>();
        for (int i = 0; i < cells.size(); i++) {
            for (int j = i + 1; j < cells.size(); j++) {
                all.addAll(verdicts.between(cells.get(i), cells.get(j), questions));
            }
        }
        return all;
    }

    /** What the experiment names, or everything that has the metric. */
    private Set<String> subjects(Experiment experiment) {
        Set<String> subjects = new LinkedHashSet<>();
        for (Series series : figures) {
            if (experiment.asksFor(series.subject())
                    && series.metric().equals(experiment.metric().name())) {
                subjects.add(series.subject());
            }
        }
        if (experiment.subjects().isEmpty() && subjects.size() == 2) {
            // One search and all of them: the same thing under two names.
            subjects.remove(RunFigures.ALL);
        }
        return subjects;
    }

    /** The verdicts on those questions that the runs of both variants can answer. */
    List<PairVerdict> between(String baseline, String candidate, List<Question> questions) {
        List<Answerable> answerable = new ArrayList<>();
        for (Question question : questions) {
            ratios(question, baseline, candidate).ifPresent(ratios -> answerable.add(new Answerable(question, ratios)));
        }
        double[] adjusted = Holm.adjust(answerable.stream()
                .mapToDouble(question -> question.ratios().pValue())
                .toArray());
        List<PairVerdict> verdicts = new ArrayList<>();
        for (int i = 0; i < adjusted.length; i++) {
            verdicts.add(verdict(answerable.get(i), adjusted[i], adjusted.length, baseline, candidate));
        }
        return verdicts;
    }

    private PairVerdict verdict(
            Answerable answerable, double adjustedP, int comparisons, String baseline, String candidate) {
        Question question = answerable.question();
        PairedRatios ratios = answerable.ratios();
        Decision decision = Decision.of(
                ratios,
                adjustedP,
                comparisons,
                question.smallest(),
                question.metric().quantity());
        String subject = question.subject() + " " + question.metric().words();
        return new PairVerdict(
                question.subject(),
                question.metric().name(),
                baseline,
                candidate,
                decision,
                ratios.effectSize(),
                DecisionText.of(subject, spoken.apply(candidate), spoken.apply(baseline), decision));
    }

    private Optional<PairedRatios> ratios(Question question, String baseline, String candidate) {
        Map<Integer, Double> before = values(question, baseline);
        Map<Integer, Double> after = values(question, candidate);
        List<Integer> blocks =
                before.keySet().stream().filter(after::containsKey).toList();
        return blocks.isEmpty()
                        || blocks.stream().anyMatch(block -> !haveRatio(value(before, block), value(after, block)))
                ? Optional.empty()
                : Optional.of(PairedRatios.ofPairs(values(before, blocks), values(after, blocks), seed));
    }

    private static double[] values(Map<Integer, Double> byBlock, List<Integer> blocks) {
        return blocks.stream().mapToDouble(block -> value(byBlock, block)).toArray();
    }

    private static double value(Map<Integer, Double> byBlock, int block) {
        return Objects.requireNonNull(byBlock.get(block));
    }

    private Map<Integer, Double> values(Question question, String cell) {
        return figures.stream()
                .filter(series -> series.subject().equals(question.subject())
                        && series.metric().equals(question.metric().name())
                        && series.variant().equals(cell))
                .findFirst()
                .map(Series::values)
                .orElse(Map.of());
    }

    /** Which of these questions have no answer since one run of a pair has 0 and the other has not: in words, for people. */
    private List<String> withoutRatio(String baseline, String candidate, List<Question> questions) {
        List<String> sentences = new ArrayList<>();
        for (Question question : questions) {
            Map<Integer, Double> before = values(question, baseline);
            Map<Integer, Double> after = values(question, candidate);
            long pairs = before.keySet().stream()
                    .filter(after::containsKey)
                    .filter(block -> !haveRatio(value(before, block), value(after, block)))
                    .count();
            if (pairs > 0) {
                sentences.add(question.subject() + " " + question.metric().words() + " has no ratio of "
                        + spoken.apply(candidate)
                        + " to " + spoken.apply(baseline) + ": one of both is 0 in " + pairs
                        + (pairs == 1 ? " pair" : " pairs"));
            }
        }
        return sentences;
    }

    /** Two values of which one is 0, or next to it, have no ratio; two that are 0 are equal. */
    private static boolean haveRatio(double baseline, double candidate) {
        double ratio = candidate / baseline;
        return (baseline > 0 && ratio > 0 && Double.isFinite(ratio)) || (baseline == 0 && candidate == 0);
    }
}
