package siemload.compare.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.compare.experiment.Comparer.Measured;
import siemload.compare.experiment.Comparer.OtherDifferences;
import siemload.compare.experiment.GateResult.Outcome;
import siemload.compare.experiment.GateRules.Certificates;
import siemload.results.StepRecord;

class GateRulesTest {
    private static final int PAIRS = 11;

    @TempDir
    private Path directory;

    private static final Certificates NO_CERTIFICATES = new Certificates(List.of(), List.of(), List.of(), Set.of());

    @Test
    void ofFortyGatesOfAVariantAgainstItselfTwoAtMostReportARegressionAndMostPass() {
        int regressions = 0;
        int passed = 0;
        for (long entry = 1; entry <= 40; entry++) {
            Outcome outcome = gate(Map.of(), entry).outcome();
            regressions += outcome == Outcome.REGRESSION ? 1 : 0;
            passed += outcome == Outcome.PASSED ? 1 : 0;
        }
        assertThat(regressions).isLessThanOrEqualTo(2);
        assertThat(passed).isGreaterThanOrEqualTo(36);
    }

    @Test
    void aSlowdownOfATenthIsFoundInNineOfTenNights() {
        int found = 0;
        for (long entry = 1; entry <= 20; entry++) {
            found += gate(Map.of("candidate", 1.10), entry).outcome() == Outcome.REGRESSION ? 1 : 0;
        }
        assertThat(found).isGreaterThanOrEqualTo(18);
    }

    @Test
    void elevenPairsAreEnoughForTheTenSearchesAndNineForTwo() {
        assertThat(GateRules.pairsForAll(10, List.of())).isEqualTo(PAIRS);
        assertThat(GateRules.pairsForAll(2, List.of())).isEqualTo(9);
    }

    /** The parts of a result are no parts of its file, which gates of all versions have alike. */
    @Test
    void aGateIsReadAsItWasWritten() throws Exception {
        GateResult result = gate(Map.of("candidate", 1.5), 1);
        Path file = ResultFile.GATE.in(directory);
        ResultFile.GATE.write(directory, result);

        assertThat(ResultFile.GATE.read(directory)).isEqualTo(result);
        assertThat(new ObjectMapper().readTree(file.toFile()).fieldNames())
                .toIterable()
                .containsExactly(
                        "formatVersion",
                        "name",
                        "startedAt",
                        "outcome",
                        "reasons",
                        "exact",
                        "tolerated",
                        "unsteady",
                        "verdicts",
                        "control",
                        "leftOut",
                        "blocksWanted",
                        "blocksValid",
                        "blocksMost",
                        "paired");
    }

    @Test
    void aFasterCandidatePasses() {
        assertThat(gate(Map.of("candidate", 0.5), 1).outcome()).isEqualTo(Outcome.PASSED);
    }

    @Test
    void aBaselineThatDiffersFromItselfMakesTheHostTooNoisy() {
        GateResult result = gate(Map.of("control", 1.5, "candidate", 1.5), 3);
        assertThat(result.outcome()).isEqualTo(Outcome.HOST_TOO_NOISY);
        assertThat(result.reasons()).first().asString().contains("the baseline differs from itself");
    }

    @Test
    void runsThatCannotBeTrustedAreNeverGreen() {
        Experiment experiment = experiment();
        List<Measured> runs = new ArrayList<>(Examples.runs(experiment, Map.of(), 1));
        runs.set(4, untrusted(runs.get(4)));
        GateResult result = decide(experiment, runs, NO_CERTIFICATES);
        assertThat(result.outcome()).isEqualTo(Outcome.INVALID);
        assertThat(result.blocks().blocksValid()).isEqualTo(PAIRS - 1);
        assertThat(result.reasons()).anyMatch(reason -> reason.contains("the feeder fell behind"));
    }

    @Test
    void aNightInWhichNothingWasMeasuredIsInvalid() {
        Experiment experiment = experiment();
        List<Measured> runs = Examples.runs(experiment, Map.of(), 1).stream()
                .map(run -> Examples.with(run, Examples.figures(Map.of())))
                .toList();
        assertThat(decide(experiment, runs, NO_CERTIFICATES).outcome()).isEqualTo(Outcome.INVALID);
    }

    @Test
    void tooFewPairsForSoManyMetricsDecideNothing() {
        Experiment experiment = experiment().with(Map.of(), 6);
        GateResult result = GateRules.decide(
                "",
                NO_CERTIFICATES,
                Comparer.compare(experiment, Examples.runs(experiment, Map.of(), 1), OtherDifferences.ACCEPT),
                6,
                6);
        assertThat(result.outcome()).isEqualTo(Outcome.INVALID);
        assertThat(result.reasons()).first().asString().contains("6 pairs can decide nothing about 8 metrics");
    }

    @Test
    void aCandidateThatIsSaturatedWhereTheBaselineIsNotIsARegressionHoweverFastItIs() {
        GateResult result = saturated(Map.of(GateRules.CANDIDATE, 5));
        assertThat(result.outcome()).isEqualTo(Outcome.REGRESSION);
        assertThat(result.reasons())
                .containsExactly("the candidate was saturated in 5 of 11 blocks, the baseline in 0: the CPUs gave out");
    }

