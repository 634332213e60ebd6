package siemload.results.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/**
 * One page that holds all it needs: style, charts, scripts and data. It opens offline and asks no host for anything.
 * Stateless and thread-safe.
 */
final class HtmlReport {
    private HtmlReport() {}

    /** The whole page. */
    static String of(ObjectNode data) throws IOException {
        return new ChartPage("siemload: " + data.path("run").path("runId").asText())
                .elements()
                .script("/siemload/results/report/jobs.js")
                .script("/siemload/results/report/page.js")
                .data(data)
                .with("/siemload/results/report/report.html");
    }
}
