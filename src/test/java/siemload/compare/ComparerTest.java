package siemload.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import siemload.compare.Comparer.Measured;
import siemload.compare.Comparer.OtherDifferences;
import siemload.compare.Comparison.PairVerdict;

class ComparerTest {
    private static final Experiment THREE = Examples.experiment(9, "hint", "none", "full-scan", "index");
    private static final List<Measured> RUNS = Examples.runs(THREE, Map.of(), 1);

    @Test
    void anInvalidRunTakesItsPairsOutAndNoMore() {
        Measured first = RUNS.get(0);
        for (PairVerdict verdict : compare(run -> run == first, change -> change.invalid = List.of("swapping"))
                .verdicts()) {
            boolean concerned = List.of(verdict.baseline(), verdict.candidate()).contains(first.variant());
            assertThat(verdict.decision().pairs()).isEqualTo(concerned ? 8 : 9);
        }
    }

    /** A slow variant is searched less often in the same time; it must not go missing without a word. */
    @Test
    void whatHadTooFewSearchesIsNamed() {
        Comparison comparison = compare(
                run -> run.variant().equals("full-scan") && run.block() < 8,
                change -> change.searches = Map.of("HAWAT1", 199L));

        assertThat(comparison.gaps())
                .containsExactly(
                        "fewer searches in a run than the 200 that p95 needs: HAWAT1 with full-scan (use a longer"
                                + " --duration)");
        assertThat(comparison.verdicts())
                .filteredOn(verdict -> verdict.subject().equals("HAWAT1")
                        && verdict.candidate().equals("full-scan"))
                .allMatch(verdict -> verdict.decision().pairs() == 1);
    }

    @Test
    void aPairOfWhichOneSideIsZeroHasNoRatioAndIsNamed() {
        Comparison comparison = compare(
                run -> run.variant().equals("none") && run.block() == 2,
                change -> change.figures = Map.of("HAWAT1", Map.of("p95", 0.0)));

        assertThat(comparison.verdicts())
                .noneMatch(verdict ->
                        verdict.subject().equals("HAWAT1") && verdict.baseline().equals("none"));
        assertThat(comparison.gaps())
                .contains("HAWAT1 p95 has no ratio of full-scan to none: one of them is 0 in 1 pair");
    }

    @Test
    void anExperimentThatComparesNothingSaysNothingAndWhy() {
        Comparison comparison = compare(
                run -> !run.variant().equals("full-scan") || run.block() > 0,
                change -> change.invalid = List.of("too busy"));

        assertThat(comparison.saysSomething()).isFalse();
        assertThat(comparison.gaps())
                .containsExactly(
                        "none: none of its runs counts, so nothing is known about it",
                        "index: none of its runs counts, so nothing is known about it",
                        "every variant: no block has a valid run with p95 both of none and of another variant");
    }

    private static Comparison compare(Predicate<Measured> which, Consumer<Examples.Change> change) {
        return Examples.compare(THREE, Examples.with(RUNS, which, change), OtherDifferences.WITHHOLD);
    }
}
