package siemload.compare.report;

import java.io.IOException;
import java.util.List;
import siemload.compare.experiment.History;
import siemload.results.report.ChartPage;

/** The courses of all figures as one page that opens offline. Stateless and thread-safe. */
public final class HistoryPage {
    private HistoryPage() {}

    /** The whole page. */
    public static String of(List<History.Course> courses) throws IOException {
        return new ChartPage("siemload: history")
                .elements()
                .script("/siemload/compare/report/history.js")
                .data(courses)
                .with("/siemload/compare/report/history.html");
    }
}
