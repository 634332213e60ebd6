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
    void aMetricThatIsAskedForAndWasNotMeasuredIsNeverGreen() {
        GateResult result = decide(experimentAlso("latenessP50"), withTimes("firstEventP50", 1), NO_CERTIFICATES);
        assertThat(result.outcome()).isEqualTo(Outcome.INVALID);
        assertThat(result.reasons()).first().asString().startsWith("latenessP50 was asked for and cannot be compared");
    }

    private static Map<String, Map<String, Double>> without(Measured run, String subject) {
        Map<String, Map<String, Double>> others = new TreeMap<>(run.figures().figures());
        others.remove(subject);
        return others;
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
