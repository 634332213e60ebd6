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
import siemload.compare.statistics.Interval;
import siemload.compare.statistics.PairedRatios;

/**
 * Decides how variants compare, by figures of a variant each. All that is decided about one pair of variants is adjusted
 * together, by Holm. Immutable.
 */
record Verdicts(Experiment experiment, List<Series> figures, Asked asked) {

    /**
     * What is asked of a pair of variants.
     *
     * @param smallest the smallest change that matters, as a ratio above 0
     */
    record Question(String subject, Metric metric, double smallest) {}

    private String figure(Question question) {
        return question.subject() + " " + question.metric().words(asked);
    }

    /** Two things by their names, with a value of each in each block; in sentences they may have other names. */
    private record Pair(
            Question question,
            String figure,
            String baseline,
            String candidate,
            Map<Integer, Double> before,
            Map<Integer, Double> after) {

        private List<Integer> blocks() {
            return before.keySet().stream().filter(after::containsKey).toList();
        }

        private static double[] values(Map<Integer, Double> byBlock, List<Integer> blocks) {
            return blocks.stream()
                    .mapToDouble(block -> byBlock.getOrDefault(block, 0.0))
                    .toArray();
        }

        PairedRatios ratios(long seed) {
            return PairedRatios.ofPairs(values(before, blocks()), values(after, blocks()), seed);
        }

        /** How many pairs have no ratio: of two values one is 0, or next to it; two that are 0 are equal. */
        private long withoutRatio() {
            return blocks().stream()
                    .filter(block -> {
                        double one = before.getOrDefault(block, 0.0);
                        double other = after.getOrDefault(block, 0.0);
                        boolean isRatio = one > 0 && other / one > 0 && Double.isFinite(other / one);
                        return !isRatio && !(one == 0 && other == 0);
                    })
                    .count();
        }
    }

    private PairVerdict verdict(Pair pair, PairedRatios ratios, double adjustedP, int comparisons) {
        Question question = pair.question();
        Metric metric = question.metric();
        Decision decision = Decision.of(ratios, adjustedP, comparisons, question.smallest(), metric.quantity());
        return verdict(
                question.subject(),
                metric,
                pair.candidate(),
                pair.baseline(),
                pair.figure(),
                decision,
                ratios.effectSize());
    }

    private PairVerdict verdict(
            String subject, Metric metric, String of, String than, String figure, Decision decision, double effect) {
        return new PairVerdict(
                subject,
                metric.name(),
                than,
                of,
                decision,
                effect,
                DecisionText.of(figure, experiment.spoken(of), experiment.spoken(than), decision));
    }

    /** Those pairs that have a block in common, and a ratio in each of these. */
    private List<PairVerdict> decided(List<Pair> asked) {
        List<Pair> pairs = asked.stream()
                .filter(pair -> !pair.blocks().isEmpty() && pair.withoutRatio() == 0)
                .toList();
        List<PairedRatios> ratios =
                pairs.stream().map(pair -> pair.ratios(experiment.seed())).toList();
        double[] adjusted = Decision.adjustedByHolm(
                ratios.stream().mapToDouble(PairedRatios::pValue).toArray());
        return IntStream.range(0, adjusted.length)
                .mapToObj(i -> verdict(pairs.get(i), ratios.get(i), adjusted[i], adjusted.length))
                .toList();
    }

    /** Why some of what was measured has no verdict against the baseline, in words, for people: ratios first, then bounds. */
    List<String> withoutVerdict() {
        List<Question> questions = questions();
        String baseline = experiment.judged().baseline();
        List<String> ratios = new ArrayList<>();
        List<String> bounds = new ArrayList<>();
        for (String other : experiment.labels()) {
            if (!other.equals(baseline)) {
                ratios.addAll(withoutRatio(baseline, other, questions));
                bounds.addAll(onlyBounds(baseline, other, questions));
            }
        }
        ratios.addAll(bounds);
        return ratios;
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
        double smallest = experiment.judged().smallest();
        return subjects.stream()
                .map(subject -> new Question(subject, experiment.metric(), smallest))
                .toList();
    }

    /** All pairs of variants of an experiment, those with its baseline first, by the metric that decides. */
    List<PairVerdict> all() {
        List<Question> questions = questions();
        List<String> labels = new ArrayList<>(experiment.labels());
        labels.remove(experiment.judged().baseline());
        labels.add(0, experiment.judged().baseline());
        List<PairVerdict> all = new ArrayList<>();
        for (int i = 0; i < labels.size(); i++) {
            for (int j = i + 1; j < labels.size(); j++) {
                all.addAll(between(labels.get(i), labels.get(j), questions));
            }
        }
        return all;
    }

    /** The same verdict with both variants in each other's place; nothing where a ratio cannot be turned. */
    Optional<PairVerdict> turned(PairVerdict verdict) {
        Interval ratio = verdict.decision().ratio();
        if (!(ratio.low() > 0 && Double.isFinite(ratio.high()))) {
            return Optional.empty();
        }
        Metric metric = new Metric(verdict.metric());
        String figure = verdict.subject() + " " + metric.words(asked);
        return Optional.of(verdict(
                verdict.subject(),
                metric,
                verdict.baseline(),
                verdict.candidate(),
                figure,
                verdict.decision().turned(),
                -verdict.effectSize()));
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
    List<PairVerdict> ofRatios(List<RatioPair> ratios) {
        Metric metric = experiment.metric();
        List<Pair> pairs = new ArrayList<>();
        for (RatioPair ratio : ratios) {
            Ratio one = ratio.candidate();
            String candidate = one.beside(ratio.baseline());
            String common = candidate.equals(one.subject()) ? one.variants() : one.subject();
            pairs.add(new Pair(
                    new Question(common, metric, experiment.judged().smallest()),
                    metric.words(asked) + " of " + common,
                    ratio.baseline().beside(one),
                    candidate,
                    byBlock(ratio.baseline(), metric),
                    byBlock(one, metric)));
        }
        return decided(pairs);
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

    private Pair pair(Question question, String baseline, String candidate) {
        return new Pair(
                question,
                figure(question),
                baseline,
                candidate,
                values(question.subject(), question.metric(), baseline),
                values(question.subject(), question.metric(), candidate));
    }

    /** The verdicts on those questions that the runs of both variants can answer. */
    List<PairVerdict> between(String baseline, String candidate, List<Question> questions) {
        return decided(questions.stream()
                        .map(question -> pair(question, baseline, candidate))
                        .toList())
                .stream()
                .filter(this::holds)
                .toList();
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
                sentences.add(
                        figure(question) + " of " + experiment.spoken(candidate) + " and " + experiment.spoken(baseline)
                                + ": too many " + asked.many()
                                + " were not answered, so that only the least that it can be is known");
            }
        }
        return sentences;
    }

    /** Which of these questions have no answer since one run of a pair has 0 and the other has not: in words, for people. */
    private List<String> withoutRatio(String baseline, String candidate, List<Question> questions) {
        List<String> sentences = new ArrayList<>();
        for (Question question : questions) {
            long pairs = pair(question, baseline, candidate).withoutRatio();
            if (pairs > 0) {
                sentences.add(figure(question) + " has no ratio of " + experiment.spoken(candidate) + " to "
                        + experiment.spoken(baseline) + ": one of both is 0 in " + pairs
                        + (pairs == 1 ? " pair" : " pairs"));
            }
        }
        return sentences;
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

    Optional<Series> find(String subject, String metric, String variant) {
        return figures.stream()
                .filter(series -> series.subject().equals(subject)
                        && series.metric().equals(metric)
                        && series.variant().equals(variant))
                .findFirst();
    }
}
