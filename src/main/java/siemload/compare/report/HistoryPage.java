package siemload.compare.report;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import siemload.compare.experiment.History;
import siemload.results.report.ChartPage;

/** The courses of all figures as one page that opens offline. Stateless and thread-safe. */
public final class HistoryPage {
    private HistoryPage() {}

    /** The whole page. */
    public static String of(List<History.Course> courses) throws IOException {
        String page = ChartPage.text("/siemload/compare/report/history.html");
        return ChartPage.of(
                page,
                Map.of(
                        "data", ChartPage.json(courses),
                        "elements", ChartPage.text("/siemload/results/report/elements.js"),
                        "page", ChartPage.text("/siemload/compare/report/history.js")));
    }
}
