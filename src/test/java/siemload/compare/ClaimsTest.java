package siemload.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.compare.Comparer.Measured;
import siemload.compare.Comparer.OtherDifferences;
import siemload.compare.RunLog.Ledger;
import siemload.compare.SourceClaim.Against;
import siemload.compare.SourceClaim.ClaimResult;
import siemload.compare.SourceClaim.ClaimResult.Outcome;
import siemload.compare.SourceClaim.Direction;
import siemload.compare.SourceClaim.Expectation;

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
        assertThat(told.explanation())
                .startsWith("1 of 1 as expected; ratios, delete (native / none) to load (native / none): 3.3");
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
        assertThat(judge(grown, BLOCKS, steeper).explanation())
                .startsWith("1 of 1 as expected; ratios, load (compound / time) to load (native / none): ");
    }

    /** By how long loading takes with each set of indexes; what differs by less than 5 % is the same. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        any two variants can be compared | none=1 time=2 native=8 | native | WORSE | 3.5 | time | CONFIRMED
        by how many times                | none=1 time=2 native=8 | native | WORSE | 4.5 | time | CONTRADICTED
        whichever is the baseline        | none=1 time=2 native=8 | time | BETTER | 3.5 | native | CONFIRMED
        and better is not worse          | none=1 time=2 native=8 | none | WORSE | 1 | time | CONTRADICTED
        not worse may be better          | none=1 native=0.5  | native | NOT_WORSE | 1 | '' | CONFIRMED
        or the same                      | none=1 native=1.01 | native | NOT_WORSE | 1 | '' | CONFIRMED
        but no more than what matters    | none=1 native=1.2  | native | NOT_WORSE | 1 | '' | CONTRADICTED
        near that nobody knows           | none=1 native=1.048 | native | NOT_WORSE | 1 | '' | NOT_DECIDABLE
        or worse by so much as is said   | none=1 native=1.2  | native | NOT_WORSE | 1.5 | '' | CONFIRMED
        and no more                      | none=1 native=1.6  | native | NOT_WORSE | 1.5 | '' | CONTRADICTED
        near which nobody knows          | none=1 native=1.5  | native | NOT_WORSE | 1.5 | '' | NOT_DECIDABLE
        different may be less            | none=1 native=0.5  | native | DIFFERENT | 1 | '' | CONFIRMED
        or more                          | none=1 native=2    | native | DIFFERENT | 1 | '' | CONFIRMED
        but not the same                 | none=1 native=1    | native | DIFFERENT | 1 | '' | CONTRADICTED
        ten times for ten times as many  | 1=1 10=10 1_000=300 | 10 | DIFFERENT | 10 | 1 | CONTRADICTED
        is in proportion, 300 is not     | 1=1 10=10 1_000=300 | 1_000 | DIFFERENT | 1000 | 1 | CONFIRMED
        nor 30 for a hundred             | 1=1 10=10 1_000=300 | 1_000 | DIFFERENT | 100 | 10 | CONFIRMED
        and of 5 % more nobody knows     | 1=1 10=10.5 1_000=300 | 10 | DIFFERENT | 10 | 1 | NOT_DECIDABLE
        """)
    void whatTheWholeIntervalSaysIsDecided(
            String rule, String seconds, String of, Direction is, double times, String than, Outcome expected) {
        Map<String, Double> load = new TreeMap<>();
        for (String one : seconds.split(" ")) {
            load.put(one.split("=")[0], Double.parseDouble(one.split("=")[1]));
        }
        assertThat(outcome(seconds(load, Map.of()), expect(of, is, times, than)))
                .as(rule)
                .isEqualTo(expected);
    }

    @Test
    void fivePairsDecideNothing() {
        assertThat(judge(none(1, 0.5), 5, expect("native", Direction.NOT_WORSE, 1, ""))
                        .outcome())
                .isEqualTo(Outcome.NOT_DECIDABLE);
    }

    /** Ten times the throughput with ten times as many is in proportion, a tenth of it is not. */
    @ParameterizedTest
    @CsvSource({"10, CONTRADICTED", "0.1, CONFIRMED"})
    void ratesAreSoManyTimesAsMuchAsTimesAre(double ofTen, Outcome expected) {
        Map<String, Map<String, Double>> rates = seconds(Map.of("1", 1.0, "10", ofTen), Map.of());
        Comparison comparison =
                compare(rates, BLOCKS, new Metric("throughput"), expect("10", Direction.DIFFERENT, 10, "1"));

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

    private static Expectation expect(String of, Direction is, double times, String than) {
        return new Expectation(of, is, times, List.of("load"), than, Against.ONE);
    }

    private static Outcome outcome(Map<String, Map<String, Double>> seconds, Expectation... expects) {
        return judge(seconds, BLOCKS, expects).outcome();
    }

    private static ClaimResult judge(Map<String, Map<String, Double>> seconds, int blocks, Expectation... expects) {
        return compare(seconds, blocks, new Metric("seconds"), expects).claims().get(0);
    }

    private static Comparison compare(
            Map<String, Map<String, Double>> values, int blocks, Metric metric, Expectation... expects) {
        List<String> variants = values.getOrDefault("load", Map.of()).keySet().stream()
                .sorted((one, other) -> one.equals("none") ? -1 : other.equals("none") ? 1 : one.compareTo(other))
                .toList();
        Experiment experiment = Examples.experiment(
                "example",
                Experiment.Kind.COMPARISON,
                "indexes",
                variants,
                metric.name(),
                List.of(),
                0.05,
                blocks,
                new SourceClaim("CESNET", 2, "Without indexes it is better.", List.of(expects)));
        List<Measured> runs = new ArrayList<>();
        for (Ledger.Slot slot : Ledger.slots(experiment)) {
            String label = slot.variant().label();
            // Half a percent up or down, another way in each block and variant.
            double noise = 1 + 0.005 * Math.sin(7.0 * slot.block() + 3.0 * variants.indexOf(label));
            Map<String, Map<String, Double>> figures = new TreeMap<>();
            values.forEach((subject, byVariant) ->
                    figures.put(subject, Map.of(metric.name(), byVariant.getOrDefault(label, 0.0) * noise)));
            runs.add(Examples.run(slot, figures));
        }
        return Examples.compare(experiment, runs, OtherDifferences.WITHHOLD);
    }
}
