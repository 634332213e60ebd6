package siemload.compare.experiment;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import siemload.compare.experiment.Comparison.Series;
import siemload.compare.statistics.Decision;

/**
 * What a gate asks of its pairs: every blocking metric that the baseline has in nearly all blocks. What is asked does not
 * depend on the candidate, since one that is slow enough answers too few searches for any metric. Immutable.
 *
 * @param asked what is compared
 * @param leftOut what cannot be compared, and does not decide: in words
 * @param fallenOut the searches that the baseline answered often enough, and the candidate too seldom for any metric: in words
 */
record GateQuestions(List<Verdicts.Question> asked, List<String> leftOut, List<String> fallenOut) {
    private static final List<Metric> OF_A_SEARCH = List.of(new Metric("p50"), new Metric("p95"), new Metric("p99"));
    private static final List<Metric> BLOCKING = Stream.concat(
                    OF_A_SEARCH.stream(), Stream.of(new Metric("cpuMicrosPerSearch")))
            .toList();

    /** The share of the blocks that must have a metric with the baseline. */
    private static final double ENOUGH = 0.75;

    /** And the share of these that must have it with the candidate; lower, since counts that are just enough vary. */
    private static final double ENOUGH_ANSWERED = 0.5;

    GateQuestions {
        asked = List.copyOf(asked);
        leftOut = List.copyOf(leftOut);
        fallenOut = List.copyOf(fallenOut);
    }

    /**
     * How many pairs it takes that a change can be decided where everything can be compared of so many kinds of searches.
     *
     * @param also what is asked beside what every gate asks
     */
    static int pairsForAll(int searches, List<Metric> also) {
        int ofEach = (int) also.stream().filter(Metric::isOfEachSearch).count();
        return Decision.leastPairs(searches * (OF_A_SEARCH.size() + ofEach) + BLOCKING.size() + also.size());
    }

    /** What a gate asks beside what every gate asks. */
    static List<Metric> also(Experiment paired) {
        return paired.judged().alsoShow().stream()
                .filter(metric -> !BLOCKING.contains(metric))
                .toList();
    }

    /**
     * The questions that these runs can answer.
     *
     * @param figures of valid blocks only
     * @param blocks the valid ones
     * @param also what is asked beside what every gate asks
     */
    static GateQuestions of(List<Series> figures, Set<Integer> blocks, List<Metric> also) {
        List<Metric> blocking = Stream.concat(BLOCKING.stream(), also.stream()).toList();
        List<Verdicts.Question> asked = new ArrayList<>();
        List<String> leftOut = new ArrayList<>();
        List<String> fallenOut = new ArrayList<>();
        Set<String> subjects = new LinkedHashSet<>();
        figures.forEach(series -> subjects.add(series.subject()));
        for (String subject : subjects) {
            List<String> fallen = new ArrayList<>();
            int before = asked.size();
            for (Metric metric : blocking) {
                List<Series> own = figures.stream()
                        .filter(series -> series.subject().equals(subject)
                                && series.metric().equals(metric.name()))
                        .toList();
                Set<Integer> known = new LinkedHashSet<>(blocks);
                known.retainAll(blocksOf(own, GateRules.BASELINE));
                known.retainAll(blocksOf(own, GateRules.CONTROL));
                Set<Integer> answered = new LinkedHashSet<>(known);
                answered.retainAll(blocksOf(own, GateRules.CANDIDATE));
                if (!known.isEmpty() && known.size() >= ENOUGH * blocks.size()) {
                    if (answered.size() >= ENOUGH_ANSWERED * known.size()) {
                        asked.add(new Verdicts.Question(subject, metric, metric.smallest()));
                    } else {
                        fallen.add(subject + " " + metric.name() + ": the candidate answered the "
                                + metric.searchesNeeded() + " searches that it takes in only " + answered.size()
                                + " of the " + known.size() + " blocks in which the baseline did");
                    }
                } else if (!own.isEmpty()) {
                    leftOut.add(subject + " " + metric.name() + ": only " + known.size() + " of " + blocks.size()
                            + " blocks had the " + metric.searchesNeeded()
                            + " searches that it takes, in both runs of the baseline");
                }
            }
            // What is left of a search tells how it went: its median needs fewer searches than its other percentiles.
            (asked.size() > before ? leftOut : fallenOut).addAll(fallen);
        }
        also.stream()
                .filter(metric ->
                        asked.stream().noneMatch(question -> question.metric().equals(metric)))
                .forEach(metric -> fallenOut.add(metric.name() + " was asked for and cannot be compared: too few blocks"
                        + " have it, in both runs of the baseline and that of the candidate"));
        return new GateQuestions(asked, leftOut, fallenOut);
    }

    private static Set<Integer> blocksOf(List<Series> series, String cell) {
        Set<Integer> blocks = new LinkedHashSet<>();
        series.stream()
                .filter(one -> one.variant().equals(cell))
                .forEach(one -> blocks.addAll(one.values().keySet()));
        return blocks;
    }
}
