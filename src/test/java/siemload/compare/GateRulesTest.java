package siemload.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.compare.Comparer.Measured;
import siemload.compare.Comparer.OtherDifferences;
import siemload.compare.GateRules.GateResult;
import siemload.compare.GateRules.GateResult.Outcome;
import siemload.results.RunResult.StepRecord;

class GateRulesTest {
    private static final int PAIRS = 11;
    private static final Experiment EXPERIMENT =
            Examples.experiment(PAIRS, "hint", GateRules.BASELINE, GateRules.CANDIDATE, GateRules.CONTROL);

    private static final Predicate<Measured> CANDIDATES = run -> run.variant().equals(GateRules.CANDIDATE);

    @TempDir
    private Path directory;

    /** As of sixteen slices that differ by 3 %: it is found, and what ends a gate before its last pair is hardly ever chance. */
    @Test
    void whatIsCertainIsEnoughBeforeTheEnd() {
        Experiment sixteen = EXPERIMENT.with(Map.of(), 16);
        GateResult same = gate(sixteen, Map.of(), 1);
        assertThat(same.outcome() == Outcome.REGRESSION && GateRules.isEnough(same, 3))
                .isFalse();
        assertThat(GateRules.isEnough(gate(sixteen, Map.of("candidate", 1.25), 1), 3))
                .isTrue();
    }

    private static GateResult gate(Experiment experiment, Map<String, Double> factors, long seed) {
        List<Measured> runs = Examples.runs(experiment, factors, seed);
        Comparison comparison = Examples.compare(experiment, runs, OtherDifferences.ACCEPT);
        return new GateRules(comparison).decide("", Map.of(), Set.of(), experiment.repeats());
    }

    /** The parts of a result are no parts of its file, which gates of all versions have alike. */
    @Test
    void aGateIsReadAsItWasWritten() throws Exception {
        GateResult result = gate(Map.of("candidate", 1.5), 1);
        ResultFile.GATE.write(directory, result);

        assertThat(ResultFile.GATE.read(directory)).isEqualTo(result);
        assertThat(new ObjectMapper()
                        .readTree(ResultFile.GATE.in(directory).toFile())
                        .fieldNames())
                .toIterable()
                .containsExactly(("name startedAt outcome reasons exact tolerated unsteady verdicts control"
                                + " leftOut blocksWanted blocksValid paired")
                        .split(" "));
    }

    @Test
    void aBaselineThatDiffersFromItselfMakesTheHostTooNoisy() {
        assertSays(
                gate(Map.of("control", 1.5, "candidate", 1.5), 3),
                Outcome.HOST_TOO_NOISY,
                "the baseline differs from itself");
    }

    @Test
    void runsThatCannotBeTrustedAreNeverGreen() {
        GateResult result = withRuns(
                run -> run.position() == 5, change -> change.invalid = List.of("the feeder fell behind by 3 %"));
        assertSays(result, Outcome.INVALID, "the feeder fell behind");
        assertThat(result.blocksValid()).isEqualTo(PAIRS - 1);
    }

    @Test
    void aNightInWhichNothingWasMeasuredIsInvalid() {
        assertSays(
                withRuns(run -> true, change -> change.figures = Map.of()),
                Outcome.INVALID,
                "nothing could be compared");
    }

    @Test
    void tooFewPairsForSoManyMetricsDecideNothing() {
        Experiment six = EXPERIMENT.with(Map.of(), 6);
        Comparison comparison = Examples.compare(six, Examples.runs(six, Map.of(), 1), OtherDifferences.ACCEPT);
        assertSays(
                new GateRules(comparison).decide("", Map.of(), Set.of(), 6),
                Outcome.INVALID,
                "6 pairs are too few to decide about 8 metrics");
    }

