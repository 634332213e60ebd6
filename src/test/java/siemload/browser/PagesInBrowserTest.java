package siemload.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.compare.Comparison;
import siemload.compare.ComparisonReports;
import siemload.compare.ExampleCapacities;
import siemload.compare.ExampleComparisons;
import siemload.compare.Experiment;
import siemload.compare.ResultFile;
import siemload.results.LoggedInterval;
import siemload.results.RunFile;
import siemload.results.RunFile.TimeMetric;
import siemload.results.RunWriter.RunListener;
import siemload.results.report.ExampleRun;
import siemload.results.report.LiveServer;
import siemload.results.report.RunReports;

/**
 * What a browser shows of a run, while it goes on and afterwards, of all kinds of comparisons, told together on one page, which has every
 * kind of section, and of a capacity.
 */
@Tag("browser")
class PagesInBrowserTest {
    @RegisterExtension
    static final Browser BROWSER = new Browser();

    @TempDir
    private static Path directory;

    private static Path run = Path.of("");
    /** The page of the run, for all who need no other one. */
    private static Optional<DevTools> whole = Optional.empty();

    @BeforeAll
    static void writePages() throws Exception {
        run = ExampleRun.copyTo(directory.resolve("results with spaces"));
        RunReports.write(run);
        Path bare = Files.createDirectories(directory.resolve("bare"));
        Files.copy(run.resolve("run.json"), bare.resolve("run.json"));
        RunReports.write(bare);
        Map<Path, Comparison> members = new LinkedHashMap<>();
        List<Experiment> planned = new ArrayList<>();
        for (Map.Entry<String, Comparison> one : ExampleComparisons.all().entrySet()) {
            Path member = Files.createDirectories(directory.resolve(one.getKey()));
            ResultFile.COMPARISON.write(member, one.getValue());
            ComparisonReports.write(member, ResultFile.COMPARISON.read(member));
            members.put(member, one.getValue());
            planned.add(one.getValue().experiment());
        }
        ComparisonReports.write(Files.createDirectories(directory.resolve("capacity")), ExampleCapacities.users());
        ComparisonReports.write(directory.resolve("suite"), "all", "What do all of them say?", planned, members);
        whole = Optional.of(open(run, 1280, "light"));
    }

    @AfterAll
    static void closePage() {
        whole.ifPresent(DevTools::close);
    }

    @Test
    void allChartsOfARunAreDrawnWithoutErrorAndWithoutAskingAnyHost() {
        JsonNode charts = whole.orElseThrow().evaluate("""
            [...document.querySelectorAll('.chart')].map(chart => ({id: chart.id.replace('chart-', ''), shapes:
                chart.querySelectorAll('svg path[d]:not([d=""])').length,
                height: chart.querySelector('svg').getBoundingClientRect().height}))""");

        assertThat(String.join(" ", charts.findValuesAsText("id")))
                .isEqualTo("latency spectrum phases io cpu cpu-times memory disks cpu-times-1 memory-1 disks-1");
        assertThat(charts)
                .allSatisfy(chart -> assertThat(chart.path("shapes").asInt()).isGreaterThan(8))
                .allSatisfy(chart -> assertThat(chart.path("height").asInt()).isGreaterThan(200));
        assertSilent(whole.orElseThrow());
    }

    @Test
    void namesBesideBarsAndTablesOfTimesFitIntoTheirPlaces() {
        assertThat(whole.orElseThrow().text("""
            (() => {
              document.querySelectorAll('details').forEach(one => { one.open = true; });
              const place = document.querySelector('#chart-phases').getBoundingClientRect();
              const cut = [...document.querySelectorAll('#chart-phases svg text')]
                  .filter(text => text.getBoundingClientRect().left < place.left).map(text => text.textContent);
              const wide = [...document.querySelectorAll('.scroll:has(> .searches)')]
                  .filter(table => table.scrollWidth > table.clientWidth).map(table => table.getAttribute('aria-label'));
              return [...cut, ...wide].join();
            })()\
            """)).isEmpty();
    }

    @Test
    void aRunWithRunJsonAloneIsShownWithoutTheRest() throws Exception {
        try (DevTools page = open("bare", 1024, "light")) {
            assertThat(page.text("[...document.querySelectorAll('.chart')].map(chart => chart.id).join()"))
                    .isEqualTo("chart-phases");
            assertThat(page.text("document.body.innerText"))
                    .contains("HAWAT1", "It was not tested how well this machine measures")
                    .doesNotContain("Left out", "Latency over time", "Distribution");
            assertSilent(page);
        }
    }

    @Test
    void aClickSortsTheSearchesOfWhichEachHasOneRowAndItsPagesAreFoldedAway() {
        DevTools page = whole.orElseThrow();
        page.evaluate("document.querySelectorAll('.searches thead button')[1].click()");

        assertThat(page.text("document.querySelector('.searches tbody th').textContent"))
                .isEqualTo("HAWAT1");
        assertThat(page.text("[...document.querySelectorAll('.searches')].map(table =>"
                        + " table.querySelectorAll('tbody tr').length + ' ' + !!table.closest('details')).join()"))
                .isEqualTo("10 false,37 true");
    }

    @Test
    void everyChartOfComparisonsIsDrawnWithoutErrorAndWithoutAskingAnyHost() throws Exception {
        try (DevTools page = open("suite", 1600, "light")) {
            assertThat(page.emptyCharts()).isEmpty();
            assertThat(page.text("[...document.querySelectorAll('.chart')].map(chart => chart.id.replace(/^.*-/,"
                            + " '')).sort().filter((kind, i, all) => kind !== all[i - 1]).join()"))
                    .isEqualTo("0,1,2,depth,forest,growth,runs,slides");
            assertSilent(page);
        }
    }

