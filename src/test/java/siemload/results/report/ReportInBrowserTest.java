package siemload.results.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import siemload.browser.Browser;
import siemload.browser.DevTools;

@Tag("browser")
@Tag("any-java")
class ReportInBrowserTest {
    @RegisterExtension
    static final Browser BROWSER = new Browser();

    @TempDir
    private static Path directory;

    private static Path run = Path.of("");
    private static Path bareRun = Path.of("");
    /** The page of the run, for all who need no other one. */
    private static Optional<DevTools> whole = Optional.empty();

    @BeforeAll
    static void writePages() throws Exception {
        run = ExampleRun.copyTo(directory.resolve("results with spaces"));
        RunReports.write(run);
        bareRun = Files.createDirectories(directory.resolve("bare/run"));
        Files.copy(run.resolve("run.json"), bareRun.resolve("run.json"));
        RunReports.write(bareRun);
        whole = Optional.of(open(run, 1280, "light"));
    }

    @AfterAll
    static void closePage() {
        whole.ifPresent(DevTools::close);
    }

    @Test
    void allChartsAreDrawnWithoutErrorAndWithoutAskingAnyHost() {
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
        try (DevTools page = open(bareRun, 1024, "light")) {
            assertThat(page.text("[...document.querySelectorAll('.chart')].map(chart => chart.id).join()"))
                    .isEqualTo("chart-phases");
            assertThat(page.text("document.body.innerText"))
                    .contains("HAWAT1", "Nobody has tried what this machine can measure")
                    .doesNotContain("Left out", "Latency over time", "Distribution");
            assertSilent(page);
        }
    }

    @Test
    void axeFindsNoSeriousFaultAndNothingScrollsSideways() throws Exception {
        try (DevTools page = open(run, 390, "dark")) {
            page.openAllDetails();

            assertThat(page.seriousFaults()).isEmpty();
            assertThat(page.number("document.documentElement.scrollWidth")).isEqualTo(390);
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

    private static DevTools open(Path of, int width, String scheme) throws IOException, InterruptedException {
        return BROWSER.open(of.resolve("report.html").toUri().toString(), width, scheme);
    }

    private static void assertSilent(DevTools page) {
        page.assertSilent(url -> url.startsWith("file:///") && url.endsWith("/report.html"));
    }
}
