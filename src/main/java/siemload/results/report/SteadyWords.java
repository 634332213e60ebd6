package siemload.results.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import siemload.results.Change;
import siemload.results.RunResult.SteadyState;
import siemload.results.RunResult.SteadyState.Figure;

/** Whether the measured phase was steady, in one sentence for people. Stateless and thread-safe. */
public final class SteadyWords {
    private static final double PERCENT = 100;

    private SteadyWords() {}

    /** The sentence; empty where the phase was not tested. */
    public static String of(SteadyState state) {
        if (!state.tested()) {
            return "";
        }
        return state.changed()
                ? changed(state)
                : String.format(
                        Locale.ROOT,
                        "the measured phase was steady (a change by %.0f %% of searches/s or %.0f %% of response time p50"
                                + " would have been seen)",
                        PERCENT * state.searches().trend().visibleRatio(),
                        PERCENT * state.responseTime().trend().visibleRatio());
    }

    private static String changed(SteadyState state) {
        List<String> changes = new ArrayList<>();
        add(changes, "the searches a second", state.searches());
        add(changes, "the median response time", state.responseTime());
        String steady = state.fromSecond() > 0
                ? String.format(Locale.ROOT, "it is steady from second %.0f on", state.fromSecond())
                : "its second half is not steady either";
        return "the measured phase was not steady: " + String.join(", and ", changes) + "; " + steady;
    }

    private static void add(List<String> changes, String figure, Figure change) {
        if (change.trend().found()) {
            changes.add(figure + (change.trend().changeRatio() > 0 ? " rose by " : " fell by ") + size(change.trend())
                    + " from its first third to its last");
        }
        if (change.beginning().found()) {
            changes.add(figure + " of its first tenth was " + size(change.beginning())
                    + (change.beginning().changeRatio() > 0 ? " above" : " below") + " the rest");
        }
    }

    private static String size(Change change) {
        double low = PERCENT * Math.abs(change.lowRatio());
        double high = PERCENT * Math.abs(change.highRatio());
        return String.format(
                Locale.ROOT,
                "%.0f %% (%.0f-%.0f)",
                PERCENT * Math.abs(change.changeRatio()),
                Math.min(low, high),
                Math.max(low, high));
    }
}
