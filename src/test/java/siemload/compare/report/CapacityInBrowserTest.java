package siemload.compare.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import siemload.browser.Axe;
import siemload.browser.Browser;
import siemload.browser.DevTools;

/** The page of a capacity. */
@Tag("browser")
@Tag("any-java")
class CapacityInBrowserTest {
    @RegisterExtension
    static final Browser BROWSER = new Browser();

    @TempDir
    private static Path directory;

    @BeforeAll
    static void writePages() throws Exception {
        ComparisonReports.write(Files.createDirectories(directory.resolve("users")), ExampleCapacities.users());
        ComparisonReports.write(Files.createDirectories(directory.resolve("none")), ExampleCapacities.none());
    }

    @Test
    void theSmallestCapacityHasItsChartsToo() throws Exception {
        try (DevTools page = open("none", 1300, "light")) {
            requireCharts(page, "throughput,time");
        }
    }

    /** Each is drawn, without an error and without asking any host. */
    private static void requireCharts(DevTools page, String charts) {
        assertThat(page.emptyCharts()).isEmpty();
        assertThat(page.text("[...document.querySelectorAll('.chart')].map(chart => chart.id).sort().join()"))
                .isEqualTo(charts);
        page.assertSilent(url -> url.endsWith("/report.html"));
    }

    @Test
    void axeFindsNoSeriousFaultAndNothingScrollsSideways() throws Exception {
        try (DevTools page = open("users", 390, "dark")) {
            assertThat(Axe.seriousFaults(page)).isEmpty();
            assertThat(page.number("document.documentElement.scrollWidth")).isLessThanOrEqualTo(390);
        }
    }

    private static DevTools open(String of, int width, String scheme) throws Exception {
        return BROWSER.open(directory.resolve(of).resolve("report.html").toUri().toString(), width, scheme);
    }
}
