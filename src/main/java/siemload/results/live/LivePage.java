package siemload.results.live;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import siemload.results.report.ChartPage;

/** The page that follows a run, with the charts and the looks of the report. Stateless and thread-safe. */
final class LivePage {
    private LivePage() {}

    static String of(RunDescription run) throws IOException {
        Map<String, String> slots = new LinkedHashMap<>();
        slots.put("live-style", ChartPage.text("/siemload/results/live/live.css"));
        slots.put("title", ChartPage.escaped(run.runId()));
        slots.put("sentence", ChartPage.escaped(run.sentence()));
        slots.put("page", ChartPage.text("/siemload/results/live/live.js"));
        return ChartPage.of(ChartPage.text("/siemload/results/live/live.html"), slots);
    }
}
