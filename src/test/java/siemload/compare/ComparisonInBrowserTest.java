package siemload.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.browser.Browser;
import siemload.browser.DevTools;

/** All kinds of comparisons, told together on one page, which holds every kind of section; single ones; and a capacity. */
@Tag("browser")
@Tag("any-java")
class ComparisonInBrowserTest {

    @RegisterExtension
    static final Browser BROWSER = new Browser();

    @TempDir
    private static Path directory;

    @BeforeAll
    static void writePages() throws Exception {
        Map<Path, Comparison> members = new LinkedHashMap<>();
        List<Experiment> planned = new ArrayList<>();
        for (Map.Entry<String, Comparison> one : ExampleComparisons.all().entrySet()) {
            Path member =
                    Files.createDirectories(directory.resolve("with spaces").resolve(one.getKey()));
            ResultFile.COMPARISON.write(member, one.getValue());
            ComparisonReports.write(member, ResultFile.COMPARISON.read(member));
            members.put(member, one.getValue());
            planned.add(one.getValue().experiment());
        }
        ComparisonReports.write(
                Files.createDirectories(directory.resolve("with spaces/capacity")), ExampleCapacities.users());
        ComparisonReports.write(directory.resolve("suite"), "all", "What do all of them say?", planned, members);
    }

    @Test
    void everyChartIsDrawnWithoutErrorAndWithoutAskingAnyHost() throws Exception {
        try (DevTools page = open("suite", 1600, "light")) {
            assertThat(page.emptyCharts()).isEmpty();
            assertThat(page.text("[...document.querySelectorAll('.chart')].map(chart => chart.id.replace(/^.*-/,"
                            + " '')).sort().filter((kind, i, all) => kind !== all[i - 1]).join()"))
                    .isEqualTo("0,1,2,depth,forest,growth,runs,slides");
            page.assertSilent(url -> url.endsWith("/report.html"));
        }
    }

    @Test
    void aCapacityIsDrawnOverItsLoads() throws Exception {
        try (DevTools page = open("with spaces/capacity", 1600, "light")) {
            assertThat(page.emptyCharts()).isEmpty();
            assertThat(page.text("[...document.querySelectorAll('.chart')].map(chart => chart.id).sort().join()"))
                    .isEqualTo("throughput,time");
            page.assertSilent(url -> url.endsWith("/report.html"));
        }
    }

    @Test
    void theRegretTableNamesTheSafestChoiceAndTheWorstOnes() throws Exception {
        try (DevTools page = open("with spaces/hints", 1600, "light")) {
            assertThat(page.text(
                            "[...document.querySelectorAll('.regret tfoot td')].map(cell => cell.innerText).join(' ')"))
                    .isEqualTo("1.68× 173× 232× 7.58×");
            assertThat(page.text("document.body.innerText"))
                    .contains("Safest choice for all of these searches, by the medians: none, at worst 1.68× its best"
                            + " (TEXT).");
        }
    }

    @Test
    void aVariantThatWasNotMeasuredIsNeverTheBest() throws Exception {
        try (DevTools page = open("with spaces/missing", 1600, "light")) {
            assertThat(page.text("[...document.querySelectorAll('.regret tbody td, .regret tfoot td')]"
                            + ".map(cell => cell.innerText).filter((text, i) => i % 4 === 1).join(' ')"))
                    .isEqualTo("– –");
            assertThat(page.text("document.querySelector('strong').innerText")).isNotEqualTo("full-scan");
        }
    }

    @ParameterizedTest
    @CsvSource({"hints, 390, light", "capacity, 390, dark"})
    void axeFindsNoSeriousFaultAndNothingScrollsSideways(String of, int width, String scheme) throws Exception {
        try (DevTools page = open("with spaces/" + of, width, scheme)) {
            page.openAllDetails();

            assertThat(page.seriousFaults()).isEmpty();
            assertThat(page.number("document.documentElement.scrollWidth")).isEqualTo(width);
        }
    }

    private static DevTools open(String of, int width, String scheme) throws IOException, InterruptedException {
        return BROWSER.open(directory.resolve(of).resolve("report.html").toUri().toString(), width, scheme);
    }
}
