package siemload.compare.report;

import static org.assertj.core.api.Assertions.assertThat;

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
        ComparisonReports.write(directory, ExampleCapacities.users());
    }

    /** Each chart is drawn, without an error and without asking any host. */
    @Test
    void axeFindsNoSeriousFaultAndNothingScrollsSideways() throws Exception {
        try (DevTools page = open(390, "dark")) {
            assertThat(page.number("document.documentElement.scrollWidth")).isLessThanOrEqualTo(390);
            assertThat(page.emptyCharts()).isEmpty();
            assertThat(page.text("[...document.querySelectorAll('.chart')].map(chart => chart.id).sort().join()"))
                    .isEqualTo("throughput,time");
            page.assertSilent(url -> url.endsWith("/report.html"));
            // It reads back what it draws, which the browser warns of.
            assertThat(Axe.seriousFaults(page)).isEmpty();
        }
    }

    private static DevTools open(int width, String scheme) throws Exception {
        return BROWSER.open(directory.resolve("report.html").toUri().toString(), width, scheme);
    }
}