    @Test
    void oneThatAnswersTooLittleForAnythingElseIsToo() {
        Experiment experiment = experiment();
        List<Measured> runs = Examples.runs(experiment, Map.of(), 1).stream()
                .map(run -> run.variant().equals(GateRules.CANDIDATE)
                        ? Examples.saturated(
                                Examples.with(run, Examples.figures(Map.of("all", Map.of("throughput", 1.0)))), 1)
                        : run)
                .toList();
        assertThat(decide(experiment, runs, NO_CERTIFICATES).outcome()).isEqualTo(Outcome.REGRESSION);
    }

    @Test
    void fewSaturatedBlocksOfTheCandidateAreNotGreen() {
        GateResult result = saturated(Map.of(GateRules.CANDIDATE, 4));
        assertThat(result.outcome()).isEqualTo(Outcome.INVALID);
        assertThat(result.reasons())
                .containsExactly(
                        "the candidate was saturated in 4 of 11 blocks, the baseline in 0: too few blocks to be"
                                + " certain that it is not chance");
    }

    @Test
    void twoSidesThatDoNotKeepUpAreNotEquallyGood() {
        GateResult result = saturated(Map.of(GateRules.BASELINE, 6, GateRules.CANDIDATE, 6, GateRules.CONTROL, 6));
        assertThat(result.outcome()).isEqualTo(Outcome.INVALID);
        assertThat(result.reasons())
                .containsExactly(
                        "the baseline was saturated itself in 6 of 11 blocks (the CPUs gave out), so that nothing can"
                                + " pass: lower the load, by fewer users or a longer think time");
    }

    @Test
    void aBaselineThatIsSaturatedNowAndThenAsOftenAsTheCandidatePasses() {
        GateResult result = saturated(Map.of(GateRules.BASELINE, 5, GateRules.CANDIDATE, 5, GateRules.CONTROL, 5));
        assertThat(result.outcome()).isEqualTo(Outcome.PASSED);
    }

    @Test
    void aBaselineThatIsSaturatedOnlyInItsControlMakesTheHostTooNoisy() {
        assertThat(saturated(Map.of(GateRules.CONTROL, 5, GateRules.CANDIDATE, 5))
                        .outcome())
                .isEqualTo(Outcome.HOST_TOO_NOISY);
    }

    @Test
    void aPercentileOfWhichOnlyABoundIsKnownPassesNothing() {
        Experiment experiment = experiment();
        List<Measured> runs = Examples.runs(experiment, Map.of(), 1).stream()
                .map(run -> run.block() == 0 ? Examples.saturated(run, 0.06) : run)
                .toList();
        GateResult result = decide(experiment, runs, NO_CERTIFICATES);
        assertThat(result.outcome()).isEqualTo(Outcome.INVALID);
        assertThat(result.reasons())
                .contains(
                        "HAWAT1 p95 of candidate and baseline: too many searches were not answered, so that only the least"
                                + " that it can be is known")
                .noneMatch(reason -> reason.contains("p50"));
    }

    /** Equal sides, of which so many runs were saturated. */
    private GateResult saturated(Map<String, Integer> blocks) {
        Experiment experiment = experiment();
        List<Measured> runs = Examples.runs(experiment, Map.of(), 1).stream()
                .map(run -> run.block() < blocks.getOrDefault(run.variant(), 0) ? Examples.saturated(run, 0) : run)
                .toList();
        return decide(experiment, runs, NO_CERTIFICATES);
    }

    @Test
    void aChangedAnswerBlocksHoweverFastItCame() {
        GateResult result = gate(certificates(step("a", 10), step("b", 10), step("a", 10), Set.of()));
        assertThat(result.outcome()).isEqualTo(Outcome.REGRESSION);
        assertThat(result.reasons()).containsExactly("HAWAT1 first: answers changed from a to b");
    }

    @Test
    void blocksThatDifferBetweenTwoRunsOfTheBaselineSayNothing() {
        GateResult result = gate(certificates(step("a", 10), step("a", 14), step("a", 11), Set.of()));
        assertThat(result.outcome()).isEqualTo(Outcome.PASSED);
        assertThat(result.facts().unsteady()).containsExactly("HAWAT1 first: blocks changed from 10 to 11");
    }

    @Test
    void aChangeThatIsMeantIsShownAndDoesNotBlock() {
        GateResult result = gate(certificates(step("a", 10), step("a", 14), step("a", 10), Set.of("blocks")));
        assertThat(result.outcome()).isEqualTo(Outcome.PASSED);
        assertThat(result.facts().tolerated()).hasSize(1);
    }

    @Test
    void aTwentiethMoreLogIsWithinWhatIndexesDoByChance() {
        assertThat(gate(certificates(feed(2000), feed(2100), feed(2000), Set.of()))
                        .outcome())
                .isEqualTo(Outcome.PASSED);
        assertThat(gate(certificates(feed(2000), feed(2101), feed(2000), Set.of()))
                        .reasons())
                .containsExactly("feed: wal changed from 2000 to 2101");
    }

