package siemload.results.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One page that holds all it needs: style, charts, scripts and data. It opens offline and asks no host for anything.
 * Stateless and thread-safe.
 */
final class HtmlReport {
    private HtmlReport() {}

    /** The whole page. */
    static String of(ObjectNode data) throws IOException {
        Map<String, String> slots = new LinkedHashMap<>();
        slots.put("title", ChartPage.escaped(data.path("run").path("runId").asText()));
        slots.put("elements", ChartPage.text("/siemload/results/report/elements.js"));
        slots.put("page", ChartPage.text("/siemload/results/report/page.js"));
        slots.put("data", ChartPage.json(data));
        return ChartPage.of(ChartPage.text("/siemload/results/report/report.html"), slots);
    }
}
