package siemload.compare.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.compare.experiment.Comparer.Measured;
import siemload.compare.experiment.Comparer.OtherDifferences;
import siemload.compare.experiment.Experiment.Axis;
import siemload.compare.experiment.Experiment.ComparedVariant;
import siemload.compare.experiment.SourceClaim.Against;
import siemload.compare.experiment.SourceClaim.ClaimResult;
import siemload.compare.experiment.SourceClaim.ClaimResult.Outcome;
import siemload.compare.experiment.SourceClaim.Conclusion;
import siemload.compare.experiment.SourceClaim.Direction;
import siemload.compare.experiment.SourceClaim.Expectation;

/** Seconds of loading and deleting with known ratios, in nine blocks that differ by 1 %. */
class ClaimsTest {
    private static final int BLOCKS = 9;
    private static final Against LOAD = new Against("", "", "load");

    @Test
    void aRatioMayBeHeldAgainstTheRatioOfSomethingElse() {
        Map<String, Map<String, Double>> more =
                seconds(Map.of("none", 1.0, "native", 3.0), Map.of("none", 2.0, "native", 20.0));
        Map<String, Map<String, Double>> less =
                seconds(Map.of("none", 1.0, "native", 10.0), Map.of("none", 2.0, "native", 6.0));
        Map<String, Map<String, Double>> same =
                seconds(Map.of("none", 1.0, "native", 3.0), Map.of("none", 2.0, "native", 6.0));
        Expectation deletingCostsMore = new Expectation("native", Direction.WORSE, 1, List.of("delete"), "", LOAD);

        assertThat(outcome(more, deletingCostsMore)).isEqualTo(Outcome.CONFIRMED);
        assertThat(outcome(less, deletingCostsMore)).isEqualTo(Outcome.CONTRADICTED);
        assertThat(outcome(same, deletingCostsMore)).isEqualTo(Outcome.CONTRADICTED);
        ClaimResult told = judge(more, BLOCKS, deletingCostsMore);
        assertThat(told.tested()).singleElement().satisfies(tested -> {
            assertThat(tested.what()).isEqualTo("native to none, delete to load");
            assertThat(tested.ratio().estimate()).isBetween(3.2, 3.5);
        });
        assertThat(told.explanation()).startsWith("seconds of native to none: delete is 3.3x slower than load");
    }

    @Test
    void theRatioOfOneChangeMayBeHeldAgainstThatOfAnother() {
        Map<String, Map<String, Double>> grown =
                seconds(Map.of("none", 1.0, "native", 2.0, "time", 3.0, "compound", 12.0), Map.of());
        Expectation steeper = new Expectation(
                "compound", Direction.WORSE, 1, List.of("load"), "time", new Against("native", "none", ""));
        Expectation gentler = new Expectation(
                "native", Direction.WORSE, 1, List.of("load"), "none", new Against("compound", "time", ""));

        assertThat(outcome(grown, steeper)).isEqualTo(Outcome.CONFIRMED);
        assertThat(outcome(grown, gentler)).isEqualTo(Outcome.CONTRADICTED);
        assertThat(judge(grown, BLOCKS, steeper).tested().get(0).what())
                .isEqualTo("load, compound to time to native to none");
    }

    /** In seconds: without indexes 1, with that of the time 2, with the native ones 8. */
    @ParameterizedTest
    @CsvSource({
        "native, WORSE, 3.5, time, CONFIRMED",
        "native, WORSE, 4.5, time, CONTRADICTED",
        "time, BETTER, 3.5, native, CONFIRMED",
        "none, WORSE, 1, time, CONTRADICTED"
    })
    void anyTwoVariantsCanBeCompared(String of, Direction is, double atLeast, String than, Outcome expected) {
        Map<String, Map<String, Double>> times = seconds(Map.of("none", 1.0, "time", 2.0, "native", 8.0), Map.of());

        assertThat(outcome(times, expect(of, is, atLeast, than))).isEqualTo(expected);
    }

