package siemload.compare.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.browser.Axe;
import siemload.browser.Browser;
import siemload.browser.DevTools;
import siemload.compare.experiment.Comparison;
import siemload.compare.experiment.Experiment;
import siemload.compare.experiment.ResultFile;

/** All kinds of comparisons, told together on one page, which holds every kind of section; and single ones. */
@Tag("browser")
class ComparisonInBrowserTest {

    @RegisterExtension
    static final Browser BROWSER = new Browser();

    @TempDir
    private static Path directory;

    @BeforeAll
    static void writePages() throws Exception {
        List<Path> members = new ArrayList<>();
        List<Experiment> planned = new ArrayList<>();
        for (Map.Entry<String, Comparison> one : ExampleComparisons.all().entrySet()) {
            Path member =
                    Files.createDirectories(directory.resolve("with spaces").resolve(one.getKey()));
            ResultFile.COMPARISON.write(member, one.getValue());
            ComparisonReports.write(member);
            members.add(member);
            planned.add(one.getValue().experiment());
        }
        SuiteReports.write(directory.resolve("suite"), "all", "What do all of them say?", planned, members);
    }

    @Test
    void everyChartIsDrawnWithoutErrorAndWithoutAskingAnyHost() throws Exception {
        try (DevTools page = open("suite", 1600, "light")) {
            JsonNode empty = page.evaluate("""
                    [...document.querySelectorAll('.chart')].filter(chart => chart.querySelectorAll(
                        'svg path[d]:not([d=""])').length < 3).map(chart => chart.id)""");

            assertThat(empty).isEmpty();
            assertThat(page.evaluate(
                                    "[...document.querySelectorAll('.chart')].map(chart => chart.id.replace(/^.*-/, '')).sort().filter("
                                            + "(kind, i, all) => kind !== all[i - 1]).join()")
                            .asText())
                    .isEqualTo("0,1,2,depth,forest,growth,runs,size,slides,usl");
            assertThat(page.events("Runtime.exceptionThrown")).isEmpty();
            assertThat(page.events("Runtime.consoleAPICalled")).isEmpty();
            assertThat(page.events("Log.entryAdded")).isEmpty();
            assertThat(page.events("Network.requestWillBeSent"))
                    .extracting(sent -> sent.path("request").path("url").asText())
                    .isNotEmpty()
                    .allMatch(url -> url.endsWith("/report.html") || url.startsWith("data:"));
        }
    }

    @Test
    void theRegretTableNamesTheSafestChoiceAndTheWorstOnes() throws Exception {
        try (DevTools page = open("with spaces/hints", 1600, "light")) {
            assertThat(page.evaluate(
                                    "[...document.querySelectorAll('.regret tfoot td')].map(cell => cell.innerText).join(' ')")
                            .asText())
                    .isEqualTo("1.68× 173× 232× 7.58×");
            assertThat(page.evaluate("document.body.innerText").asText())
                    .contains(
                            "Safest choice for all of these searches, by the medians: none, at worst 1.68× its best (TEXT).");
        }
    }

    @Test
    void verdictsAreOneTableAndTheirReasonStandsOnce() throws Exception {
        try (DevTools page = open("with spaces/page-depth", 1600, "light")) {
            openAllDetails(page);

            assertThat(page.evaluate("[...document.querySelectorAll('.decided > .panel > .scroll tbody tr')].length")
                            .asInt())
                    .isEqualTo(12);
            assertThat(page.evaluate("document.querySelector('.decided > .panel > .reasons').innerText")
                            .asText())
                    .isEqualTo("only 6 pairs: no difference can be decided among 10 comparisons; 9 are needed");
            assertThat(page.evaluate("document.querySelector('.decided > .panel > .scroll tbody tr').innerText")
                            .asText())
                    .isEqualTo("HAWAT3 page 1\tkeyset\t1.14\t1.10–1.20\t? not decided1");
        }
    }

    @Test
    void aVariantThatWasNotMeasuredIsNeverTheBest() throws Exception {
        try (DevTools page = open("with spaces/missing", 1600, "light")) {
            assertThat(page.evaluate("[...document.querySelectorAll('.regret tbody td, .regret tfoot td')]"
                                    + ".map(cell => cell.innerText).filter((text, i) => i % 4 === 1).join(' ')")
                            .asText())
                    .isEqualTo("– –");
            assertThat(page.evaluate("document.querySelector('strong').innerText")
                            .asText())
                    .isNotEqualTo("full-scan");
        }
    }

    @Test
    void whatIsWithheldShowsTheReasonAndNoRatio() throws Exception {
        try (DevTools page = open("with spaces/changed", 1600, "light")) {
            assertThat(page.evaluate("document.querySelector('#head').innerText")
                            .asText())
                    .contains("No verdict is given", "setting.work_mem was 4MB in runs 1-5 and 64MB in runs 6-12");
            assertThat(page.evaluate("document.querySelectorAll('.sign, [id$=forest]').length")
                            .asInt())
                    .isZero();
        }
    }

    @Test
    void aLabelIsNeverMarkup() throws Exception {
        try (DevTools page = open("with spaces/nothing", 1600, "light")) {
            assertThat(page.evaluate("document.querySelectorAll('main b, header b').length")
                            .asInt())
                    .isZero();
            assertThat(page.evaluate("document.querySelector('#head').innerText")
                            .asText())
                    .contains("<b>2</b>", "4 runs do not count and 2 runs are missing");
        }
    }

    @Test
    void aChoiceDrawsAnotherSearch() throws Exception {
        try (DevTools page = open("with spaces/users", 1600, "light")) {
            String before = page.evaluate("document.querySelector('#one-runs svg').innerHTML")
                    .asText();
            page.evaluate("document.querySelector('input[name=one-runs-choice][value=HAWAT3]').click()");

            assertThat(page.evaluate("document.querySelector('#one-runs svg').innerHTML")
                            .asText())
                    .isNotEqualTo(before)
                    .contains("response time mean, ms");
        }
    }

    @ParameterizedTest
    @CsvSource({"hints, 390, light", "users, 1024, dark"})
    void axeFindsNoSeriousFault(String of, int width, String scheme) throws Exception {
        try (DevTools page = open("with spaces/" + of, width, scheme)) {
            openAllDetails(page);

            assertThat(Axe.seriousFaults(page)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {390, 1024})
    void thePageNeverScrollsSideways(int width) throws Exception {
        try (DevTools page = open("suite", width, "light")) {
            openAllDetails(page);

            assertThat(page.evaluate("document.documentElement.scrollWidth").asInt())
                    .isEqualTo(width);
        }
    }

    private static DevTools open(String of, int width, String scheme) throws IOException, InterruptedException {
        DevTools page = BROWSER.newPage();
        for (String domain : List.of("Runtime", "Log", "Network", "Page")) {
            page.call(domain + ".enable", Map.of());
        }
        page.call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", false));
        page.call(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
        page.call(
                "Page.navigate",
                Map.of(
                        "url",
                        directory.resolve(of).resolve("report.html").toUri().toString()));
        page.evaluate("""
                new Promise(done => { const look = () => location.protocol === 'file:' && document.readyState === 'complete'
                    ? done() : setTimeout(look, 20); look(); })""");
        settle(page);
        return page;
    }

    private static void openAllDetails(DevTools page) {
        page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })");
        settle(page);
    }

    /** Two frames: charts follow the size of their places in the first, and are painted in the second. */
    private static void settle(DevTools page) {
        page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))");
    }
}
