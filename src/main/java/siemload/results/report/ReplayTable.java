package siemload.results.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import siemload.results.MicrosSummary;
import siemload.results.ReplayResult;
import siemload.results.ReplayResult.LateStarts;
import siemload.results.ReplayResult.ReplayedStatement;

/** What was replayed, then and now, as text. Stateless. */
final class ReplayTable {
    private static final List<ToLongFunction<MicrosSummary>> FIGURES =
            List.of(MicrosSummary::p50, MicrosSummary::p95, MicrosSummary::p99, MicrosSummary::max);
    private static final List<String> TITLES =
            List.of("count", "then p50", "p95", "p99", "max", "now p50", "p95", "p99", "max", "now/then");
    private static final String THEN =
            "then: the server's own time, by its log; now: from begin to last row, network included";
    private static final String UNKNOWN = "-";

    private ReplayTable() {}

    /** Appends nothing where nothing was replayed. */
    static void append(StringBuilder text, List<ReplayResult> replays) {
        for (ReplayResult replay : replays) {
            text.append(String.format(
                    Locale.ROOT,
                    "replay of %s at speed %s: %,d of %,d recorded executions were due, %,d have ended\n",
                    replay.recording(),
                    speed(replay.speed()),
                    replay.due(),
                    replay.recorded(),
                    replay.ended()));
            text.append("late by more than 1 ms: ")
                    .append(late(replay.lateByDatabase(), "for the database"))
                    .append("\n                        ")
                    .append(late(replay.lateByPlayer(), "for the load generator"))
                    .append('\n');
            text.append(Table.text(
                    rows("replayed", replay.statements()),
                    Table.Side.RIGHT,
                    List.of(
                            THEN,
                            "late for the database: the session was still at the statement before; now/then: of medians",
                            "")));
        }
    }

    /** The same of a scenario that was learnt from a log; appends nothing where none was. */
    static void appendLearnt(StringBuilder text, List<ReplayedStatement> learnt) {
        if (!learnt.isEmpty()) {
            List<String> legend = List.of(THEN, "then: of all that the log has; now/then: of medians", "");
            // An empty line stands above already.
            text.append(
                    Table.text(rows("learnt", learnt), Table.Side.RIGHT, legend).stripLeading());
        }
    }

    private static String speed(double speed) {
        return speed == Math.rint(speed) ? String.valueOf((long) speed) : String.valueOf(speed);
    }

    /** {@code 12 for the database (p50 1.20, p99 4.50, max 4.50 ms)}. */
    private static String late(LateStarts late, String why) {
        String times = late.count() == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        " (p50 %s, p99 %s, max %s ms)",
                        Millis.of(late.latenessMicros().p50()),
                        Millis.of(late.latenessMicros().p99()),
                        Millis.of(late.latenessMicros().max()));
        return String.format(Locale.ROOT, "%,d %s%s", late.count(), why, times);
    }

    private static List<List<String>> rows(String what, List<ReplayedStatement> statements) {
        List<List<String>> rows = new ArrayList<>();
        List<String> titles = new ArrayList<>(TITLES);
        titles.add(0, what + ", times in ms");
        rows.add(titles);
        for (ReplayedStatement statement : statements) {
            List<String> row = new ArrayList<>();
            row.add(statement.name());
            row.add(String.format(Locale.ROOT, "%,d", statement.count()));
            FIGURES.forEach(figure -> row.add(Millis.of(figure.applyAsLong(statement.thenMicros()))));
            FIGURES.forEach(figure -> row.add(
                    statement.answered() == 0 ? UNKNOWN : Millis.of(figure.applyAsLong(statement.nowMicros()))));
            row.add(
                    statement.medianRatio() == 0
                            ? UNKNOWN
                            : String.format(Locale.ROOT, "%.2f", statement.medianRatio()));
            rows.add(row);
        }
        return rows;
    }
}
