package siemload.results.live;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import siemload.results.LoggedInterval;
import siemload.results.RunFile;
import siemload.results.RunWriter.RunListener;
import siemload.results.TableReader;
import siemload.results.TimeMetric;

/** Tells a listener all that a run once wrote. */
final class RunReplay {
    private RunReplay() {}

    static void tell(Path directory, RunListener listener) throws IOException {
        for (RunFile table : RunFile.values()) {
            if (!table.columns().isEmpty() && Files.exists(table.in(directory))) {
                TableReader.read(directory, table, row -> {
                    Map<String, String> cells = new LinkedHashMap<>();
                    table.columns().forEach(column -> cells.put(column, row.text(column)));
                    listener.row(table, cells);
                });
            }
        }
        for (TimeMetric metric : TimeMetric.values()) {
            if (Files.exists(metric.file().in(directory))) {
                LoggedInterval.read(directory, metric, interval -> listener.interval(metric, interval));
            }
        }
    }
}
