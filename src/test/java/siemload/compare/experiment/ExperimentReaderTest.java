package siemload.compare.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.compare.experiment.ExperimentReader.Content;
import siemload.compare.experiment.SourceClaim.Against;
import siemload.compare.experiment.SourceClaim.Direction;
import siemload.compare.experiment.SourceClaim.Expectation;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.results.ResultValue;

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
            smallest: 7%
            subjects: [HAWAT1]
            repeats: 12
            seed: 5
            source:
              says: The index helps.
              expects: [{of: none, is: worse, atLeast: 2}]
            """;

    @TempDir
    private Path directory = Path.of("");

    @Test
    void everythingThatIsWrittenIsRead() throws IOException {
        Experiment read = read(WHOLE);
        assertThat(read.name()).isEqualTo("mine");
        assertThat(read.kind()).isEqualTo(ExperimentKind.REGRET);
        assertThat(read.variants()).extracting(ComparedVariant::label).containsExactly("none", "index");
        assertThat(read.settings())
                .containsExactlyInAnyOrderEntriesOf(Map.of("scenario", "hawat", "users", "4", "dataset", "smoke"));
        assertThat(read.judged().baseline()).isEqualTo("index");
        assertThat(read.judged().metric()).isEqualTo(new Metric("p50"));
        assertThat(read.judged().smallest()).isEqualTo(0.07);
        assertThat(read.runs()).isEqualTo(24);
        assertThat(read.sources().get(0).expects().get(0).is()).isEqualTo(SourceClaim.Direction.WORSE);
    }

    @Test
    void anExperimentMayHaveSeveralSourcesAndComparedRatios() throws IOException {
        Experiment read = read("""
                question: Both?
                scenario: hawat
                axis: {users: [1, 10, 1_000]}
                source:
                  - says: Somebody measured it.
                  - study: CESNET
                    conclusion: 6
                    says: Measure it.
                    expects:
                      - {of: 1_000, is: notProportional, than: 10}
                      - {of: 10, is: notWorse, subjects: [delete], against: {subject: load}}
                """);
        assertThat(read.sources())
                .containsExactly(
                        new SourceClaim("", 0, "Somebody measured it.", List.of()),
                        new SourceClaim(
                                "CESNET",
                                6,
                                "Measure it.",
                                List.of(
                                        new Expectation(
                                                "1_000",
                                                Direction.NOT_PROPORTIONAL,
                                                1,
                                                1,
                                                List.of(),
                                                "10",
                                                Against.ONE),
                                        new Expectation(
                                                "10",
                                                Direction.NOT_WORSE,
                                                1,
                                                1,
                                                List.of("delete"),
                                                "",
                                                new Against("", "", "load")))));
        assertThat(read.sources())
                .extracting(SourceClaim::spoken)
                .containsExactly("the source", "CESNET's conclusion 6");
    }

    @Test
    void onlyNumbersHaveAProportion() {
        assertThatThrownBy(() -> read("question: Both?\nscenario: hawat\naxis: {hint: [none, index]}\n"
                        + "source: {says: It is not., expects: [{of: index, is: notProportional}]}\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("notProportional is said of numbers, and 'index' is none");
    }

    @Test
    void aRatioOfRatiosHasNoProportion() {
        assertThatThrownBy(
                        () -> read(
                                "question: Both?\nscenario: hawat\naxis: {users: [1, 10]}\n"
                                        + "source: {says: It is not., expects: [{of: 10, is: notProportional, against: {subject: all}}]}\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("notProportional is said of one ratio (leave against out)");
    }

    @Test
    void anExperimentOfAnEarlierVersionHasOneSource() throws Exception {
        ObjectNode earlier = (ObjectNode) new ObjectMapper().readTree(ResultValue.text(read(WHOLE)));
        ObjectNode source = (ObjectNode) earlier.remove("sources").get(0);
        source.remove(List.of("study", "conclusion"));
        ((ObjectNode) source.get("expects").get(0)).remove(List.of("than", "against"));
        earlier.set("source", source);
        Files.writeString(ResultFile.EXPERIMENT.in(directory), earlier.toString());

        assertThat(ResultFile.EXPERIMENT.read(directory)).isEqualTo(read(WHOLE));
    }

    @Test
    void whatIsLeftOutHasItsDefault() throws IOException {
        Experiment read = read("question: Does it help?\nscenario: hawat\naxis: {hint: [none, index]}\n");
        assertThat(read.repeats()).isEqualTo(9);
        assertThat(read.judged().metric().name()).isEqualTo("p95");
        assertThat(read.judged().smallest()).isEqualTo(0.1);
        assertThat(read.judged().baseline()).isEqualTo("none");
        assertThat(read.kind()).isEqualTo(ExperimentKind.COMPARISON);
    }

    @Test
    void variantsByNameAreBundlesOfPropertiesOfWhichTheFirstIsTheBaseline() throws IOException {
        Experiment read = read("question: Which?\nscenario: hawat\nsettings: {eps: 0}\n"
                + "variants: {ours: {}, theirs: {target: mongodb, paging: keyset}}\n");

        assertThat(read.names()).containsExactly("ours", "theirs");
        assertThat(read.variants().get(1).settings()).isEqualTo(Map.of("target", "mongodb", "paging", "keyset"));
        assertThat(read.judged().baseline()).isEqualTo("ours");
        assertThat(read.varied()).extracting(Axis::property).containsExactlyInAnyOrder("target", "paging");
        assertThat(read.axisLabel()).isEqualTo("variants");
    }

    @Test
    void aFileDoesNotSayWhereItsVariantsConnect() {
        assertThatThrownBy(() -> read("question: Which?\nscenario: hawat\n"
                        + "variants:\n  ours: {url: 'jdbc:postgresql://db/x'}\n  theirs: {password: geheim}\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("mine.yaml:4:10")
                .hasMessageContaining(
                        "variants.ours.url: cannot be set by a file, which must not decide where to connect")
                .hasMessageContaining("(give --url.ours or SIEMLOAD_URL_OURS)")
                .hasMessageContaining("mine.yaml:5:12")
                .hasMessageContaining("(set SIEMLOAD_PASSWORD_THEIRS)")
                .hasMessageNotContaining("geheim");
    }

    @Test
    void twoNamesOfOneVariableAreRefused() {
        assertThatThrownBy(() -> read("question: Which?\nscenario: hawat\nvariants: {ours: {}, Ours: {}}\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("would have the same variables as ours");
    }

    @Test
    void whatAVariantSetsIsNoSettingOfAll() {
        assertThatThrownBy(() -> read("question: Which?\nscenario: hawat\nsettings: {eps: 5}\n"
                        + "variants: {ours: {eps: 0}, theirs: {}}\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("settings.eps: is what varies here (leave it out)");
    }

    @Test
    void aFactorialHasAllCombinations() throws IOException {
        Experiment read = read("question: Both?\nscenario: hawat\nfactorial: true\n"
                + "axis: {hint: [none, index], paging: [offset, keyset]}\n");
        assertThat(read.variants())
                .extracting(ComparedVariant::label)
                .containsExactly("none offset", "none keyset", "index offset", "index keyset");
    }

    @Test
    void aSuiteNamesItsExperiments() throws IOException {
        Path file = Files.writeString(directory.resolve("all.yaml"), "question: All?\nsuite: [ts1.1, ts1.2]\n");
        assertThat(ExperimentReader.read(directory, file.toString()))
                .isEqualTo(new Content.Suite("all", "All?", List.of("ts1.1", "ts1.2")));
    }

    @Test
    void twoAxesAreRefusedUnlessTheExperimentIsFactorial() {
        assertRefused(
                "question: Both?\nscenario: hawat\naxis: {hint: [none, index], paging: [offset, keyset]}\n",
                "mine.yaml:3:7",
                "one thing is varied at a time");
    }

    @Test
    void anUnknownPropertyIsReportedWithItsPlaceAndTheNearestName() {
        assertRefused(
                "question: Q?\nscenario: hawat\naxis: {hnt: [none, index]}\n", "mine.yaml:3:8", "did you mean hint?");
    }

    @Test
    void aValueThatThePropertyRefusesIsReportedWithItsPlace() {
        assertRefused(
                "question: Q?\nscenario: hawat\naxis: {hint: [none, indx]}\n", "mine.yaml:3:21", "did you mean index?");
    }

    @Test
    void aSingleValueIsNoAxis() {
        assertRefused("question: Q?\nscenario: hawat\naxis: {hint: [none]}\n", "mine.yaml:3:14", "two or more");
    }

    @Test
    void whatVariesCannotBeSetAsWell() {
        assertRefused(
                "question: Q?\nscenario: hawat\naxis: {hint: [none, index]}\nsettings: {hint: none}\n",
                "mine.yaml:4:12",
                "is what varies here");
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
                        "(write given, and start it with --values A,B)");
            }
        }
        assertThat(Property.all())
                .filteredOn(Property::isOnlyForUsers)
                .contains(
                        Property.URL,
                        Property.CACHE_COMMAND,
                        Property.IMAGE,
                        Property.RESULTS,
                        Property.CACHE,
                        Property.LIVE_ADDRESS);
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

    @Test
    void fewerThanThreeRepeatsAreRefused() {
        assertRefused(
                "question: Q?\nscenario: hawat\naxis: {hint: [none, index]}\nrepeats: 2\n", "mine.yaml:4:10", "3 to");
    }

    @Test
    void aBaselineOutsideOfTheAxisIsRefused() {
        assertRefused(
                "question: Q?\nscenario: hawat\naxis: {hint: [none, index]}\nbaseline: idx\n",
                "mine.yaml:4:11",
                "allowed: none, index");
    }

    @Test
    void anUnknownExperimentIsReportedWithThoseThatThereAre() {
        assertThatThrownBy(() -> ExperimentReader.read(Path.of(""), "hint"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("did you mean hints?");
    }

    private Experiment read(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("mine.yaml"), text);
        return ((Content.Single) ExperimentReader.read(directory, file.toString())).experiment();
    }

    private void assertRefused(String text, String... words) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(ConfigException.class)
                .satisfies(refused -> assertThat(refused.getMessage()).contains(words));
    }
}