    @Test
    void aCapacityIsDrawnOverItsLoads() throws Exception {
        try (DevTools page = open("capacity", 1600, "light")) {
            assertThat(page.emptyCharts()).isEmpty();
            assertThat(page.text("[...document.querySelectorAll('.chart')].map(chart => chart.id).sort().join()"))
                    .isEqualTo("throughput,time");
            assertSilent(page);
        }
    }

    @Test
    void theRegretTableNamesTheSafestChoiceAndTheWorstOnes() throws Exception {
        try (DevTools page = open("hints", 1600, "light")) {
            assertThat(page.text(
                            "[...document.querySelectorAll('.regret tfoot td')].map(cell => cell.innerText).join(' ')"))
                    .isEqualTo("1.68× 173× 232× 7.58×");
            assertThat(page.text("document.body.innerText"))
                    .contains("Safest choice for all of these searches, by the medians: none, at worst 1.68× the best"
                            + " variant (TEXT).");
        }
    }

    @Test
    void aVariantThatWasNotMeasuredIsNeverTheBest() throws Exception {
        try (DevTools page = open("missing", 1600, "light")) {
            assertThat(page.text("[...document.querySelectorAll('.regret tbody td, .regret tfoot td')]"
                            + ".map(cell => cell.innerText).filter((text, i) => i % 4 === 1).join(' ')"))
                    .isEqualTo("– –");
            assertThat(page.text("document.querySelector('strong').innerText")).isNotEqualTo("full-scan");
        }
    }

    @ParameterizedTest
    @CsvSource({"results with spaces/busy, dark", "hints, light", "capacity, dark"})
    void axeFindsNoSeriousFaultAndNothingScrollsSideways(String of, String scheme) throws Exception {
        try (DevTools page = open(of, 390, scheme)) {
            page.openAllDetails();

            assertThat(page.seriousFaults()).isEmpty();
            assertThat(page.number("document.documentElement.scrollWidth")).isEqualTo(390);
        }
    }

    /** The page while a run writes its files; they are those of a real run. */
    @Test
    @Timeout(120)
    void whatARunWritesIsDrawnAndTheEndIsSaid() throws Exception {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (LiveServer server = new LiveServer(address, "busy-1", "busy searches 200,000 events");
                DevTools page = BROWSER.open(server.url(), 390, "light")) {
            tellAll(server.listener());
            page.await("document.querySelectorAll('.chart svg').length === 5");

            JsonNode charts = page.evaluate("""
                    [...document.querySelectorAll('.chart')].map(chart => ({id: chart.id,
                        shapes: chart.querySelectorAll('svg path[d]:not([d=""])').length}))""");
            assertThat(charts.findValuesAsText("id")).containsExactly("latency", "cpu", "io", "memory", "disks");
            assertThat(charts)
                    .allSatisfy(
                            chart -> assertThat(chart.path("shapes").asInt()).isGreaterThan(4));
            assertThat(page.number("document.documentElement.scrollWidth")).isEqualTo(390);
            requireThatNothingOverlaps(page);

            page.assertSilent(url -> url.startsWith(server.url()));
            server.close();
            page.await("document.getElementById('state').textContent === 'the run has ended or does not answer'");
        }
    }

    /** Charts above each other, and their legends, have places of their own. */
    private static void requireThatNothingOverlaps(DevTools page) {
        page.settle();
        JsonNode places = page.evaluate("""
                ['latency', 'cpu', 'io', 'memory', 'disks'].map(id => {
                    const texts = [...document.querySelectorAll('#' + id + ' svg text')];
                    const boxes = of => texts.filter(of).map(text => text.getBoundingClientRect());
                    const isTime = text => /^-?\\d+ s$/.test(text.textContent);
                    const names = boxes(text => /read|written|in use|database|redo|backlog/.test(text.textContent)
                        && !/^MB/.test(text.textContent));
                    return {id, times: boxes(isTime).length, lowestTime: Math.max(...boxes(isTime).map(box => box.bottom)),
                        highestName: Math.min(...names.map(box => box.top))};
                })""");

        assertThat(places).hasSize(5).allSatisfy(chart -> {
            assertThat(chart.path("times").asInt()).isPositive();
            assertThat(chart.path("lowestTime").asDouble())
                    .as(chart.toString())
                    .isLessThanOrEqualTo(chart.path("highestName").asDouble());
        });
    }

    /** Tells a listener all that a run once wrote. */
    private static void tellAll(RunListener listener) throws IOException {
        for (RunFile table : RunFile.values()) {
            if (!table.columns().isEmpty() && Files.exists(table.in(run))) {
                table.read(run, row -> listener.row(table, row));
            }
        }
        LoggedInterval.read(run, TimeMetric.RESPONSE_TIME, one -> listener.interval(TimeMetric.RESPONSE_TIME, one));
    }

    private static DevTools open(String of, int width, String scheme) throws IOException, InterruptedException {
        return open(directory.resolve(of), width, scheme);
    }

    private static DevTools open(Path of, int width, String scheme) throws IOException, InterruptedException {
        return BROWSER.open(of.resolve("report.html").toUri().toString(), width, scheme);
    }

    private static void assertSilent(DevTools page) {
        page.assertSilent(url -> url.startsWith("file:///") && url.endsWith("/report.html"));
    }
}
