package siemload.compare.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import siemload.compare.experiment.History;
import siemload.results.report.ChartPage;

/** The courses of all figures as one page that opens offline. Stateless and thread-safe. */
public final class HistoryPage {
    private static final ObjectMapper JSON = JsonMapper.builder().build();

    private HistoryPage() {}

    /** The whole page. */
    public static String of(List<History.Course> courses) throws IOException {
        String page = ChartPage.text("/siemload/compare/report/history.html");
        // So that nothing in the data ends the script that holds it.
        String data = JSON.writeValueAsString(courses).replace("<", "\\u003c");
        return ChartPage.of(
                page,
                Map.of(
                        "data", data,
                        "elements", ChartPage.text("/siemload/results/report/elements.js"),
                        "page", ChartPage.text("/siemload/compare/report/history.js")));
    }
}
