package siemload.compare.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.browser.Axe;
import siemload.browser.Browser;
import siemload.browser.DevTools;

/** The page of a capacity, and of a frontier. */
@Tag("browser")
@Tag("any-java")
class CapacityInBrowserTest {
    @RegisterExtension
    static final Browser BROWSER = new Browser();

    @TempDir
    private static Path directory;

    @BeforeAll
    static void writePages() throws Exception {
        CapacityReports.write(Files.createDirectories(directory.resolve("users")), ExampleCapacities.users());
        CapacityReports.write(Files.createDirectories(directory.resolve("frontier")), ExampleCapacities.frontier());
        CapacityReports.write(Files.createDirectories(directory.resolve("against")), ExampleCapacities.against());
        CapacityReports.write(Files.createDirectories(directory.resolve("none")), ExampleCapacities.none());
    }

    @ParameterizedTest
    @CsvSource({
        "frontier, 'frontier,throughput-0,throughput-1,throughput-2,throughput-3,throughput-4,time-0,time-1,time-2,time-3,time-4'",
        "against, 'frontier,throughput-0,throughput-1,throughput-2,throughput-3,time-0,time-1,time-2,time-3'",
        "none, 'throughput-0,time-0'"
    })
    void everyChartIsDrawnWithoutErrorAndWithoutAskingAnyHost(String of, String charts) throws Exception {
        try (DevTools page = open(of, 1300, "light")) {
            assertThat(page.emptyCharts()).isEmpty();
            assertThat(page.text("[...document.querySelectorAll('.chart')].map(chart => chart.id).sort().join()"))
                    .isEqualTo(charts);
            page.assertSilent(url -> url.endsWith("/report.html"));
        }
    }

    /** A row for each value; each run is a point of its own, and one that is too far away for the picture a triangle at its edge. */
    @ParameterizedTest
    @CsvSource({"frontier, 5, 27, 6", "against, 4, 16, 5"})
    void theFrontierHasARowForEachValueAndAPointForEachRun(String of, int rows, int runs, int beyond) throws Exception {
        try (DevTools page = open(of, 1300, "light")) {
            assertThat(page.number("document.querySelectorAll('#main section:first-child tbody tr').length"))
                    .isEqualTo(rows);
            String points = "echarts.getInstanceByDom(document.getElementById('frontier')).getOption().series"
                    + ".filter(one => one.type === 'scatter').flatMap(one => one.data)";
            assertThat(page.number(points + ".length")).isEqualTo(runs);
            assertThat(page.number(points + ".filter(one => one.symbol === 'triangle').length"))
                    .isEqualTo(beyond);
        }
    }

    @ParameterizedTest
    @CsvSource({"frontier, 390, light", "against, 1024, dark"})
    void axeFindsNoSeriousFaultAndNothingScrollsSideways(String of, int width, String scheme) throws Exception {
        try (DevTools page = open(of, width, scheme)) {
            assertThat(Axe.seriousFaults(page)).isEmpty();
            assertThat(page.number("document.documentElement.scrollWidth")).isLessThanOrEqualTo(width);
        }
    }

    private static DevTools open(String of, int width, String scheme) throws Exception {
        return BROWSER.open(directory.resolve(of).resolve("report.html").toUri().toString(), width, scheme);
    }
}
