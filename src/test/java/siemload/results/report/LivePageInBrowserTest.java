package siemload.results.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.browser.Browser;
import siemload.browser.DevTools;
import siemload.results.LoggedInterval;
import siemload.results.RunFile;
import siemload.results.RunFile.TimeMetric;
import siemload.results.RunWriter.RunListener;

/** The page while a run writes its files; they are those of a real run. */
@Tag("browser")
@Timeout(120)
class LivePageInBrowserTest {
    private static final Path RUN = Path.of("src/test/resources/runs/busy");

    @RegisterExtension
    static final Browser BROWSER = new Browser();

    @Test
    void whatTheRunWritesIsDrawnAndTheEndIsSaid() throws Exception {
        try (LiveServer server = new LiveServer(address(), "busy-1", "busy searches 200,000 events");
                DevTools page = BROWSER.open(server.url(), 390, "light")) {
            tellAll(RUN, server.listener());
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
            page.await("document.getElementById('state').textContent === 'the run has ended, or does not answer'");
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
    private static void tellAll(Path directory, RunListener listener) throws IOException {
        for (RunFile table : RunFile.values()) {
            if (!table.columns().isEmpty() && Files.exists(table.in(directory))) {
                table.read(directory, row -> listener.row(table, row));
            }
        }
        LoggedInterval.read(
                directory, TimeMetric.RESPONSE_TIME, one -> listener.interval(TimeMetric.RESPONSE_TIME, one));
    }

    private static InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }
}
