package siemload.results.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
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
                DevTools page = open(server.url())) {
            RunReplay.tell(RUN, server.listener());
            await(page, "document.querySelectorAll('.chart svg').length === 7");

            JsonNode charts = page.evaluate("""
                    [...document.querySelectorAll('.chart')].map(chart => ({id: chart.id,
                        shapes: chart.querySelectorAll('svg path[d]:not([d=""])').length}))""");
            assertThat(charts.findValuesAsText("id"))
                    .containsExactly("latency", "spectrum", "phases", "cpu", "io", "memory", "disks");
            assertThat(charts)
                    .allSatisfy(
                            chart -> assertThat(chart.path("shapes").asInt()).isGreaterThan(4));
            assertThat(page.evaluate("document.documentElement.scrollWidth").asInt())
                    .isEqualTo(390);

            server.close();
            await(page, "document.getElementById('state').textContent === 'the run has ended'");
            assertSilent(page, server.url());
        }
    }

    private static DevTools open(String url) throws IOException, InterruptedException {
        DevTools page = BROWSER.newPage();
        for (String domain : List.of("Runtime", "Log", "Network", "Page")) {
            page.call(domain + ".enable", Map.of());
        }
        page.call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", 390, "height", 900, "deviceScaleFactor", 1, "mobile", false));
        page.call("Page.navigate", Map.of("url", url));
        await(page, "location.protocol === 'http:' && document.readyState === 'complete'");
        return page;
    }

    /** Looks often; the test has a limit of time. */
    private static void await(DevTools page, String condition) {
        page.evaluate("new Promise(done => { const look = () => (" + condition
                + ") ? done() : setTimeout(look, 20); look(); })");
    }

    private static void assertSilent(DevTools page, String url) {
        assertThat(page.events("Runtime.exceptionThrown")).isEmpty();
        assertThat(page.events("Runtime.consoleAPICalled")).isEmpty();
        assertThat(page.events("Log.entryAdded")).isEmpty();
        assertThat(page.events("Network.requestWillBeSent"))
                .extracting(sent -> sent.path("request").path("url").asText())
                .isNotEmpty()
                .allMatch(asked -> asked.startsWith(url) || asked.startsWith("data:"));
    }
}