    @Test
    void aStepThatOnlyOneSideHasIsAChange() {
        Certificates certificates =
                new Certificates(List.of(step("a", 10)), List.of(), List.of(step("a", 10)), Set.of());
        assertThat(gate(certificates).outcome()).isEqualTo(Outcome.REGRESSION);
    }

    @Test
    void oneStalledRunOfTheBaselineDoesNotHideASlowdown() {
        for (long entry = 1; entry <= 2; entry++) {
            Experiment experiment = experiment();
            List<Measured> runs = new ArrayList<>(Examples.runs(experiment, Map.of("candidate", 1.35), entry));
            int stalled = indexOf(runs, GateRules.BASELINE, 4);
            runs.set(stalled, Examples.with(runs.get(stalled), Examples.figures(times(runs.get(stalled), 3))));
            assertThat(decide(experiment, runs, NO_CERTIFICATES).outcome()).isNotEqualTo(Outcome.PASSED);
        }
    }

    @Test
    void aCandidateThatAnswersTooFewSearchesForAFigureIsNotGreen() {
        Experiment experiment = experiment();
        List<Measured> runs = Examples.runs(experiment, Map.of(), 1).stream()
                .map(run -> run.variant().equals(GateRules.CANDIDATE)
                        ? Examples.with(run, Examples.figures(without(run, "HAWAT3")))
                        : run)
                .toList();
        GateResult result = decide(experiment, runs, NO_CERTIFICATES);
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

    @Test
    void whatTheBaselineItselfHasTooSeldomIsLeftOut() {
        Experiment experiment = experiment();
        List<Measured> runs = Examples.runs(experiment, Map.of(), 1).stream()
                .map(run -> Examples.with(run, Examples.figures(without(run, "HAWAT3"))))
                .toList();
        assertThat(decide(experiment, runs, NO_CERTIFICATES).outcome()).isEqualTo(Outcome.PASSED);
    }

    @Test
    void aCertificateOfTheBaselineWithAHoleCertifiesNothing() {
        StepRecord failed = new StepRecord("HAWAT1 first", Map.of(StepRecord.ERROR, "timeout"), Map.of());
        GateResult result = gate(certificates(step("a", 10), step("a", 10), failed, Set.of()));
        assertThat(result.outcome()).isEqualTo(Outcome.INVALID);
        assertThat(result.reasons()).contains("the certificate of the baseline has a hole: HAWAT1 first: timeout");
    }

    @Test
    void aDatabaseThatAnswersTheSameSearchInTwoWaysIsNotGreen() {
        assertThat(gate(certificates(step("a", 10), step("c", 10), step("b", 10), Set.of()))
                        .outcome())
                .isEqualTo(Outcome.INVALID);
    }

    private static int indexOf(List<Measured> runs, String cell, int block) {
        for (int i = 0; i < runs.size(); i++) {
            if (runs.get(i).variant().equals(cell) && runs.get(i).block() == block) {
                return i;
            }
        }
        throw new IllegalArgumentException(cell + " has no run in block " + block);
    }

    private static Map<String, Map<String, Double>> times(Measured run, double factor) {
        Map<String, Map<String, Double>> slower = new TreeMap<>();
        run.figures().figures().forEach((subject, values) -> {
            Map<String, Double> times = new TreeMap<>();
            values.forEach((metric, value) -> times.put(metric, value * factor));
            slower.put(subject, times);
        });
        return slower;
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

    private static GateResult gate(Map<String, Double> factors, long entry) {
        Experiment experiment = experiment();
        return decide(experiment, Examples.runs(experiment, factors, entry), NO_CERTIFICATES);
    }

    private static GateResult gate(Certificates certificates) {
        Experiment experiment = experiment();
        return decide(experiment, Examples.runs(experiment, Map.of(), 1), certificates);
    }

    private static GateResult decide(Experiment experiment, List<Measured> runs, Certificates certificates) {
        Comparison comparison = Comparer.compare(experiment, runs, OtherDifferences.ACCEPT);
        return GateRules.decide("2026-11-21T02:00:00Z", certificates, comparison, PAIRS, 14);
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

    private static Experiment experiment() {
        return Examples.experiment(PAIRS, "hint", GateRules.BASELINE, GateRules.CANDIDATE, GateRules.CONTROL);
    }

    private static Measured untrusted(Measured run) {
        return Examples.with(
                run,
                Examples.figures(
                        run.figures().figures(), Examples.ENVIRONMENT, List.of("the feeder fell behind by 3 %")));
    }

    private static Certificates certificates(
            StepRecord baseline, StepRecord candidate, StepRecord control, Set<String> tolerated) {
        return new Certificates(List.of(baseline), List.of(candidate), List.of(control), tolerated);
    }

    private static StepRecord step(String answers, double blocks) {
        return new StepRecord("HAWAT1 first", Map.of("answersHash", answers), Map.of("blocksTouched", blocks));
    }

    private static StepRecord feed(double logBytes) {
        return new StepRecord("feed", Map.of(), Map.of("walBytesPerEvent", logBytes));
    }
}
