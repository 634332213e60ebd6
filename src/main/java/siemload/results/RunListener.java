package siemload.results;

import java.util.Map;

/** Hears what is written of a run second by second, at the moment when it is written. Called by several threads. */
public interface RunListener {
    RunListener NONE = new RunListener() {
        @Override
        public void row(RunFile table, Map<String, String> row) {}

        @Override
        public void interval(TimeMetric metric, LoggedInterval interval) {}
    };

    /** A row of a table, its cells by column. */
    void row(RunFile table, Map<String, String> row);

    /** An interval of a histogram log; its histogram is the listener's during the call only. */
    void interval(TimeMetric metric, LoggedInterval interval);
}
