package siemload.results.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.browser.Browser;
import siemload.browser.DevTools;

/** The page while a run writes its files; they are those of a real run. */
@Tag("browser")
@Timeout(120)
class LivePageInBrowserTest {
    private static final Path RUN = Path.of("src/test/resources/runs/busy");
    private static final RunDescription DESCRIPTION =
            new RunDescription("busy-1", "busy searches 200,000 events of smoke", Map.of());

    @RegisterExtension
    static final Browser BROWSER = new Browser();

    @Test
    void whatTheRunWritesIsDrawnAndTheEndIsSaid() throws Exception {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (LiveServer server = LiveServer.start(address, DESCRIPTION);
                DevTools page = BROWSER.open(server.url(), 390, "light")) {
            RunReplay.tell(RUN, server.listener());
            page.await("document.querySelectorAll('.chart svg').length === 7");

            JsonNode charts = page.evaluate("""
                    [...document.querySelectorAll('.chart')].map(chart => ({id: chart.id,
                        shapes: chart.querySelectorAll('svg path[d]:not([d=""])').length}))""");
            assertThat(charts.findValuesAsText("id"))
                    .containsExactly("latency", "spectrum", "phases", "cpu", "io", "memory", "disks");
            assertThat(charts)
                    .allSatisfy(
                            chart -> assertThat(chart.path("shapes").asInt()).isGreaterThan(4));
            assertThat(page.number("document.documentElement.scrollWidth")).isEqualTo(390);

            server.close();
            page.await("document.getElementById('state').textContent === 'the run has ended'");
            page.assertSilent(url -> url.startsWith(server.url()));
        }
    }
}
