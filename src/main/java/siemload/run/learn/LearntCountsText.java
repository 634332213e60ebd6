package siemload.run.learn;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import siemload.database.CountedStatement;
import siemload.results.report.Millis;

/** What was learnt from counts, for people, as lines of text. Stateless and thread-safe. */
public final class LearntCountsText {
    private static final int SHOWN_CHARACTERS = 70;

    private LearntCountsText() {}

    /** All lines. */
    public static List<String> lines(LearntCounts learnt) {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%,d executions of %d different statements, as %s",
                learnt.calls(),
                learnt.statements().size(),
                counted(learnt)));
        lines.add("");
        lines.addAll(statements(learnt).lines().toList());
        lines.add(
                "Milliseconds at the server. time: the share of the time of all. preparing: the share of its own in which it was"
                        + " planned, where that is counted.");
        if (learnt.withoutValues() > 0) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%d of these statements have parameters, and counts have no values: the scenario cannot run before you say"
                            + " there where these come from.",
                    learnt.withoutValues()));
        }
        if (learnt.writing() > 0) {
            lines.add(LearntQueriesText.writing(learnt.writing()));
        }
        lines.add(
                "Counts do not tell how many asked at a time, nor how long they waited: say that in the scenario, too.");
        learnt.notes().forEach(lines::add);
        lines.addAll(learnt.leftOut().section());
        return lines;
    }

    /** {@code counted until day.csv}. */
    static String counted(LearntCounts learnt) {
        return learnt.snapshots().size() == 1
                ? "counted until " + learnt.snapshots().get(0)
                : "counted from " + learnt.snapshots().get(0) + " to "
                        + learnt.snapshots().get(1);
    }

    private static String statements(LearntCounts learnt) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("statement", "count", "share", "mean", "time", "preparing", "rows each", "text"));
        for (LearntCounts.NamedCounts named : learnt.statements()) {
            CountedStatement statement = named.statement();
            rows.add(List.of(
                    named.name(),
                    String.format(Locale.ROOT, "%,d", statement.calls()),
                    LearntQueriesText.percent(learnt.callRatio(named)),
                    Millis.of(Math.round(statement.meanMicros())),
                    LearntQueriesText.percent(learnt.micros() == 0 ? 0 : statement.micros() / learnt.micros()),
                    LearntQueriesText.percent(statement.preparingRatio()),
                    String.format(Locale.ROOT, "%,.1f", (double) statement.rows() / statement.calls()),
                    LeftOutStatements.shown(statement.text().written(), SHOWN_CHARACTERS)));
        }
        return LearntQueriesText.table(rows);
    }
}
