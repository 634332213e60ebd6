package siemload.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.GoldenFile;
import siemload.compare.Experiment.Axis;
import siemload.compare.Experiment.ComparedVariant;
import siemload.compare.ExperimentReader.Content;
import siemload.config.ConfigException;
import siemload.config.Property;

class ExperimentReaderTest {
    private static final String WHOLE = """
            question: Does the hint help?
            kind: regret
            scenario: hawat
            axis: {hint: [none, index]}
            settings: {users: 4, dataset: smoke}
            baseline: index
            metric: p50
            alsoShow: [p95]
            smallestPercent: 7
            subjects: [HAWAT1]
            repeats: 12
            seed: 5
            source:
              says: The index helps.
              expects: [{of: none, is: worse, times: 2}]
            """;

    @TempDir
    private Path directory = Path.of("");

    @Test
    void everythingThatIsWrittenIsRead() throws IOException {
        Experiment read = read(WHOLE);
        assertThat(read.name()).isEqualTo("mine");
        assertThat(read.kind()).isEqualTo(Experiment.Kind.REGRET);
        assertThat(read.variants()).extracting(ComparedVariant::label).containsExactly("none", "index");
        assertThat(read.settings())
                .containsExactlyInAnyOrderEntriesOf(Map.of("scenario", "hawat", "users", "4", "dataset", "smoke"));
        assertThat(List.of(read.baseline(), read.metric(), read.alsoShow(), read.smallest(), read.subjects()))
                .isEqualTo(List.of("index", new Metric("p50"), List.of(new Metric("p95")), 0.07, List.of("HAWAT1")));
        assertThat(read.runs()).isEqualTo(24);
        assertThat(read.sources().get(0).expects().get(0).is()).isEqualTo(SourceClaim.Direction.WORSE);
    }

    @Test
    void whatIsLeftOutHasItsDefault() throws IOException {
        Experiment read = read("question: Does it help?\nscenario: hawat\naxis: {hint: [none, index]}\n");
        assertThat(read.repeats()).isEqualTo(9);
        assertThat(List.of(read.baseline(), read.metric(), read.alsoShow(), read.smallest(), read.subjects()))
                .isEqualTo(List.of("none", new Metric("p95"), List.of(), 0.1, List.of()));
        assertThat(read.kind()).isEqualTo(Experiment.Kind.COMPARISON);
    }

    @Test
    void variantsByNameAreBundlesOfPropertiesOfWhichTheFirstIsTheBaseline() throws IOException {
        Experiment read = read("question: Which?\nscenario: hawat\nsettings: {eps: 0}\n"
                + "variants: {ours: {}, theirs: {target: mongodb, paging: keyset}}\n");

        assertThat(read.names()).containsExactly("ours", "theirs");
        assertThat(read.variants().get(1).settings()).isEqualTo(Map.of("target", "mongodb", "paging", "keyset"));
        assertThat(read.baseline()).isEqualTo("ours");
        assertThat(read.varied()).contains("target", "paging").doesNotContain("eps");
        assertThat(read.axisLabel()).isEqualTo("variants");
    }

    @Test
    void aSuiteNamesItsExperiments() throws IOException {
        Path file = Files.writeString(directory.resolve("all.yaml"), "question: All?\nsuite: [ts1.1, ts1.2]\n");
        Content suite = ExperimentReader.read(Path.of("").toAbsolutePath(), file.toString());
        assertThat(suite.suite()).isEqualTo("all");
        assertThat(suite.experiments()).extracting(Experiment::name).containsExactly("ts1.1", "ts1.2");
        Path itself = Files.writeString(directory.resolve("all.yaml"), "question: All?\nsuite: [" + file + "]\n");
        assertThatThrownBy(() -> ExperimentReader.read(directory, itself.toString()))
                .hasMessageContaining("is a suite itself");
    }

    @Test
    void aFileMayNotSayWhereToConnectWhatToExecuteOrWhereToWrite() {
        for (Property<?> property : Property.all()) {
            if (property.isOnlyForUsers()) {
                assertRefused(
                        "question: Q?\nscenario: hawat\naxis: {hint: [none, index]}\nsettings: {" + property + ": 1}\n",
                        "mine.yaml:4:12",
                        "cannot be set by a file",
                        "(give --" + property + " or " + property.variable() + ")");
                assertRefused(
                        "question: Q?\nscenario: hawat\naxis: {" + property + ": [a, b]}\n",
                        "mine.yaml:3:",
                        "cannot be set by a file",
                        "(write given, and start the experiment with --values A,B)");
            }
        }
        assertThat(Property.all())
                .filteredOn(Property::isOnlyForUsers)
                .contains(Property.URL, Property.IMAGE, Property.RESULTS, Property.CACHE, Property.LIVE_ADDRESS);
    }

    @Test
    void whatOnlyUsersMaySayCanVaryWithoutBeingSaid() throws IOException {
        Experiment read = read("question: Q?\nscenario: hawat\naxis: {image: given}\n");
        assertThat(read.axes()).containsExactly(new Axis("image", List.of()));
        assertThat(read.variants()).isEmpty();
        assertThat(read.with(new Axis("image", List.of("a", "b"))).variants())
                .extracting(ComparedVariant::label)
                .containsExactly("a", "b");
    }

    /** The file has each wrong experiment, and below it what its author is told. */
    @Test
    void whatIsWrongIsToldWithItsPlaceAndWhatToDo() throws IOException {
        GoldenFile file = GoldenFile.of("wrong-experiments.txt");
        StringBuilder told = new StringBuilder();
        for (String wrong : Files.readString(file.path())
                .replaceAll("(?m)^> .*\n", "")
                .strip()
                .split("\n\n")) {
            String refusal = catchThrowableOfType(ConfigException.class, () -> read(wrong))
                    .getMessage();
            told.append(told.isEmpty() ? "" : "\n").append(wrong).append('\n');
            refusal.replace(directory + "/", "")
                    .replaceAll("allowed: (?:[^,()\\n]+, ){10,}[^()\\n]+", "allowed: ...")
                    .lines()
                    .forEach(line -> told.append("> ").append(line).append('\n'));
        }

        file.assertHolds(told.toString());
    }

    private Experiment read(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("mine.yaml"), text);
        return ExperimentReader.read(directory, file.toString()).experiments().get(0);
    }

    private void assertRefused(String text, String... words) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(ConfigException.class)
                .satisfies(refused -> assertThat(refused.getMessage()).contains(words));
    }
}
