package siemload.compare.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import siemload.compare.experiment.Comparer.Measured;
import siemload.compare.experiment.Comparer.OtherDifferences;
import siemload.compare.experiment.GateResult.Outcome;

/** Figures that are missing on one side or both, and figures that were asked for. */
class GateMetricsTest extends GateFixture {
    @Test
    void aCandidateThatAnswersTooFewSearchesForAFigureIsNotGreen() {
        GateResult result = withCandidate(run -> Examples.with(run, Examples.figures(without(run, "HAWAT3"))));
        assertThat(result.outcome()).isEqualTo(Outcome.INVALID);
        assertThat(result.reasons())
                .contains("HAWAT3 p50: the candidate answered the 20 searches that it takes in only 0 of the 11 blocks"
                        + " in which the baseline did");
    }

    @Test
    void aPercentileThatOnlyTheCandidateLacksIsLeftOutAndTheMedianDecides() {
        Experiment experiment = experiment();
        List<Measured> runs = Examples.runs(experiment, Map.of("candidate", 1.10), 1).stream()
                .map(run -> run.variant().equals(GateRules.CANDIDATE)
                        ? Examples.with(run, Examples.figures(withoutTail(run)))
                        : run)
                .toList();
        GateResult result = decide(experiment, runs, NO_CERTIFICATES);
        assertThat(result.outcome()).isEqualTo(Outcome.REGRESSION);
        assertThat(result.compared().leftOut())
                .hasSize(4)
                .allMatch(left -> left.contains("p95: the candidate answered"));
    }

    @Test
    void whatTheBaselineItselfHasTooSeldomIsLeftOut() {
        GateResult result = withRuns(run -> Examples.with(run, Examples.figures(without(run, "HAWAT3"))));
        assertThat(result.outcome()).isEqualTo(Outcome.PASSED);
    }

    @Test
    void aMetricThatIsAskedForBlocksWhereItGotWorse() {
        GateResult result = decide(experimentAlso("firstEventP50"), withTimes("firstEventP50", 1.2), NO_CERTIFICATES);
        assertThat(result.outcome()).isEqualTo(Outcome.REGRESSION);
        assertThat(result.reasons()).hasSize(1).first().asString().startsWith("HAWAT1 first event p50: candidate is ");
    }

    @Test
    void aMetricThatNobodyAskedForDoesNotBlock() {
        assertThat(decide(experiment(), withTimes("firstEventP50", 1.2), NO_CERTIFICATES)
                        .outcome())
                .isEqualTo(Outcome.PASSED);
    }

    @Test
    void aMetricThatIsAskedForAndWasNotMeasuredIsNeverGreen() {
        GateResult result = decide(experimentAlso("latenessP50"), withTimes("firstEventP50", 1), NO_CERTIFICATES);
        assertThat(result.outcome()).isEqualTo(Outcome.INVALID);
        assertThat(result.reasons()).first().asString().startsWith("latenessP50 was asked for and cannot be compared");
    }

    /** Ten searches: 3 figures of each, 4 of all together; with one more of each 44, of which 2^-11 each is 0.021. */
    @Test
    void eachMetricMoreTakesItsPairs() {
        List<Metric> perSearch =
                List.of(new Metric("firstEventP50"), new Metric("lastEventP50"), new Metric("firstEventP95"));
        assertThat(GateRules.pairsForAll(10, perSearch)).isEqualTo(PAIRS + 1);
        assertThat(GateRules.pairsForAll(10, List.of(new Metric("latenessP50"))))
                .isEqualTo(PAIRS);
    }

    private static Map<String, Map<String, Double>> without(Measured run, String subject) {
        Map<String, Map<String, Double>> others = new TreeMap<>(run.figures().figures());
        others.remove(subject);
        return others;
    }

    private static Map<String, Map<String, Double>> withoutTail(Measured run) {
        Map<String, Map<String, Double>> medians = new TreeMap<>();
        run.figures().figures().forEach((subject, values) -> medians.put(subject, Map.of("p50", values.get("p50"))));
        return medians;
    }

    private static Experiment experimentAlso(String metric) {
        Experiment old = experiment();
        return new Experiment(
                old.name(),
                old.question(),
                old.kind(),
                old.axes(),
                old.variants(),
                old.settings(),
                new Experiment.Judgement(
                        old.judged().baseline(),
                        old.judged().metric(),
                        List.of(new Metric("p95"), new Metric(metric)),
                        old.judged().smallest(),
                        old.judged().subjects()),
                old.repeats(),
                old.seed(),
                old.sources());
    }

    /** Another time of one search, so many times as long with the candidate. */
    private static List<Measured> withTimes(String metric, double factor) {
        List<Measured> runs = new ArrayList<>();
        for (Measured run : Examples.runs(experiment(), Map.of(), 1)) {
            Map<String, Map<String, Double>> figures =
                    new TreeMap<>(run.figures().figures());
            Map<String, Double> own = new TreeMap<>(figures.get("HAWAT1"));
            own.put(metric, own.get("p50") * (run.variant().equals(GateRules.CANDIDATE) ? factor : 1) / 2);
            figures.put("HAWAT1", own);
            runs.add(Examples.with(run, Examples.figures(figures)));
        }
        return runs;
    }

    @Test
    void statementsThatTheCandidateAnswersOtherwiseBlockUnlessThatIsMeant() {
        Comparison.Answers other =
                new Comparison.Answers("baseline", "candidate", 10, 2, List.of("ann (3 and 2 rows)"));

        assertThat(ofStatements(other, Set.of()).outcome()).isEqualTo(GateResult.Outcome.REGRESSION);
        assertThat(ofStatements(other, Set.of("answers")).outcome()).isEqualTo(GateResult.Outcome.PASSED);
    }

    @Test
    void answersThatCouldNotBeHeldAgainstEachOtherAreNotGreen() {
        Comparison.Answers none = new Comparison.Answers("baseline", "candidate", 0, 0, List.of());

        assertThat(ofStatements(none, Set.of()).outcome()).isEqualTo(GateResult.Outcome.INVALID);
    }

    @Test
    void nothingFollowsFromAnswersWhereTheBaselineDoesNotAnswerLikeItself() {
        Comparison.Answers control = new Comparison.Answers("baseline", "control", 10, 1, List.of());

        assertThat(ofStatements(control, Set.of("answers")).outcome()).isEqualTo(GateResult.Outcome.INVALID);
    }

    private static GateResult ofStatements(Comparison.Answers answers, Set<String> tolerated) {
        Experiment experiment = experiment();
        Comparison comparison = Comparer.compare(
                experiment, Examples.runs(experiment, Map.of(), 1), List.of(answers), OtherDifferences.ACCEPT);
        return GateRules.decide(
                "2026-11-21T02:00:00Z",
                new GateRules.Certificates(List.of(), List.of(), List.of(), tolerated),
                comparison,
                PAIRS,
                14);
    }
}
