package siemload.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import siemload.compare.Comparison.PairVerdict;
import siemload.compare.Comparison.Series;
import siemload.compare.statistics.Decision;
import siemload.compare.statistics.Decision.Verdict;
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

    /**
     * Two things by their names.
     *
     * @param logs the logarithm of candidate / baseline in each block that both have; not a number where one of both is 0
     * @param worse whether the true values of the baseline are no better, since too many searches got no answer
     * @param better the same of the candidate
     */
    private record Pair(
            Question question,
            String baseline,
            String candidate,
            Map<Integer, Double> logs,
            boolean worse,
            boolean better) {
        private long withoutRatio() {
            return logs.values().stream().filter(log -> !Double.isFinite(log)).count();
        }

        /** Whether this is known of the true values, too. */
        private boolean isKnown(Verdict verdict) {
            return switch (verdict) {
                case WORSE -> !worse;
                case BETTER -> !better;
                case SAME, UNCLEAR -> !worse && !better;
            };
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
    List<String> labels() {
        return Stream.concat(Stream.of(experiment.baseline()), experiment.labels().stream())
                .distinct()
                .toList();
    }

    /** About what the experiment names of all that has the metric that decides; about everything, where it names nothing. */
    List<Question> questions() {
        Metric metric = experiment.metric();
        List<String> subjects = figures.stream()
                .filter(series -> experiment.asksFor(series.subject()) && series.isOf(metric))
                .map(Series::subject)
                .distinct()
                .toList();
        // One search and all of them: the same thing under two names.
        boolean twice = experiment.subjects().isEmpty() && subjects.size() == 2;
        return subjects.stream()
                .filter(subject -> !twice || !subject.equals(RunFigures.ALL))
                .map(subject -> new Question(subject, metric, experiment.smallest()))
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
                .toList());
    }

    private Pair pair(Question question, String baseline, String candidate) {
        Series before = series(question.subject(), question.metric(), baseline);
        Series after = series(question.subject(), question.metric(), candidate);
        return new Pair(
                question,
                baseline,
                candidate,
                logs(before, after),
                !before.bounds().isEmpty(),
                !after.bounds().isEmpty());
    }

    private static Map<Integer, Double> logs(Series before, Series after) {
        Map<Integer, Double> logs = new LinkedHashMap<>();
        before.values().forEach((block, value) -> {
            Double other = after.values().get(block);
            if (other != null) {
                logs.put(block, value == 0 && other == 0 ? 0 : Math.log(other) - Math.log(value));
            }
        });
        return logs;
    }

    /** Those pairs that have a block in common, and a ratio in each of these. */
    private List<PairVerdict> decided(List<Pair> asked) {
        List<Pair> pairs = asked.stream()
                .filter(pair -> !pair.logs.isEmpty() && pair.withoutRatio() == 0)
                .toList();
        List<PairedRatios> ratios = pairs.stream()
                .map(pair -> pair.logs.values().stream().mapToDouble(log -> log).toArray())
                .map(logs -> PairedRatios.of(logs, experiment.seed()))
                .toList();
        double[] adjusted = Decision.adjustedByHolm(
                ratios.stream().mapToDouble(PairedRatios::pValue).toArray());
        List<PairVerdict> verdicts = new ArrayList<>();
        for (int i = 0; i < adjusted.length; i++) {
            Pair pair = pairs.get(i);
            Question asks = pair.question;
            Decision decision =
                    Decision.of(ratios.get(i), adjusted[i], adjusted.length, asks.smallest, asks.metric.quantity());
            if (pair.isKnown(decision.verdict())) {
                String candidate = experiment.spoken(pair.candidate);
                String sentence = decision.sentence(asks.figure(), candidate, experiment.spoken(pair.baseline));
                verdicts.add(new PairVerdict(
                        asks.subject, asks.metric.name(), pair.baseline, pair.candidate, decision, sentence));
            }
        }
        return verdicts;
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
            Question question = new Question(common, metric, experiment.smallest());
            Map<Integer, Double> logs = known(one);
            Map<Integer, Double> others = known(baseline);
            logs.keySet().retainAll(others.keySet());
            logs.replaceAll((block, log) -> log - others.getOrDefault(block, 0.0));
            pairs.add(new Pair(question, baseline.beside(one), candidate, logs, false, false));
        });
        return decided(pairs);
    }

    /** Logarithms of the ratios of the metric that decides in blocks where neither value is only a bound, or 0. */
    private Map<Integer, Double> known(Ratio ratio) {
        Series before = series(ratio.subject(), experiment.metric(), ratio.than());
        Series after = series(ratio.subject(), experiment.metric(), ratio.of());
        Map<Integer, Double> logs = logs(before, after);
        logs.keySet().removeAll(before.bounds());
        logs.keySet().removeAll(after.bounds());
        logs.values().removeIf(log -> !Double.isFinite(log));
        logs.keySet().removeIf(block -> before.values().getOrDefault(block, 0.0) <= 0);
        return logs;
    }

    /**
     * Why some of these questions have no verdict, in words, for people.
     *
     * @param given what {@link #between} says of them
     */
    List<String> open(String baseline, String candidate, List<Question> questions, List<PairVerdict> given) {
        List<String> open = new ArrayList<>();
        String one = experiment.spoken(candidate);
        String other = experiment.spoken(baseline);
        for (Question question : questions) {
            Pair pair = pair(question, baseline, candidate);
            long zeros = pair.withoutRatio();
            if (zeros > 0) {
                open.add(question.figure() + " has no ratio of " + one + " to " + other + ": one of both is 0 in "
                        + zeros + (zeros == 1 ? " pair" : " pairs"));
            } else if ((pair.worse || pair.better)
                    && given.stream().noneMatch(verdict -> verdict.isOf(question.subject, question.metric.name()))) {
                open.add(question.figure() + " of " + one + " and " + other
                        + ": too many searches were not answered, so only a lower bound is known");
            }
        }
        return open;
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
