package siemload.compare.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.compare.experiment.Comparer.AnswerAgreement;
import siemload.compare.experiment.Comparer.Measured;
import siemload.compare.experiment.Comparer.OtherDifferences;
import siemload.compare.experiment.Experiment.Axis;
import siemload.results.RunFile;

/** What is asked of variants by name beside their times. */
class NamedComparisonTest {
    private static final Experiment NAMED = Examples.experiment(6, Axis.NAMED, "ours", "theirs");
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
                new RunFigures.Answers(false, 0, 0, Map.of("HAWAT1 first", List.of("a"), "MENTAT", List.of("c"))),
                new RunFigures.Answers(false, 0, 0, Map.of("HAWAT1 first", List.of("b"), "MENTAT", List.of("c"))));

        assertThat(comparison.withheld()).containsExactly("theirs did not answer like ours: HAWAT1 first");
        assertThat(comparison.verdicts()).isEmpty();
    }

    private static Comparison compare(RunFigures.Answers ours, RunFigures.Answers theirs) {
        List<Measured> runs = Examples.runs(NAMED, Map.of(), 1).stream()
                .map(run -> Examples.with(
                        run, change -> change.answers = run.variant().equals("ours") ? ours : theirs))
                .toList();
        return Comparer.compare(NAMED, runs, OtherDifferences.ACCEPT);
    }

    /** Ours answered bob's statement, and ann's with three rows for user y,z. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        ann,user=y%2Cz,2,cc | withheld | theirs did not answer like ours: 1 of 1 statements with the same values gave other rows: ann with user=y,z (3 and 2 rows)
        ann,user=y%2Cz,3,bb | sides    | theirs answered like ours: 0 of 1 statements with the same values gave other rows
        ann,user=z,3,bb     | gaps     | no answer of theirs could be held against one of ours: no valid runs of both asked the same while nobody wrote a row
        """)
    void statementsWithTheSameValuesMustGiveTheSameRows(String ofTheirs, String where, String says) throws Exception {
        List<Measured> runs = Examples.with(Examples.runs(NAMED, Map.of(), 1), run -> true, change -> {
            change.answers = new RunFigures.Answers(true, 0, 0, Map.of());
            change.set("scenario", "statements.ann.sql", "SELECT 1");
        });
        for (Measured run : runs) {
            Path place = Files.createDirectories(directory.resolve(run.directory()));
            boolean ours = run.variant().equals("ours");
            String lines = ours ? "bob,user=x,2,aa\nann,user=y%2Cz,3,bb\n" : ofTheirs + "\n";
            Files.writeString(RunFile.ANSWERS.in(place), "statement,values,rows,sum\n" + lines);
        }

        Comparison comparison = Comparer.compare(
                NAMED, runs, AnswerAgreement.ofStatements(directory, NAMED, runs), List.of(), OtherDifferences.ACCEPT);

        Map<String, List<String>> told =
                Map.of("withheld", comparison.withheld(), "sides", comparison.sides(), "gaps", comparison.gaps());
        assertThat(told.get(where)).contains(says);
        assertThat(comparison.verdicts().isEmpty()).isEqualTo(!where.equals("sides"));
        assertThat(comparison.sides().stream().anyMatch(side -> side.contains("answered like")))
                .isEqualTo(where.equals("sides"));
    }

    @Test
    void nothingIsSaidOfAVariantOfWhichNoRunCounts() {
        List<Measured> runs = Examples.with(
                Examples.runs(NAMED, Map.of(), 1),
                run -> run.variant().equals("theirs"),
                change -> change.invalid = List.of("it broke down"));

        Comparison comparison = Comparer.compare(NAMED, runs, OtherDifferences.ACCEPT);

        assertThat(comparison.gaps()).contains("theirs: no run of it counts, so that nothing is known of it");
        assertThat(comparison.plans())
                .allSatisfy(plan -> assertThat(plan.shapes()).doesNotContainKey("theirs"));
    }
}
