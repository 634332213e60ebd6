package siemload.compare.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import siemload.compare.experiment.Comparison.PairVerdict;
import siemload.compare.experiment.Comparison.Series;
import siemload.compare.statistics.Decision;
import siemload.compare.statistics.DecisionText;
import siemload.compare.statistics.PairedRatios;

/**
 * Decides how variants compare, by figures of a variant each. All that is decided about one pair of variants is adjusted
 * together, by Holm. Immutable.
 */
record Verdicts(Experiment experiment, List<Series> figures) {

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

    /** Two things by their names, with a value of each in each block; in sentences they may have other names. */
    private record Pair(
            Question question,
            String figure,
            String baseline,
            String candidate,
            Map<Integer, Double> before,
            Map<Integer, Double> after) {

        private double[] values(Map<Integer, Double> byBlock) {
            return before.keySet().stream()
                    .filter(after::containsKey)
                    .mapToDouble(block -> byBlock.getOrDefault(block, 0.0))
                    .toArray();
        }

        /** How many pairs have no ratio: of two values one is 0, or next to it; two that are 0 are equal. */
        private long withoutRatio() {
            double[] one = values(before);
            double[] other = values(after);
            return IntStream.range(0, one.length)
                    .filter(i -> {
                        double ratio = other[i] / one[i];
                        return !(one[i] > 0 && ratio > 0 && Double.isFinite(ratio)) && !(one[i] == 0 && other[i] == 0);
                    })
                    .count();
        }
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

    /** All variants, the baseline first. */
    private List<String> labels() {
        Set<String> labels = new LinkedHashSet<>(List.of(experiment.judged().baseline()));
        labels.addAll(experiment.labels());
        return List.copyOf(labels);
    }

    /** What the experiment names of all that has the metric that decides; everything, where it names nothing. */
    Set<String> subjects() {
        Set<String> subjects = new LinkedHashSet<>();
        for (Series series : figures) {
            if (experiment.judged().asksFor(series.subject()) && series.isOf(experiment.metric())) {
                subjects.add(series.subject());
            }
        }
        return subjects;
    }

    private List<Question> questions() {
        Set<String> subjects = subjects();
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
    List<PairVerdict> all() {
        List<Question> questions = questions();
        List<String> labels = labels();
        List<PairVerdict> all = new ArrayList<>();
        for (int i = 0; i < labels.size(); i++) {
            for (String other : labels.subList(i + 1, labels.size())) {
                all.addAll(between(labels.get(i), other, questions));
            }
        }
        return all;
    }

    /** The verdicts on those questions that the runs of both variants can answer. */
    List<PairVerdict> between(String baseline, String candidate, List<Question> questions) {
        return decided(questions.stream()
                        .map(question -> pair(question, baseline, candidate))
                        .toList())
                .stream()
                .filter(verdict -> {
                    // Where too many searches got no answer, the true values are no better: then not everything
                    // follows.
                    boolean before = isBound(verdict.subject(), verdict.metric(), baseline);
                    boolean after = isBound(verdict.subject(), verdict.metric(), candidate);
                    return switch (verdict.decision().verdict()) {
                        case WORSE -> !before;
                        case BETTER -> !after;
                        case SAME, UNCLEAR -> !before && !after;
                    };
                })
                .toList();
    }

    private Pair pair(Question question, String baseline, String candidate) {
        String metric = question.metric().name();
        return new Pair(
                question,
                question.figure(),
                baseline,
                candidate,
                values(question.subject(), metric, baseline),
                values(question.subject(), metric, candidate));
    }

    /** Those pairs that have a block in common, and a ratio in each of these. */
    private List<PairVerdict> decided(List<Pair> asked) {
        List<Pair> pairs = asked.stream()
                .filter(pair -> pair.values(pair.before).length > 0 && pair.withoutRatio() == 0)
                .toList();
        List<PairedRatios> ratios = pairs.stream()
                .map(pair -> PairedRatios.ofPairs(pair.values(pair.before), pair.values(pair.after), experiment.seed()))
                .toList();
        double[] adjusted = Decision.adjustedByHolm(
                ratios.stream().mapToDouble(PairedRatios::pValue).toArray());
        List<PairVerdict> verdicts = new ArrayList<>();
        for (int i = 0; i < adjusted.length; i++) {
            Pair pair = pairs.get(i);
            Question question = pair.question;
            verdicts.add(verdict(
                    question,
                    pair.figure,
                    pair.baseline,
                    pair.candidate,
                    Decision.of(
                            ratios.get(i),
                            adjusted[i],
                            adjusted.length,
                            question.smallest(),
                            question.metric().quantity())));
        }
        return verdicts;
    }

    private PairVerdict verdict(
            Question question, String figure, String baseline, String candidate, Decision decision) {
        return new PairVerdict(
                question.subject(),
                question.metric().name(),
                baseline,
                candidate,
                decision,
                DecisionText.of(figure, experiment.spoken(candidate), experiment.spoken(baseline), decision));
    }

    /** The same verdict with both variants in each other's place; nothing where a ratio cannot be turned. */
    Optional<PairVerdict> turned(PairVerdict one) {
        Decision decision = one.decision();
        if (!(decision.ratio().low() > 0 && Double.isFinite(decision.ratio().high()))) {
            return Optional.empty();
        }
        Question question = new Question(one.subject(), new Metric(one.metric()), decision.practicalDelta());
        return Optional.of(verdict(
                question,
                question.figure(),
                /* baseline= */ one.candidate(),
                /* candidate= */ one.baseline(),
                decision.turned()));
    }

    /**
     * How ratios compare with each other, by the metric that decides: whether a change costs one thing more than another. The
     * blocks count in which all four runs are there and none has only a bound. All that is asked here is adjusted together.
     *
     * @param ratios each with the one that it is held against
     */
    List<PairVerdict> ofRatios(Map<Ratio, Ratio> ratios) {
        Metric metric = experiment.metric();
        List<Pair> pairs = new ArrayList<>();
        ratios.forEach((one, baseline) -> {
            String candidate = one.beside(baseline);
            String common = candidate.equals(one.subject()) ? one.variants() : one.subject();
            pairs.add(new Pair(
                    new Question(common, metric, experiment.judged().smallest()),
                    metric.words() + " of " + common,
                    baseline.beside(one),
                    candidate,
                    byBlock(baseline),
                    byBlock(one)));
        });
        return decided(pairs);
    }

    private Map<Integer, Double> byBlock(Ratio ratio) {
        Map<Integer, Double> after = known(ratio.subject(), ratio.of());
        Map<Integer, Double> ratios = new LinkedHashMap<>();
        known(ratio.subject(), ratio.than()).forEach((block, value) -> {
            double other = after.getOrDefault(block, 0.0);
            if (value > 0 && other > 0) {
                ratios.put(block, other / value);
            }
        });
        return ratios;
    }

    /** Values of the metric that decides that are not only bounds. */
    private Map<Integer, Double> known(String subject, String variant) {
        String metric = experiment.metric().name();
        Map<Integer, Double> known = new LinkedHashMap<>(values(subject, metric, variant));
        find(subject, metric, variant).ifPresent(series -> known.keySet().removeAll(series.bounds()));
        return known;
    }

    /** Why some of what was measured has no verdict against the baseline, in words, for people: ratios first, then bounds. */
    List<String> withoutVerdict() {
        String baseline = experiment.judged().baseline();
        List<String> ratios = new ArrayList<>();
        List<String> bounds = new ArrayList<>();
        for (String other : labels().subList(1, labels().size())) {
            for (Question question : questions()) {
                long pairs = pair(question, baseline, other).withoutRatio();
                if (pairs > 0) {
                    ratios.add(question.figure() + " has no ratio of " + experiment.spoken(other) + " to "
                            + experiment.spoken(baseline) + ": one of both is 0 in " + pairs
                            + (pairs == 1 ? " pair" : " pairs"));
                }
            }
            bounds.addAll(onlyBounds(baseline, other, questions()));
        }
        ratios.addAll(bounds);
        return ratios;
    }

    /** Which of these questions have no verdict since only bounds are known, in words, for people. */
    List<String> onlyBounds(String baseline, String candidate, List<Question> questions) {
        List<PairVerdict> given = between(baseline, candidate, questions);
        return questions.stream()
                .filter(question -> {
                    String metric = question.metric().name();
                    return (isBound(question.subject(), metric, baseline)
                                    || isBound(question.subject(), metric, candidate))
                            && given.stream().noneMatch(verdict -> verdict.isOf(question.subject(), metric));
                })
                .map(question -> question.figure() + " of " + experiment.spoken(candidate) + " and "
                        + experiment.spoken(baseline) + ": too many searches were not answered, so that only the least"
                        + " that it can be is known")
                .toList();
    }

    private Map<Integer, Double> values(String subject, String metric, String variant) {
        return find(subject, metric, variant).map(Series::values).orElse(Map.of());
    }

    private boolean isBound(String subject, String metric, String variant) {
        return find(subject, metric, variant)
                .filter(series -> !series.bounds().isEmpty())
                .isPresent();
    }

    Optional<Series> find(String subject, String metric, String variant) {
        return figures.stream()
                .filter(series -> series.subject().equals(subject)
                        && series.metric().equals(metric)
                        && series.variant().equals(variant))
                .findFirst();
    }
}
