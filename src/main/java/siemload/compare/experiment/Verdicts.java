package siemload.compare.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
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
import siemload.compare.statistics.Verdict;

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

    /** Why some of what was measured has no verdict against the baseline, in words, for people: ratios first, then bounds. */
    static List<String> withoutVerdict(Experiment experiment, List<Series> figures) {
        Verdicts verdicts = new Verdicts(figures, experiment.seed(), experiment::spoken);
        List<Question> questions = verdicts.questions(experiment);
        String baseline = experiment.judged().baseline();
        List<String> others = new ArrayList<>(
                experiment.variants().stream().map(ComparedVariant::label).toList());
        others.remove(baseline);
        List<String> reasons = new ArrayList<>();
        others.forEach(other -> reasons.addAll(verdicts.withoutRatio(baseline, other, questions)));
        others.forEach(other -> reasons.addAll(verdicts.onlyBounds(baseline, other, questions)));
        return reasons;
    }

    private List<Question> questions(Experiment experiment) {
        return subjects(experiment).stream()
                .map(subject -> new Question(
                        subject,
                        experiment.judged().metric(),
                        experiment.judged().smallest()))
                .toList();
    }

    /** All pairs of variants of an experiment, those with its baseline first, by the metric that decides. */
    static List<PairVerdict> of(Experiment experiment, List<Series> figures) {
        Verdicts verdicts = new Verdicts(figures, experiment.seed(), experiment::spoken);
        List<Question> questions = verdicts.questions(experiment);
        List<String> cells = new ArrayList<>(
                experiment.variants().stream().map(ComparedVariant::label).toList());
        cells.remove(experiment.judged().baseline());
        cells.add(0, experiment.judged().baseline());
        List<PairVerdict> all = new ArrayList<>();
        for (int i = 0; i < cells.size(); i++) {
            for (int j = i + 1; j < cells.size(); j++) {
                all.addAll(verdicts.between(cells.get(i), cells.get(j), questions));
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
        Verdict turned = switch (decision.verdict()) {
            case BETTER -> Verdict.WORSE;
            case WORSE -> Verdict.BETTER;
            case SAME, UNCLEAR -> decision.verdict();
        };
        Decision other = new Decision(
                turned,
                decision.ratio().reciprocal(),
                decision.pairs(),
                decision.spread(),
                decision.pValue(),
                decision.comparisons(),
                decision.practicalDelta(),
                decision.quantity());
        String figure = verdict.subject() + " " + new Metric(verdict.metric()).words();
        String of = verdict.baseline();
        String than = verdict.candidate();
        return Optional.of(new PairVerdict(
                verdict.subject(),
                verdict.metric(),
                than,
                of,
                other,
                -verdict.effectSize(),
                DecisionText.of(figure, experiment.spoken(of), experiment.spoken(than), other)));
    }

    /** How two variants compare in one subject, block by block. */
    record Ratio(String subject, String of, String than) {
        /** For people, beside another one: only what tells them apart. */
        private String beside(Ratio other) {
            String variants = of + " to " + than;
            if (of.equals(other.of) && than.equals(other.than)) {
                return subject;
            }
            return subject.equals(other.subject) ? variants : subject + " " + variants;
        }
    }

    /** Two ratios, the second of which is held against the first. */
    record RatioPair(Ratio baseline, Ratio candidate) {}

    /**
     * How ratios compare with each other, by the metric that decides: whether a change costs one thing more than another. The
     * blocks count in which all four runs are there and none has only a bound. All that is asked here is adjusted together.
     */
    static List<PairVerdict> ofRatios(Experiment experiment, List<Series> figures, List<RatioPair> pairs) {
        Verdicts verdicts = new Verdicts(figures, experiment.seed(), experiment::spoken);
        Metric metric = experiment.judged().metric();
        List<RatioPair> known = new ArrayList<>();
        List<PairedRatios> ratios = new ArrayList<>();
        for (RatioPair pair : pairs) {
            Map<Integer, Double> before = verdicts.byBlock(pair.baseline(), metric);
            Map<Integer, Double> after = verdicts.byBlock(pair.candidate(), metric);
            List<Integer> blocks =
                    before.keySet().stream().filter(after::containsKey).toList();
            if (!blocks.isEmpty()) {
                known.add(pair);
                ratios.add(PairedRatios.ofPairs(values(before, blocks), values(after, blocks), experiment.seed()));
            }
        }
        double[] adjusted =
                Holm.adjust(ratios.stream().mapToDouble(PairedRatios::pValue).toArray());
        List<PairVerdict> all = new ArrayList<>();
        for (int i = 0; i < adjusted.length; i++) {
            all.add(verdict(experiment, known.get(i), ratios.get(i), adjusted[i], adjusted.length));
        }
        return all;
    }

    private static PairVerdict verdict(
            Experiment experiment, RatioPair pair, PairedRatios ratios, double adjustedP, int comparisons) {
        Decision decision = Decision.of(
                ratios,
                adjustedP,
                comparisons,
                experiment.judged().smallest(),
                experiment.judged().metric().quantity());
        String baseline = pair.baseline().beside(pair.candidate());
        String candidate = pair.candidate().beside(pair.baseline());
        Ratio asked = pair.candidate();
        String common = candidate.equals(asked.subject()) ? asked.of() + " to " + asked.than() : asked.subject();
        String figure = experiment.judged().metric().words() + " of " + common;
        return new PairVerdict(
                common,
                experiment.judged().metric().name(),
                baseline,
                candidate,
                decision,
                ratios.effectSize(),
                DecisionText.of(figure, candidate, baseline, decision));
    }

    private Map<Integer, Double> byBlock(Ratio ratio, Metric metric) {
        Map<Integer, Double> before = known(ratio.subject(), metric, ratio.than());
        Map<Integer, Double> after = known(ratio.subject(), metric, ratio.of());
        Map<Integer, Double> ratios = new LinkedHashMap<>();
        before.forEach((block, value) -> {
            Double other = after.get(block);
            if (other != null && value > 0 && other > 0) {
                ratios.put(block, other / value);
            }
        });
        return ratios;
    }

    /** What the experiment names, or everything that has the metric. */
    private Set<String> subjects(Experiment experiment) {
        Set<String> subjects = new LinkedHashSet<>();
        for (Series series : figures) {
            if (experiment.judged().asksFor(series.subject())
                    && series.metric().equals(experiment.judged().metric().name())) {
                subjects.add(series.subject());
            }
        }
        if (experiment.judged().subjects().isEmpty() && subjects.size() == 2) {
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
            PairVerdict verdict = verdict(answerable.get(i), adjusted[i], adjusted.length, baseline, candidate);
            if (holdsFor(verdict, answerable.get(i).question())) {
                verdicts.add(verdict);
            }
        }
        return verdicts;
    }

    /** Where too many searches got no answer, the true values are no better than these: then not everything follows. */
    private boolean holdsFor(PairVerdict verdict, Question question) {
        boolean boundBefore = isBound(question, verdict.baseline());
        boolean boundAfter = isBound(question, verdict.candidate());
        return switch (verdict.decision().verdict()) {
            case WORSE -> !boundBefore;
            case BETTER -> !boundAfter;
            case SAME, UNCLEAR -> !boundBefore && !boundAfter;
        };
    }

    /** Which of these questions have no verdict since only bounds are known, in words, for people. */
    List<String> onlyBounds(String baseline, String candidate, List<Question> questions) {
        List<Question> bounds = questions.stream()
                .filter(question -> isBound(question, baseline) || isBound(question, candidate))
                .toList();
        if (bounds.isEmpty()) {
            return List.of();
        }
        List<PairVerdict> given = between(baseline, candidate, questions);
        return bounds.stream()
                .filter(question -> given.stream()
                        .noneMatch(verdict -> verdict.subject().equals(question.subject())
                                && verdict.metric().equals(question.metric().name())))
                .map(question -> question.subject() + " " + question.metric().words() + " of " + spoken.apply(candidate)
                        + " and " + spoken.apply(baseline)
                        + ": too many searches were not answered, so that only the least that it can be is known")
                .toList();
    }

    private boolean isBound(Question question, String cell) {
        return find(question.subject(), question.metric(), cell)
                .filter(series -> !series.bounds().isEmpty())
                .isPresent();
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
        return values(question.subject(), question.metric(), cell);
    }

    private Map<Integer, Double> values(String subject, Metric metric, String cell) {
        return find(subject, metric, cell).map(Series::values).orElse(Map.of());
    }

    /** Those that are not only bounds. */
    private Map<Integer, Double> known(String subject, Metric metric, String cell) {
        Map<Integer, Double> known = new LinkedHashMap<>(values(subject, metric, cell));
        find(subject, metric, cell).ifPresent(series -> known.keySet().removeAll(series.bounds()));
        return known;
    }

    private Optional<Series> find(String subject, Metric metric, String cell) {
        return figures.stream()
                .filter(series -> series.subject().equals(subject)
                        && series.metric().equals(metric.name())
                        && series.variant().equals(cell))
                .findFirst();
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
