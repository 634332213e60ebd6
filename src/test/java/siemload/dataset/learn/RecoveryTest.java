package siemload.dataset.learn;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.dataset.DatasetSpec;
import siemload.dataset.EventGenerator;
import siemload.dataset.EventProfile;
import siemload.dataset.SeededRandom;
import siemload.dataset.format.EventFile;
import siemload.event.IdeaLineWriter;
import siemload.event.IdeaReader;

class RecoveryTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    @Tag("exhaustive")
    void aProfileIsLearntFromItsEventsAndTheseFit() throws IOException {
        DatasetSpec given = DatasetSpec.read(Path.of("datasets/cesnet-day.yaml"));
        DatasetSpec original = given.withEvents(50_000).withSeed(5);
        Path recording = directory.resolve("original.idea");
        try (IdeaLineWriter writer = IdeaLineWriter.open(recording, atEnd -> {})) {
            new EventGenerator(original).read(1_000, writer::write);
            writer.finish();
        }

        Learner.Learnt learnt = learnt(recording);

        assertThat(learnt.spec().events()).isEqualTo(50_000);
        assertThat(learnt.spec().start()).isEqualTo(given.start());
        assertThat(learnt.spec().span()).isEqualTo(given.span());
        assertThat(learnt.told()).isEmpty();
        EventProfile found = learnt.spec().profile();
        EventProfile truth = given.profile();
        assertThat(found.times().window()).isEqualTo(truth.times().window());
        assertThat(found.times().longestEvent().toSeconds())
                .isCloseTo(truth.times().longestEvent().toSeconds(), Percentage.withPercentage(3));
        assertThat(found.sources().addresses()).isCloseTo(truth.sources().addresses(), Percentage.withPercentage(4));
        assertThat(found.sources().rankRoot()).isCloseTo(truth.sources().rankRoot(), Percentage.withPercentage(4));
        assertThat(found.sources().scatteredNetworks())
                .isCloseTo(truth.sources().scatteredNetworks(), Percentage.withPercentage(4));
        assertThat(found.ports().tail().ports()).isCloseTo(truth.ports().tail().ports(), Percentage.withPercentage(6));
        assertThat(found.detectors().shares().get(0).aggregation()).isEqualTo("00:05:00");
        assertThat(learnt.fits()).hasSize(21).allSatisfy(fit -> {
            // Twenty texts stand for all lengths of notes and descriptions.
            double allowed = fit.name().startsWith("characters of") ? 0.1 : 0.002;
            assertThat(fit.distance()).as(fit.name()).isLessThan(2 * fit.byChance() + allowed);
        });
        assertThat(Files.readString(directory.resolve("learnt.yaml"))).doesNotContain("195.113");
    }

    @ParameterizedTest
    @CsvSource({
        "60000, 2.2, 20000, 6",
        "5000, 1.0, 20000, 6",
        "500, 0.7, 20000, 6",
        "300, 5, 100000, 4",
        "5, 1, 10000, 10"
    })
    void numberAndPopularityOfValuesAreToldFromHowOftenTheyOccurred(
            int values, double root, int draws, double percent) {
        for (int seed = 0; seed < 2; seed++) {
            Learner.PopularityLaw law =
                    Learner.PopularityLaw.of(drawn(values, root, draws, new SeededRandom(seed)), 1_000_000);
            assertThat(law.values()).isCloseTo(values, Percentage.withPercentage(percent));
            assertThat(1 / law.exponent()).isCloseTo(root, Percentage.withPercentage(percent));
        }
    }

    @Test
    void valuesThatWereMetOnceEachAreFarMoreThanWereMet() {
        Learner.Counts<Integer> once = Learner.Counts.of(IntStream.range(0, 100).boxed());
        assertThat(Learner.PopularityLaw.of(once, 1_000_000).values()).isBetween(5_000.0, 1_000_000.0);
    }

    @ParameterizedTest
    @CsvSource({
        "1000, 3, 1970-01-01T00:00:00Z",
        "19, 1, 1970-01-01T00:00:00Z",
        "49, 1, 2017-01-01T00:00:00Z",
        "4, 1, 2038-01-19T03:14:07Z",
        "100, 30, 1970-01-01T00:00:00Z",
        "10000, 1, 2024-02-01T00:00:00Z"
    })
    void wrongClocksDoNotMoveTheSpan(int right, int wrong, String time) throws IOException {
        Instant day = Instant.parse("2024-05-01T00:00:00Z");
        Path recording = directory.resolve("clocks.idea");
        Files.write(
                recording,
                IntStream.range(0, right + wrong)
                        .mapToObj(i -> "{\"ID\":\"" + i + "\",\"DetectTime\":\""
                                + (i < right ? day.plusSeconds(i * 80_000L / right) : time) + "\"}")
                        .toList());

        Learner.Learnt learnt = learnt(recording);

        assertThat(learnt.spec().start()).isEqualTo(day);
        assertThat(learnt.spec().span()).isLessThanOrEqualTo(Duration.ofDays(1));
        assertThat(learnt.told()).anyMatch(told -> told.startsWith(wrong + " events are far in time"));
    }

    private Learner.Learnt learnt(Path recording) {
        return Learner.learn(
                List.of(new EventFile(recording, EventFile.IDEA, new IdeaReader())),
                directory.resolve("learnt.yaml"),
                1,
                events -> {});
    }

    private static Learner.Counts<Integer> drawn(int values, double root, int draws, SeededRandom random) {
        double[] reached = new double[values];
        double sum = 0;
        for (int i = 0; i < values; i++) {
            sum += Math.pow(i + 1, -1 / root);
            reached[i] = sum;
        }
        double all = sum;
        return Learner.Counts.of(IntStream.range(0, draws)
                .mapToObj(draw -> Math.abs(Arrays.binarySearch(reached, random.nextDouble() * all))));
    }
}