    /** Answers, blocks and bytes of the log an event of one step, for each of the three certificates. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        a changed answer blocks however fast it came    | a 10 0 | b 10 0 | a 10 0 | ''     | REGRESSION | HAWAT1 first: answers changed from a to b
        blocks that are unsteady say nothing            | a 10 0 | a 14 0 | a 11 0 | ''     | PASSED     | ''
        a change that is meant does not block           | a 10 0 | a 14 0 | a 10 0 | blocks | PASSED     | ''
        a twentieth more log is chance                  | a 1 2000 | a 1 2100 | a 1 2000 | '' | PASSED   | ''
        but no more than that                           | a 1 2000 | a 1 2101 | a 1 2000 | '' | REGRESSION | HAWAT1 first: wal changed from 2000 to 2101
        a step that only one side has is a change       | a 10 0 | none   | a 10 0 | ''     | REGRESSION | HAWAT1 first: answers changed from a to (none)
        no step of the baseline may have failed         | a 10 0 | a 10 0 | failed | ''     | INVALID    | a step failed in a certificate of the baseline: HAWAT1 first: timeout
        nor two answers                                 | a 10 0 | c 10 0 | b 10 0 | ''     | INVALID    | two certificates of the baseline differ
        """)
    void whatMustBeEqualDecides(
            String rule,
            String baseline,
            String candidate,
            String control,
            String meant,
            Outcome outcome,
            String says) {
        Set<String> tolerated = meant.isEmpty() ? Set.of() : Set.of(meant);
        Map<String, List<StepRecord>> certificates =
                Map.of("baseline", step(baseline), "candidate", step(candidate), "control", step(control));
        GateResult result = decide(Examples.runs(EXPERIMENT, Map.of(), 1), certificates, tolerated);

        assertSays(result, outcome, says);
        assertThat(result.tolerated()).hasSize(meant.isEmpty() ? 0 : 1);
        assertThat(result.unsteady()).as(rule).hasSize(control.equals(baseline) ? 0 : control.equals("failed") ? 3 : 1);
    }

    private static List<StepRecord> step(String written) {
        String[] parts = written.split(" ");
        return switch (parts[0]) {
            case "none" -> List.of();
            case "failed" -> List.of(new StepRecord("HAWAT1 first", Map.of(StepRecord.ERROR, "timeout"), Map.of()));
            default ->
                List.of(new StepRecord(
                        "HAWAT1 first",
                        Map.of("answersHash", parts[0]),
                        Map.of(
                                "blocksTouched",
                                Double.parseDouble(parts[1]),
                                "walBytesPerEvent",
                                Double.parseDouble(parts[2]))));
        };
    }

    /** In so many of eleven blocks each side did not keep up. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        0 | 5 | 0 | REGRESSION     | the candidate was saturated in 5 of 11 blocks, the baseline in 0 (bottleneck: the CPUs)
        0 | 4 | 0 | INVALID        | the candidate was saturated in 4 of 11 blocks, the baseline in 0: too few blocks to exclude chance
        6 | 6 | 6 | INVALID        | the baseline itself was saturated in 6 of 11 blocks (bottleneck: the CPUs), so no candidate can pass: lower the load with fewer users or a longer think time
        0 | 5 | 5 | HOST_TOO_NOISY | the baseline differs from itself: saturated in 0 and in 5 of 11 blocks
        """)
    void sidesThatDoNotKeepUpAreNotGreenHoweverFastTheyAre(
            int baseline, int candidate, int control, Outcome outcome, String says) {
        Map<String, Integer> blocks = Map.of("baseline", baseline, "candidate", candidate, "control", control);
        GateResult result =
                withRuns(run -> run.block() < blocks.getOrDefault(run.variant(), 0), change -> change.saturate(0));

        assertSays(result, outcome, says);
        assertThat(ComparisonReports.junit(result).split("<failure", -1))
                .as("of its test cases that one fails")
                .hasSize(2);
    }

    @Test
    void oneThatAnswersTooLittleForAnythingElseIsToo() {
        GateResult result = withRuns(CANDIDATES, change -> {
            change.figures = Map.of("all", Map.of("throughput", 1.0));
            change.saturate(1);
        });
        assertThat(result.outcome()).isEqualTo(Outcome.REGRESSION);
    }

    @Test
    void aPercentileOfWhichOnlyABoundIsKnownPassesNothing() {
        GateResult result = withRuns(run -> run.block() == 0, change -> change.saturate(0.06));
        assertSays(
                result,
                Outcome.INVALID,
                "HAWAT1 p95 of candidate and baseline: too many searches were not answered, so only a lower bound is known");
        assertThat(result.reasons()).noneMatch(reason -> reason.contains("p50"));
    }

    @Test
    void aCandidateThatAnswersTooFewSearchesForAFigureIsNotGreen() {
        GateResult result = withRuns(CANDIDATES, change -> {
            change.figures = new TreeMap<>(change.figures);
            change.figures.remove("HAWAT3");
        });
        assertSays(
                result,
                Outcome.INVALID,
                "HAWAT3 p50: the candidate answered the required 20 searches in only 0 of the 11 blocks in which"
                        + " the baseline did");
    }

    /** What both sides, or both runs of the baseline, answered to the same statements. */
    @ParameterizedTest
    @CsvSource({
        "candidate, 10, 2, '', REGRESSION",
        "candidate, 10, 2, answers, PASSED",
        "candidate, 0, 0, '', INVALID",
        "control, 10, 1, answers, INVALID"
    })
    void statementsMustBeAnsweredAlikeUnlessAChangeIsMeant(
            String side, int questions, int differing, String meant, Outcome outcome) {
        Comparison comparison = Comparer.compare(
                EXPERIMENT,
                Examples.runs(EXPERIMENT, Map.of(), 1),
                List.of(new Comparison.Answers("baseline", side, questions, differing, List.of())),
                List.of(),
                OtherDifferences.ACCEPT);

        assertThat(new GateRules(comparison)
                        .decide("", Map.of(), Set.of(meant), PAIRS)
                        .outcome())
                .isEqualTo(outcome);
    }

