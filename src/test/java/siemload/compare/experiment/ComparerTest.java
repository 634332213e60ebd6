package siemload.compare.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.compare.experiment.Comparer.Measured;
import siemload.compare.experiment.Comparer.OtherDifferences;
import siemload.compare.experiment.Comparison.PairVerdict;
import siemload.compare.experiment.SourceClaim.Against;
import siemload.compare.experiment.SourceClaim.Direction;
import siemload.compare.experiment.SourceClaim.Expectation;

class ComparerTest {
    private static final Experiment THREE = Examples.experiment(9, "hint", "none", "full-scan", "index");

    @Test
    void anInvalidRunTakesItsPairsOutAndNoMore() {
        List<Measured> runs = new ArrayList<>(Examples.runs(THREE, Map.of(), 1));
        Measured first = runs.get(0);
        runs.set(
                0,
                Examples.with(
                        first, Examples.figures(first.figures().figures(), Examples.ENVIRONMENT, List.of("swapping"))));
        Comparison comparison = Comparer.compare(THREE, runs, OtherDifferences.WITHHOLD);
        for (PairVerdict verdict : comparison.verdicts()) {
            boolean concerned = List.of(verdict.baseline(), verdict.candidate()).contains(first.variant());
            assertThat(verdict.decision().pairs()).isEqualTo(concerned ? 8 : 9);
        }
    }

    /** A slow variant is searched less often in the same time; it must not go missing without a word. */
    @Test
    void whatHadTooFewSearchesIsNamed() {
        List<Measured> runs = Examples.runs(THREE, Map.of(), 1).stream()
                .map(run ->
                        Examples.with(run, searched(run, run.variant().equals("full-scan") ? 190 + run.block() : 200)))
                .toList();
        Comparison comparison = Comparer.compare(THREE, runs, OtherDifferences.WITHHOLD);
        assertThat(comparison.gaps())
                .containsExactly(
                        "fewer searches in a run than the 200 that p95 takes: HAWAT1 with full-scan; a longer --duration has"
                                + " more");
        assertThat(comparison.verdicts())
                .noneMatch(verdict -> verdict.subject().equals("HAWAT1")
                        && verdict.candidate().equals("full-scan"))
                .anyMatch(verdict -> verdict.subject().equals("HAWAT1")
                        && verdict.candidate().equals("index"));
    }

    @Test
    void ofManyVerdictsAClaimTellsWhoseTheyAre() {
        Experiment claiming = claiming(
                new Expectation(
                        "full-scan", Direction.WORSE, 1, List.of("HAWAT1", "HAWAT3"), "", new Against("", "", "")),
                new Expectation("index", Direction.WORSE, 1, List.of("HAWAT1", "HAWAT3"), "", new Against("", "", "")));

        assertThat(compare(claiming, Map.of("full-scan", 40.0, "index", 40.0))
                        .claims()
                        .get(0)
                        .explanation())
                .startsWith("HAWAT1 p95: full-scan is 41x slower")
                .endsWith("; and 2 more of 4 verdicts");
        assertThat(compare(claiming, Map.of("full-scan", 40.0)).claims().get(0).explanation())
                .startsWith("HAWAT1 p95: index is ")
                .contains("; HAWAT3 p95: index is ");
    }

    @Test
    void aPairOfWhichOneSideIsZeroHasNoRatioAndIsNamed() {
        List<Measured> runs = new ArrayList<>();
        for (Measured run : Examples.runs(THREE, Map.of(), 1)) {
            boolean zero = run.variant().equals("none") && run.block() == 2;
            runs.add(zero ? Examples.with(run, Examples.figures(Map.of("HAWAT1", Map.of("p95", 0.0)))) : run);
        }
        Comparison comparison = Comparer.compare(THREE, runs, OtherDifferences.WITHHOLD);
        assertThat(comparison.verdicts())
                .noneMatch(verdict ->
                        verdict.subject().equals("HAWAT1") && verdict.baseline().equals("none"));
        assertThat(comparison.gaps())
                .contains("HAWAT1 p95 has no ratio of full-scan to none: one of both is 0 in 1 pair");
    }

    @Test
    void anExperimentThatComparesNothingSaysNothingAndWhy() {
        List<Measured> runs = Examples.runs(THREE, Map.of(), 1).stream()
                .map(run -> Examples.with(
                        run,
                        Examples.figures(
                                run.figures().figures(),
                                Examples.ENVIRONMENT,
                                run.variant().equals("none") || run.block() > 0 ? List.of("too busy") : List.of())))
                .filter(run -> !run.variant().equals("index"))
                .toList();
        Comparison comparison = Comparer.compare(THREE, runs, OtherDifferences.WITHHOLD);
        assertThat(comparison.saysSomething()).isFalse();
        assertThat(comparison.gaps())
                .containsExactly(
                        "none: no run of it counts, so that nothing is known of it",
                        "index: no run of it counts, so that nothing is known of it",
                        "anything: no two variants have a valid run with p95 in the same block");
    }

    private static Experiment claiming(Expectation... expectations) {
        SourceClaim claim = new SourceClaim("", 0, "Somebody found it.", List.of(expectations));
        return Examples.with(THREE, THREE.judged(), List.of(claim));
    }

    private static Comparison compare(Experiment experiment, Map<String, Double> factors) {
        return Comparer.compare(experiment, Examples.runs(experiment, factors, 1), OtherDifferences.WITHHOLD);
    }

    private static List<Measured> withOtherMemory() {
        List<Measured> runs = new ArrayList<>(Examples.runs(THREE, Map.of(), 1));
        Measured fifth = runs.get(4);
        runs.set(
                4,
                Examples.with(
                        fifth,
                        Examples.figures(
                                fifth.figures().figures(),
                                Examples.environmentWith("database", "setting.work_mem", "64MB"),
                                List.of())));
        return runs;
    }

    private static RunFigures searched(Measured run, long searches) {
        RunFigures figures = run.figures();
        return new RunFigures(
                figures.runId(),
                figures.figures(),
                Map.of("HAWAT1", searches),
                Map.of(),
                Examples.ENVIRONMENT,
                RunFigures.Answers.NONE,
                RunFigures.Overload.NONE,
                List.of());
    }
}
