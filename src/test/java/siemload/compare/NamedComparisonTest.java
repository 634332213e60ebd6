package siemload.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.compare.Comparer.Measured;
import siemload.compare.Comparer.OtherDifferences;
import siemload.compare.Experiment.Axis;
import siemload.results.RunFile;

class NamedComparisonTest {
    private static final Experiment NAMED = Examples.experiment(6, Axis.NAMED, "ours", "theirs");
    private static final RunFigures.Answers CHECKED = new RunFigures.Answers(true, 20, 0, Map.of());

    @TempDir
    private Path directory;

    @Test
    void oneWrongAnswerWithholdsTheVerdict() throws Exception {
        assertThat(compare(CHECKED, new RunFigures.Answers(true, 20, 3, Map.of()))
                        .withheld())
                .hasSize(6)
                .first()
                .asString()
                .startsWith("3 of 20 checked answers of theirs were wrong in run ");
    }

    @Test
    void stepsWithOtherAnswersWithholdTheVerdictEvenWhereDifferencesAreAccepted() throws Exception {
        Comparison comparison = compare(
                new RunFigures.Answers(false, 0, 0, Map.of("HAWAT1 first", List.of("a"), "MENTAT", List.of("c"))),
                new RunFigures.Answers(false, 0, 0, Map.of("HAWAT1 first", List.of("b"), "MENTAT", List.of("c"))));

        assertThat(comparison.withheld())
                .containsExactly(
                        "theirs did not answer like ours: 1 of 2 questions had different answers: HAWAT1 first");
        assertThat(comparison.verdicts()).isEmpty();
    }

    private Comparison compare(RunFigures.Answers ours, RunFigures.Answers theirs) throws Exception {
        return compare(Examples.runs(NAMED, Map.of(), 1).stream()
                .map(run -> Examples.with(
                        run, change -> change.answers = run.variant().equals("ours") ? ours : theirs))
                .toList());
    }

    private Comparison compare(List<Measured> runs) throws Exception {
        List<Comparison.Answers> answers = Comparer.answers(directory, NAMED, runs);
        return Comparer.compare(NAMED, runs, answers, List.of(), OtherDifferences.ACCEPT);
    }

    /** Ours answered bob's statement, and ann's with three rows for user y,z. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        ann,user=y%2Cz,2,cc | withheld | theirs did not answer like ours: 1 of 1 questions had different answers: ann with user=y%2Cz
        ann,user=y%2Cz,3,bb | sides    | theirs answered like ours: 0 of 1 questions had different answers
        ann,user=z,3,bb     | gaps     | no answers of theirs and ours could be compared: their valid runs have no question in common that was asked while no rows were written
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

        Comparison comparison = compare(runs);

        Map<String, List<String>> told =
                Map.of("withheld", comparison.withheld(), "sides", comparison.sides(), "gaps", comparison.gaps());
        assertThat(told.get(where)).contains(says);
        assertThat(comparison.verdicts().isEmpty()).isEqualTo(!where.equals("sides"));
        assertThat(comparison.sides().stream().anyMatch(side -> side.contains("answered like")))
                .isEqualTo(where.equals("sides"));
    }
}