    /** Without indexes it takes a second; what differs by less than 5 % is the same. */
    @ParameterizedTest
    @CsvSource({
        "NOT_WORSE, 0.5, CONFIRMED",
        "NOT_WORSE, 1.01, CONFIRMED",
        "NOT_WORSE, 1.2, CONTRADICTED",
        "NOT_WORSE, 1.048, NOT_DECIDABLE",
        "DIFFERENT, 0.5, CONFIRMED",
        "DIFFERENT, 2, CONFIRMED",
        "DIFFERENT, 1, CONTRADICTED"
    })
    void whatIsNoProblemMayBeBetterAndWhatDiffersMayBeEither(Direction direction, double seconds, Outcome expected) {
        assertThat(outcome(none(1, seconds), expect("native", direction, 1, "")))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"1.2, CONFIRMED", "1.6, CONTRADICTED", "1.5, NOT_DECIDABLE"})
    void whatIsNoProblemMayBeWorseBySoMuchAsIsSaid(double seconds, Outcome expected) {
        assertThat(outcome(none(1, seconds), atMost(1.5))).isEqualTo(expected);
    }

    @Test
    void fivePairsDecideNothing() {
        assertThat(judge(none(1, 0.5), 5, expect("native", Direction.NOT_WORSE, 1, ""))
                        .outcome())
                .isEqualTo(Outcome.NOT_DECIDABLE);
    }

    /** Ten times as many take ten times as long, or just 5 % longer than that, and a thousand times as many three hundred times. */
    @ParameterizedTest
    @CsvSource({
        "10, 1, 10, 10.0, CONTRADICTED",
        "1_000, 1, 1000, 10.0, CONFIRMED",
        "1_000, 10, 100, 10.0, CONFIRMED",
        "10, 1, 10, 10.5, NOT_DECIDABLE"
    })
    void whatIsNotSoManyTimesAsMuchIsOutsideOfTheInterval(
            String of, String than, double times, double ofTen, Outcome expected) {
        Map<String, Map<String, Double>> seconds = seconds(Map.of("1", 1.0, "10", ofTen, "1_000", 300.0), Map.of());

        assertThat(outcome(seconds, expect(of, Direction.DIFFERENT, times, than)))
                .isEqualTo(expected);
    }

    /** Ten times the throughput with ten times as many is in proportion, a tenth of it is not. */
    @ParameterizedTest
    @CsvSource({"10, CONTRADICTED", "0.1, CONFIRMED"})
    void ratesAreSoManyTimesAsMuchAsTimesAre(double ofTen, Outcome expected) {
        Map<String, Map<String, Double>> rates = seconds(Map.of("1", 1.0, "10", ofTen), Map.of());
        Comparison comparison =
                compare(rates, "example", BLOCKS, new Metric("throughput"), expect("10", Direction.DIFFERENT, 10, "1"));

        assertThat(comparison.claims().get(0).outcome()).isEqualTo(expected);
    }

    @Test
    void whatWasNotMeasuredLeavesAConclusionOpen() {
        ClaimResult half = judge(
                none(1, 2),
                BLOCKS,
                expect("native", Direction.WORSE, 1, ""),
                new Expectation("native", Direction.WORSE, 1, List.of("index"), "", Against.ONE));

        assertThat(half.outcome()).isEqualTo(Outcome.NOT_DECIDABLE);
        assertThat(half.explanation()).isEqualTo("not measured: native to none of index");
    }

    @Test
    void aConclusionTakesAllExperimentsThatTestIt() {
        Comparison confirming = compare(none(1, 2), "first", BLOCKS, expect("native", Direction.WORSE, 1, ""));
        Comparison contradicting = compare(none(1, 0.5), "second", BLOCKS, expect("native", Direction.WORSE, 1, ""));
        List<Experiment> both = List.of(confirming.experiment(), contradicting.experiment());

        assertThat(Conclusion.of(both, List.of(confirming, contradicting)))
                .singleElement()
                .satisfies(conclusion -> {
                    assertThat(conclusion.outcome()).isEqualTo(Outcome.CONTRADICTED);
                    assertThat(conclusion.parts()).containsOnlyKeys("first", "second");
                });
        assertThat(Conclusion.of(both, List.of(confirming)).get(0).outcome())
                .as("one is missing")
                .isEqualTo(Outcome.NOT_DECIDABLE);
        assertThat(Conclusion.of(List.of(confirming.experiment()), List.of(confirming))
                        .get(0)
                        .outcome())
                .isEqualTo(Outcome.CONFIRMED);
    }

    private static Map<String, Map<String, Double>> none(double none, double other) {
        return seconds(Map.of("none", none, "native", other), Map.of());
    }

    private static Map<String, Map<String, Double>> seconds(Map<String, Double> load, Map<String, Double> delete) {
        Map<String, Map<String, Double>> bySubject = new TreeMap<>(Map.of("load", load));
        if (!delete.isEmpty()) {
            bySubject.put("delete", delete);
        }
        return bySubject;
    }

    private static Expectation atMost(double times) {
        return new Expectation("native", Direction.NOT_WORSE, times, List.of("load"), "", Against.ONE);
    }

    private static Expectation expect(String of, Direction is, double times, String than) {
        return new Expectation(of, is, times, List.of("load"), than, Against.ONE);
    }

    private static Outcome outcome(Map<String, Map<String, Double>> seconds, Expectation... expects) {
        return judge(seconds, BLOCKS, expects).outcome();
    }

    private static ClaimResult judge(Map<String, Map<String, Double>> seconds, int blocks, Expectation... expects) {
        return compare(seconds, "example", blocks, expects).claims().get(0);
    }

    private static Comparison compare(
            Map<String, Map<String, Double>> seconds, String name, int blocks, Expectation... expects) {
        return compare(seconds, name, blocks, new Metric("seconds"), expects);
    }

    private static Comparison compare(
            Map<String, Map<String, Double>> values, String name, int blocks, Metric metric, Expectation... expects) {
        List<String> variants = values.getOrDefault("load", Map.of()).keySet().stream()
                .sorted((one, other) -> one.equals("none") ? -1 : other.equals("none") ? 1 : one.compareTo(other))
                .toList();
        Axis axis = new Axis("indexes", variants);
        Experiment experiment = new Experiment(
                name,
                "Does it matter?",
                Experiment.Kind.COMPARISON,
                List.of(axis),
                ComparedVariant.of(List.of(axis)),
                Map.of("scenario", "load"),
                new Experiment.Judgement(variants.get(0), metric, List.of(), 0.05, List.of()),
                blocks,
                1,
                List.of(new SourceClaim("CESNET", 2, "Without indexes it is better.", List.of(expects))));
        List<Measured> runs = new ArrayList<>();
        for (int block = 0; block < blocks; block++) {
            for (int variant = 0; variant < variants.size(); variant++) {
                // Half a percent up or down, another way in each block and variant.
                double noise = 1 + 0.005 * Math.sin(7.0 * block + 3.0 * variant);
                String label = variants.get(variant);
                Map<String, Map<String, Double>> figures = new TreeMap<>();
                values.forEach((subject, byVariant) ->
                        figures.put(subject, Map.of(metric.name(), byVariant.getOrDefault(label, 0.0) * noise)));
                runs.add(new Measured(
                        runs.size() + 1, block, label, "runs/" + runs.size(), 1, Examples.figures(figures)));
            }
        }
        return Comparer.compare(experiment, runs, OtherDifferences.WITHHOLD);
    }
}
