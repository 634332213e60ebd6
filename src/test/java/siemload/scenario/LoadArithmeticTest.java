package siemload.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.GoldenFile;
import siemload.dataset.DatasetSpec;
import siemload.dataset.EventGenerator;
import siemload.dataset.Popularity;
import siemload.dataset.SeededRandom;
import siemload.dataset.ValuePools;
import siemload.query.Criterion;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchCatalog;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.scenario.AnalystGroup.Distribution;
import siemload.scenario.AnalystGroup.Weights;

@Tag("every-java")
class LoadArithmeticTest {
    private static final int POINTS = 100_000;

    @ParameterizedTest
    @CsvSource({"0, a", "0.2499, a", "0.25, b", "0.7499, b", "0.75, c", "0.9999999999999999, c"})
    void choicesLieSideBySideEachAsWideAsItsShareAndThoseOfNoWeightNeverCome(double point, String choice) {
        Map<String, Double> written = new LinkedHashMap<>();
        for (String one : "first=0 a=1 between=0 b=2 c=1 last=0".split(" ")) {
            written.put(one.split("=")[0], Double.valueOf(one.split("=")[1]));
        }
        Weights<String> weights = new Weights<>(written);

        assertThat(weights.at(point)).isEqualTo(choice);
        assertThat(weights.possible()).containsExactly("a", "b", "c");
        assertThat(weights.weights()).containsOnlyKeys("first", "a", "between", "b", "c", "last");
    }

    @ParameterizedTest
    @CsvSource({
        // 10 * 20/26 = 7.69, 10 * 5/26 = 1.92, 10 * 1/26 = 0.38
        "10, 20 5 1, 7 2 1",
        // 1.33 each: the first gets what is left
        "4, 7 7 7, 2 1 1",
        // 0.07 and 0.07 of the large one's
        "4, 1000 1 1, 2 1 1",
        "3, 1000 1 1, 1 1 1"
    })
    void sharesAreRoundedByTheLargestRemaindersAndNobodyGetsNone(int total, String written, String spread) {
        assertThat(LoadModel.spread(total, numbers(written))).isEqualTo(numbers(spread));
    }

    private static List<Integer> numbers(String text) {
        return Stream.of(text.split(" ")).map(Integer::valueOf).toList();
    }

    static Stream<Distribution> distributions() {
        return Stream.of(
                new Distribution.Constant(Duration.ofSeconds(4)), new Distribution.Exponential(Duration.ofSeconds(4)));
    }

    /** The mean of a residual life is half of the mean square over the mean. */
    @ParameterizedTest
    @MethodSource("distributions")
    void whatRemainsIsTheResidualLifeOfTheWaits(Distribution waits) {
        double meanSquare = IntStream.range(0, POINTS)
                .mapToDouble(i -> secondsOf(waits.at(point(i))))
                .map(seconds -> seconds * seconds)
                .average()
                .orElseThrow();

        assertThat(meanSeconds(waits::remaining)).isCloseTo(meanSquare / 2 / 4, within(0.005));
    }

    private static double meanSeconds(DoubleFunction<Duration> drawn) {
        return IntStream.range(0, POINTS)
                .mapToDouble(i -> secondsOf(drawn.apply(point(i))))
                .average()
                .orElseThrow();
    }

    private static double point(int index) {
        return (index + 0.5) / POINTS;
    }

    private static double secondsOf(Duration wait) {
        return wait.toNanos() / 1e9;
    }

    @ParameterizedTest
    @CsvSource({"TOGETHER, 1 1 1 1, 4", "EVEN, 1 3.5 6 8.5, 4"})
    void tasksLieInTheirPeriodAsTheyAreSpread(LoadModel.Scheduled.Spread spread, String firstTicks, int workers) {
        LoadModel.Scheduled rules = schedule(4, 10, 1, spread);

        assertThat(LongStream.range(0, 4).map(task -> rules.dueNanos((int) task, 0)))
                .containsExactly(Stream.of(firstTicks.split(" "))
                        .map(text -> seconds(Double.parseDouble(text)))
                        .toArray(Long[]::new));
        assertThat(rules.dueNanos(1, 2) - rules.dueNanos(1, 0)).isEqualTo(seconds(20));
        assertThat(rules.defaultWorkers()).isEqualTo(workers);
        assertThat(schedule(500, 300, 0, LoadModel.Scheduled.Spread.EVEN).defaultWorkers())
                .isEqualTo(20);
    }

    /** Counted one by one, from the instants alone. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 19, 500})
    void whatIsReckonedIsWhatIsCounted(int tasks) {
        LoadModel.Scheduled rules = schedule(tasks, 7, 3, LoadModel.Scheduled.Spread.EVEN);
        for (double until : new double[] {0.5, 3, 3.1, 9.99, 10, 10.01, 61.7}) {
            long counted = LongStream.range(0, tasks)
                    .flatMap(task -> LongStream.range(0, 20).map(tick -> rules.dueNanos((int) task, tick)))
                    .filter(due -> due < seconds(until))
                    .count();
            assertThat(rules.dueBefore(seconds(until))).as("until %s s", until).isEqualTo(counted);
        }
    }

    private static LoadModel.Scheduled schedule(int tasks, int every, int offset, LoadModel.Scheduled.Spread spread) {
        return new LoadModel.Scheduled(
                tasks,
                Duration.ofSeconds(every),
                Duration.ofSeconds(offset),
                spread,
                LoadModel.Scheduled.Criteria.FIXED);
    }

    private static long seconds(double seconds) {
        return Math.round(seconds * 1e9);
    }

    private static final EventGenerator TINY =
            new EventGenerator(DatasetSpec.read(Path.of("src/test/resources/datasets/tiny.yaml")));

    private static final Duration DAY = Duration.ofDays(1);
    private static final Page WHOLE = new Page.Whole();

    /** For the searches that somebody can ask for: runs of two versions can be compared. */
    @Test
    void theSameIsDrawnInEveryVersionAndAsMuchOfChanceIsUsed() throws Exception {
        ValuePools.Builder pools = new ValuePools.Builder();
        TINY.read(500, pools::add);
        SearchDraw draw = new SearchDraw(pools.build(), TINY);
        List<String> lines = new ArrayList<>();
        for (SearchName name : SearchCatalog.builtIn().names().byName().values()) {
            for (Popularity popularity : Popularity.values()) {
                SeededRandom random = new SeededRandom(7);
                Search search = draw.search(
                        name,
                        new SearchDraw.SamplingRule(popularity, 3, random),
                        Window.last(DAY, TINY.until()),
                        Order.NEWEST_FIRST,
                        WHOLE);
                lines.add(name + " " + popularity + ": "
                        + search.criteria().stream().map(Criterion::words).toList() + " " + search.order() + " "
                        + search.window() + ", next " + random.nextInt(1_000_000));
            }
        }

        GoldenFile.of("drawn-values.txt").assertHolds(String.join("\n", lines) + "\n");
    }
}