    @Test
    void whatHoldsForBothAlsoHoldsForTheSideThatDoesNotSpeakOfIt() {
        Map<String, String> common = Map.of("hint", "full-scan", "users", "5", "parameters", "median=5ms,delay=1ms");
        Experiment gate = GateRuns.experiment(
                GateRuns.side(common, Map.of("paging", "offset")),
                GateRuns.side(common, Map.of("paging", "keyset", "hint", "none", "parameters.delay", "2ms")),
                11);

        assertThat(gate.settings()).isEqualTo(Map.of("users", "5"));
        assertThat(gate.variants().get(0).settings())
                .isEqualTo(Map.of("paging", "offset", "hint", "full-scan", "parameters", "median=5ms,delay=1ms"));
        assertThat(gate.variants().get(1).settings())
                .isEqualTo(Map.of("paging", "keyset", "hint", "none", "parameters", "median=5ms,delay=2ms"));
        assertThat(GateRuns.side(Map.of(), Map.of("parameters.jit", "on")))
                .isEqualTo(GateRuns.side(Map.of(), Map.of("parameters", "jit=on")));
    }

    private static void assertSays(GateResult result, Outcome outcome, String first) {
        assertThat(result.outcome()).as("%s", result.reasons()).isEqualTo(outcome);
        assertThat(String.join("\n", result.reasons())).contains(first);
    }

    /** Sides that differ by these factors. */
    private static GateResult gate(Map<String, Double> factors, long entry) {
        return decide(Examples.runs(EXPERIMENT, factors, entry), Map.of(), Set.of());
    }

    /** Equal sides, with something else in some runs. */
    private static GateResult withRuns(Predicate<Measured> which, Consumer<Examples.Change> change) {
        return decide(Examples.with(Examples.runs(EXPERIMENT, Map.of(), 1), which, change), Map.of(), Set.of());
    }

    private static GateResult decide(
            List<Measured> runs, Map<String, List<StepRecord>> certificates, Set<String> tolerated) {
        Comparison comparison = Examples.compare(EXPERIMENT, runs, OtherDifferences.ACCEPT);
        return new GateRules(comparison).decide("2026-11-21T02:00:00Z", certificates, tolerated, PAIRS);
    }
}
