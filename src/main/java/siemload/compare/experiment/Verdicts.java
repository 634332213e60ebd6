package siemload.compare.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
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

    /**
     * Those of figures of a variant each.
     *
     * @param seed of the bootstrap
     * @param spoken what a variant is called in sentences
     */
    Verdicts(List<Series> figures, long seed, UnaryOperator<String> spoken) {
        this.figures = figures;
        this.seed = seed;
        this.spoken = spoken;
    }

    static Verdicts of(Experiment experiment, List<Series> figures) {
        return new Verdicts(figures, experiment.seed(), experiment::spoken);
    }

    /**
     * What is asked of a pair of variants.
     *
     * @param smallest the smallest change that matters, as a ratio above 0
     */
    record Question(String subject, Metric metric, double smallest) {
        private String figure() {
            return subject + " " + metric.words();
        }
    }

    /** A question about two things by their names, with what the runs of both say; in sentences they may have other names. */
    private record Answerable(
            Question question,
            String figure,
            String baseline,
            String candidate,
            UnaryOperator<String> spoken,
            PairedRatios ratios) {

        PairVerdict verdict(double adjustedP, int comparisons) {
            Metric metric = question.metric();
            Decision decision = Decision.of(ratios, adjustedP, comparisons, question.smallest(), metric.quantity());
            return new PairVerdict(
                    question.subject(),
                    metric.name(),
                    baseline,
                    candidate,
                    decision,
                    ratios.effectSize(),
                    DecisionText.of(figure, spoken.apply(candidate), spoken.apply(baseline), decision));
        }
    }

    private static List<PairVerdict> decided(List<Answerable> asked) {
        double[] adjusted = Holm.adjust(
                asked.stream().mapToDouble(one -> one.ratios().pValue()).toArray());
        return IntStream.range(0, adjusted.length)
                .mapToObj(i -> asked.get(i).verdict(adjusted[i], adjusted.length))
                .toList();
    }

    /** Why some of what was measured has no verdict against the baseline, in words, for people: ratios first, then bounds. */
    List<String> withoutVerdict(Experiment experiment) {
        List<Question> questions = questions(experiment);
        List<String> labels = baselineFirst(experiment);
        List<String> reasons = new ArrayList<>();
        for (String other : labels.subList(1, labels.size())) {
            reasons.addAll(withoutRatio(labels.get(0), other, questions));
        }
        for (String other : labels.subList(1, labels.size())) {
            reasons.addAll(onlyBounds(labels.get(0), other, questions));
        }
        return reasons;
    }

    private static List<String> baselineFirst(Experiment experiment) {
        List<String> labels = new ArrayList<>(experiment.labels());
        labels.remove(experiment.judged().baseline());
        labels.add(0, experiment.judged().baseline());
        return labels;
    }

    /** By the metric that decides, of what the experiment names, or of everything that has it. */
    private List<Question> questions(Experiment experiment) {
        Set<String> subjects = new LinkedHashSet<>();
        for (Series series : figures) {
            if (experiment.judged().asksFor(series.subject()) && series.isOf(experiment.metric())) {
                subjects.add(series.subject());
            }
        }
        if (experiment.judged().subjects().isEmpty() && subjects.size() == 2) {
            // One search and all of them: the same thing under two names.
            subjects.remove(RunFigures.ALL);
        }
        return subjects.stream()
                .map(subject -> new Question(
                        subject, experiment.metric(), experiment.judged().smallest()))
                .toList();
    }

    /** All pairs of variants of an experiment, those with its baseline first, by the metric that decides. */
    List<PairVerdict> all(Experiment experiment) {
        List<Question> questions = questions(experiment);
        List<String> labels = baselineFirst(experiment);
        List<PairVerdict> all = new ArrayList<>();
        for (int i = 0; i < labels.size(); i++) {
            for (int j = i + 1; j < labels.size(); j++) {
                all.addAll(between(labels.get(i), labels.get(j), questions));
            }
        }
        return all;
    }

    /** The same verdict with both variants in each other's place; nothing where a ratio cannot be turned. */
    static Optional<PairVerdict> turned(PairVerdict verdict, Experiment experiment) {
        Decision decision = verdict.decision();
        if (!(decision.ratio().low() > 0 && Double.isFinite(decision.ratio().high()))) {
            return Optional.empty();
        }
        Decision turned = decision.turned();
        String figure = verdict.subject() + " " + new Metric(verdict.metric()).words();
        String of = verdict.baseline();
        String than = verdict.candidate();
        return Optional.of(new PairVerdict(
                verdict.subject(),
                verdict.metric(),
                than,
                of,
                turned,
                -verdict.effectSize(),
                DecisionText.of(figure, experiment.spoken(of), experiment.spoken(than), turned)));
    }

    /** How two variants compare in one subject, block by block. */
    record Ratio(String subject, String of, String than) {
        /** For people, beside another one: only what tells them apart. */
        private String beside(Ratio other) {
            if (of.equals(other.of) && than.equals(other.than)) {
                return subject;
            }
            return subject.equals(other.subject) ? variants() : subject + " " + variants();
        }

        private String variants() {
            return of + " to " + than;
        }
    }

    /** Two ratios, the second of which is held against the first. */
    record RatioPair(Ratio baseline, Ratio candidate) {}

    /**
     * How ratios compare with each other, by the metric that decides: whether a change costs one thing more than another. The
     * blocks count in which all four runs are there and none has only a bound. All that is asked here is adjusted together.
     */
    List<PairVerdict> ofRatios(Experiment experiment, List<RatioPair> pairs) {
        Metric metric = experiment.metric();
        List<Answerable> known = new ArrayList<>();
        for (RatioPair pair : pairs) {
            Ratio asked = pair.candidate();
            Map<Integer, Double> before = byBlock(pair.baseline(), metric);
            Map<Integer, Double> after = byBlock(asked, metric);
            List<Integer> blocks = common(before, after);
            if (!blocks.isEmpty()) {
                String candidate = asked.beside(pair.baseline());
                String common = candidate.equals(asked.subject()) ? asked.variants() : asked.subject();
                known.add(new Answerable(
                        new Question(common, metric, experiment.judged().smallest()),
                        metric.words() + " of " + common,
                        pair.baseline().beside(asked),
                        candidate,
                        UnaryOperator.identity(),
                        paired(before, after, blocks)));
            }
        }
        return decided(known);
    }

    private Map<Integer, Double> byBlock(Ratio ratio, Metric metric) {
        Map<Integer, Double> before = known(ratio.subject(), metric, ratio.than());
        Map<Integer, Double> after = known(ratio.subject(), metric, ratio.of());
        Map<Integer, Double> ratios = new LinkedHashMap<>();
        before.forEach((block, value) -> {
            double other = after.getOrDefault(block, 0.0);
            if (value > 0 && other > 0) {
                ratios.put(block, other / value);
            }
        });
        return ratios;
    }

    /** The verdicts on those questions that the runs of both variants can answer. */
    List<PairVerdict> between(String baseline, String candidate, List<Question> questions) {
        List<Answerable> answerable = new ArrayList<>();
        for (Question question : questions) {
            Map<Integer, Double> before = values(question.subject(), question.metric(), baseline);
            Map<Integer, Double> after = values(question.subject(), question.metric(), candidate);
            List<Integer> blocks = common(before, after);
            if (!blocks.isEmpty() && withoutRatio(before, after) == 0) {
                answerable.add(new Answerable(
                        question, question.figure(), baseline, candidate, spoken, paired(before, after, blocks)));
            }
        }
        return decided(answerable).stream().filter(this::holds).toList();
    }

    /** Where too many searches got no answer, the true values are no better than these: then not everything follows. */
    private boolean holds(PairVerdict verdict) {
        boolean boundBefore = isBound(verdict.subject(), verdict.metric(), verdict.baseline());
        boolean boundAfter = isBound(verdict.subject(), verdict.metric(), verdict.candidate());
        return switch (verdict.decision().verdict()) {
            case WORSE -> !boundBefore;
            case BETTER -> !boundAfter;
            case SAME, UNCLEAR -> !boundBefore && !boundAfter;
        };
    }

    /** Which of these questions have no verdict since only bounds are known, in words, for people. */
    List<String> onlyBounds(String baseline, String candidate, List<Question> questions) {
        List<PairVerdict> given = between(baseline, candidate, questions);
        List<String> sentences = new ArrayList<>();
        for (Question question : questions) {
            String metric = question.metric().name();
            boolean bound =
                    isBound(question.subject(), metric, baseline) || isBound(question.subject(), metric, candidate);
            if (bound && given.stream().noneMatch(verdict -> verdict.isOf(question.subject(), metric))) {
                sentences.add(question.figure() + " of " + spoken.apply(candidate) + " and " + spoken.apply(baseline)
                        + ": too many searches were not answered, so that only the least that it can be is known");
            }
        }
        return sentences;
    }

    /** Which of these questions have no answer since one run of a pair has 0 and the other has not: in words, for people. */
    private List<String> withoutRatio(String baseline, String candidate, List<Question> questions) {
        List<String> sentences = new ArrayList<>();
        for (Question question : questions) {
            long pairs = withoutRatio(
                    values(question.subject(), question.metric(), baseline),
                    values(question.subject(), question.metric(), candidate));
            if (pairs > 0) {
                sentences.add(question.figure() + " has no ratio of " + spoken.apply(candidate) + " to "
                        + spoken.apply(baseline) + ": one of both is 0 in " + pairs
                        + (pairs == 1 ? " pair" : " pairs"));
            }
        }
        return sentences;
    }

    /** Two values of which one is 0, or next to it, have no ratio; two that are 0 are equal. */
    private static long withoutRatio(Map<Integer, Double> before, Map<Integer, Double> after) {
        return common(before, after).stream()
                .filter(block -> {
                    double baseline = before.getOrDefault(block, 0.0);
                    double candidate = after.getOrDefault(block, 0.0);
                    double ratio = candidate / baseline;
                    boolean isRatio = baseline > 0 && ratio > 0 && Double.isFinite(ratio);
                    return !isRatio && !(baseline == 0 && candidate == 0);
                })
                .count();
    }

    private static List<Integer> common(Map<Integer, Double> before, Map<Integer, Double> after) {
        return before.keySet().stream().filter(after::containsKey).toList();
    }

    private PairedRatios paired(Map<Integer, Double> before, Map<Integer, Double> after, List<Integer> blocks) {
        return PairedRatios.ofPairs(values(before, blocks), values(after, blocks), seed);
    }

    private static double[] values(Map<Integer, Double> byBlock, List<Integer> blocks) {
        return blocks.stream()
                .mapToDouble(block -> byBlock.getOrDefault(block, 0.0))
                .toArray();
    }

    private Map<Integer, Double> values(String subject, Metric metric, String variant) {
        return find(subject, metric.name(), variant).map(Series::values).orElse(Map.of());
    }

    /** Those that are not only bounds. */
    private Map<Integer, Double> known(String subject, Metric metric, String variant) {
        Map<Integer, Double> known = new LinkedHashMap<>(values(subject, metric, variant));
        find(subject, metric.name(), variant).ifPresent(series -> known.keySet().removeAll(series.bounds()));
        return known;
    }

    private boolean isBound(String subject, String metric, String variant) {
        return find(subject, metric, variant)
                .filter(series -> !series.bounds().isEmpty())
                .isPresent();
    }

    private Optional<Series> find(String subject, String metric, String variant) {
        return figures.stream()
                .filter(series -> series.subject().equals(subject)
                        && series.metric().equals(metric)
                        && series.variant().equals(variant))
                .findFirst();
    }
}
