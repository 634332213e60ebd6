package siemload.results.live;

import java.io.IOException;
import java.util.Map;
import siemload.results.report.ChartPage;

/** The page that follows a run, with the charts and the looks of the report. Stateless and thread-safe. */
final class LivePage {
    private LivePage() {}

    static String of(RunDescription run) throws IOException {
        return new ChartPage("siemload live")
                .style("/siemload/results/live/live.css")
                .elements()
                .script("/siemload/results/live/live.js")
                .asksItsHost()
                .with("/siemload/results/live/live.html", Map.of("title", run.runId(), "sentence", run.sentence()));
    }
}
