package siemload.compare.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

    /** Two things by their names, with a value of each in each block that both have. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Pair(
            Question question, String figure, String baseline, String candidate, double[] before, double[] after) {
        static Pair of(
                Question question,
                String figure,
                String baseline,
                String candidate,
                Map<Integer, Double> before,
                Map<Integer, Double> after) {
            List<Integer> blocks =
                    before.keySet().stream().filter(after::containsKey).toList();
            return new Pair(question, figure, baseline, candidate, values(before, blocks), values(after, blocks));
        }

        private static double[] values(Map<Integer, Double> byBlock, List<Integer> blocks) {
            return blocks.stream()
                    .mapToDouble(block -> byBlock.getOrDefault(block, 0.0))
                    .toArray();
        }

        /** How many pairs have no ratio: of two values one is 0, or next to it; two that are 0 are equal. */
        private int withoutRatio() {
            int without = 0;
            for (int i = 0; i < before.length; i++) {
                double ratio = after[i] / before[i];
                boolean hasRatio = before[i] > 0 && ratio > 0 && Double.isFinite(ratio);
                without += hasRatio || (before[i] == 0 && after[i] == 0) ? 0 : 1;
            }
            return without;
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

    /** About what the experiment names of all that has the metric that decides; about everything, where it names nothing. */
    private List<Question> questions() {
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
        List<Pair> pairs = questions.stream()
                .map(question -> pair(question, baseline, candidate))
                .toList();
        return decided(pairs).stream()
                .filter(verdict -> {
                    // Where too many searches got no answer, the true values are no better: then not everything
                    // follows.
                    Metric metric = new Metric(verdict.metric());
                    boolean before = isBound(verdict.subject(), metric, baseline);
                    boolean after = isBound(verdict.subject(), metric, candidate);
                    return switch (verdict.decision().verdict()) {
                        case WORSE -> !before;
                        case BETTER -> !after;
                        case SAME, UNCLEAR -> !before && !after;
                    };
                })
                .toList();
    }

    private Pair pair(Question question, String baseline, String candidate) {
        return Pair.of(
                question,
                question.figure(),
                baseline,
                candidate,
                series(question.subject(), question.metric(), baseline).values(),
                series(question.subject(), question.metric(), candidate).values());
    }

    /** Those pairs that have a block in common, and a ratio in each of these. */
    private List<PairVerdict> decided(List<Pair> asked) {
        List<Pair> pairs = asked.stream()
                .filter(pair -> pair.before.length > 0 && pair.withoutRatio() == 0)
                .toList();
        List<PairedRatios> ratios = pairs.stream()
                .map(pair -> PairedRatios.ofPairs(pair.before, pair.after, experiment.seed()))
                .toList();
        double[] adjusted = Decision.adjustedByHolm(
                ratios.stream().mapToDouble(PairedRatios::pValue).toArray());
        List<PairVerdict> verdicts = new ArrayList<>();
        for (int i = 0; i < adjusted.length; i++) {
            Pair pair = pairs.get(i);
            Question asks = pair.question;
            Decision decision = Decision.of(
                    ratios.get(i),
                    adjusted[i],
                    adjusted.length,
                    asks.smallest(),
                    asks.metric().quantity());
            verdicts.add(verdict(asks, pair.figure, pair.baseline, pair.candidate, decision));
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
            pairs.add(Pair.of(
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
        Series series = series(subject, experiment.metric(), variant);
        Map<Integer, Double> known = new LinkedHashMap<>(series.values());
        known.keySet().removeAll(series.bounds());
        return known;
    }

    /** Why some of what was measured has no verdict against the baseline, in words, for people: ratios first, then bounds. */
    List<String> withoutVerdict() {
        String baseline = experiment.judged().baseline();
        List<String> ratios = new ArrayList<>();
        List<String> bounds = new ArrayList<>();
        for (String other : labels().subList(1, labels().size())) {
            for (Question question : questions()) {
                int pairs = pair(question, baseline, other).withoutRatio();
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
        List<String> bounds = new ArrayList<>();
        for (Question question : questions) {
            String subject = question.subject();
            Metric metric = question.metric();
            if ((isBound(subject, metric, baseline) || isBound(subject, metric, candidate))
                    && given.stream().noneMatch(verdict -> verdict.isOf(subject, metric.name()))) {
                bounds.add(question.figure() + " of " + experiment.spoken(candidate) + " and "
                        + experiment.spoken(baseline) + ": too many searches were not answered, so that only the least"
                        + " that it can be is known");
            }
        }
        return bounds;
    }

    private boolean isBound(String subject, Metric metric, String variant) {
        return !series(subject, metric, variant).bounds().isEmpty();
    }

    /** One without values where there is none. */
    private Series series(String subject, Metric metric, String variant) {
        return figures.stream()
                .filter(series -> series.subject().equals(subject)
                        && series.isOf(metric)
                        && series.variant().equals(variant))
                .findFirst()
                .orElseGet(() -> new Series(subject, metric.name(), variant, Map.of(), Double.NaN, List.of()));
    }
}
