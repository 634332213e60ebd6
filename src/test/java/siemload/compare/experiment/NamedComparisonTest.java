package siemload.compare.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.compare.experiment.Comparer.AnswerAgreement;
import siemload.compare.experiment.Comparer.Measured;
import siemload.compare.experiment.Comparer.OtherDifferences;
import siemload.compare.experiment.Experiment.Axis;
import siemload.results.RunFile;

/** What is asked of variants by name beside their times. */
class NamedComparisonTest {
    private static final Experiment NAMED = named();
    private static final RunFigures.Answers CHECKED = new RunFigures.Answers(true, 20, 0, Map.of());

    @TempDir
    private Path directory;

    @Test
    void oneWrongAnswerWithholdsTheVerdict() {
        assertThat(compare(CHECKED, new RunFigures.Answers(true, 20, 3, Map.of()))
                        .withheld())
                .hasSize(6)
                .first()
                .asString()
                .startsWith("3 of 20 answers of theirs that were checked were wrong in run ");
    }

    @Test
    void stepsWithOtherAnswersWithholdTheVerdictEvenWhereDifferencesAreAccepted() {
        Comparison comparison = compare(
                steps(Map.of("HAWAT1 first", List.of("a"), "MENTAT", List.of("c"))),
                steps(Map.of("HAWAT1 first", List.of("b"), "MENTAT", List.of("c"))));

        assertThat(comparison.withheld()).containsExactly("theirs did not answer like ours: HAWAT1 first");
        assertThat(comparison.verdicts()).isEmpty();
    }

    @Test
    void statementsThatGaveOtherRowsToTheSameValuesWithholdTheVerdict() throws Exception {
        Comparison comparison = answered("bob,user=x,2,aa", "ann,user=y%2Cz,3,bb", "ann,user=y%2Cz,2,cc");

        assertThat(comparison.withheld())
                .containsExactly(
                        "theirs did not answer like ours: 1 of 1 statements with the same values gave other rows:"
                                + " ann with user=y,z (3 and 2 rows)");
        assertThat(comparison.verdicts()).isEmpty();
    }

    @Test
    void equalRowsToTheSameStatementsAreToldAlsoWhereNothingWasAskedTwice() throws Exception {
        Comparison comparison = answered("bob,user=x,2,aa", "ann,user=y,3,bb", "ann,user=y,3,bb");

        assertThat(comparison.withheld()).isEmpty();
        assertThat(comparison.sides())
                .contains("theirs answered like ours: 1 statements with the same values gave the same rows");
    }

    @Test
    void answersThatHaveNothingInCommonAreNotCalledEqual() throws Exception {
        Comparison comparison = answered("bob,user=x,2,aa", "ann,user=y,3,bb", "ann,user=z,3,bb");

        assertThat(comparison.sides()).noneMatch(side -> side.contains("answered like"));
        assertThat(comparison.gaps())
                .anyMatch(gap -> gap.startsWith("no answer of theirs could be held against one of ours"));
    }

    @Test
    void nothingIsSaidOfAVariantOfWhichNoRunCounts() {
        List<Measured> runs = Examples.runs(NAMED, Map.of(), 1).stream()
                .map(run -> run.variant().equals("ours")
                        ? with(run, CHECKED, Examples.ENVIRONMENT)
                        : Examples.with(
                                run, Examples.figures(Map.of(), Examples.ENVIRONMENT, List.of("it broke down"))))
                .toList();

        Comparison comparison = Comparer.compare(NAMED, runs, OtherDifferences.ACCEPT);

        assertThat(comparison.gaps()).contains("theirs: no run of it counts, so that nothing is known of it");
        assertThat(comparison.plans())
                .allSatisfy(plan -> assertThat(plan.shapes()).doesNotContainKey("theirs"));
    }

    /** Runs of statements, of which none was asked twice in a run. */
    private Comparison answered(String ofOurs, String alsoOfOurs, String ofTheirs) throws Exception {
        List<Measured> runs = new ArrayList<>();
        for (Measured run : Examples.runs(NAMED, Map.of(), 1)) {
            Path place = Files.createDirectories(directory.resolve(run.directory()));
            List<String> lines = new ArrayList<>(List.of("statement,values,rows,sum"));
            lines.addAll(run.variant().equals("ours") ? List.of(ofOurs, alsoOfOurs) : List.of(ofTheirs));
            Files.write(RunFile.ANSWERS.in(place), lines);
            runs.add(with(
                    run,
                    new RunFigures.Answers(true, 0, 0, Map.of()),
                    Examples.environmentWith("scenario", "statements.ann.sql", "SELECT 1")));
        }
        return Comparer.compare(
                NAMED, runs, AnswerAgreement.ofStatements(directory, NAMED, runs), List.of(), OtherDifferences.ACCEPT);
    }

    private static Comparison compare(RunFigures.Answers ours, RunFigures.Answers theirs) {
        List<Measured> runs = new ArrayList<>();
        for (Measured run : Examples.runs(NAMED, Map.of(), 1)) {
            runs.add(with(run, run.variant().equals("ours") ? ours : theirs, Examples.ENVIRONMENT));
        }
        return Comparer.compare(NAMED, runs, OtherDifferences.ACCEPT);
    }

    private static RunFigures.Answers steps(Map<String, List<String>> hashes) {
        return new RunFigures.Answers(false, 0, 0, hashes);
    }

    private static Measured with(
            Measured run, RunFigures.Answers answers, Map<String, Map<String, String>> environment) {
        RunFigures old = run.figures();
        return Examples.with(
                run,
                new RunFigures(
                        old.runId(),
                        old.figures(),
                        Map.of(),
                        Map.of(),
                        environment,
                        answers,
                        old.overload(),
                        old.invalid()));
    }

    private static Experiment named() {
        return Examples.experiment(6, Axis.NAMED, "ours", "theirs");
    }
}
