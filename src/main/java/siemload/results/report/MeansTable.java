package siemload.results.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import siemload.results.StatementMeans;

/** Statements of a scenario that was learnt from counts, then and now in the mean, as text. Stateless. */
final class MeansTable {
    private static final List<String> TITLES = List.of(
            "learnt from counts, times in ms",
            "then mean",
            "now mean",
            "now/then",
            "then count",
            "stddev",
            "min",
            "max",
            "now count",
            "min",
            "max");
    private static final List<String> LEGEND = List.of(
            "then: the server's own time, as it has counted it, with planning only where it counts that; now: from begin to last row, network included",
            "counts have no percentiles: now/then is of means, which a few slow executions move more than a median; -: the counts do not tell",
            "");
    private static final String UNKNOWN = "-";

    private MeansTable() {}

    /** Appends nothing where nothing was learnt from counts. */
    static void append(StringBuilder text, List<StatementMeans> statements) {
        if (statements.isEmpty()) {
            return;
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(TITLES);
        for (StatementMeans statement : statements) {
            List<String> row = new ArrayList<>();
            row.add(statement.name());
            boolean answered = statement.answered() > 0;
            row.add(millis(statement.then().meanMicros()));
            row.add(answered ? millis(statement.nowMicros().mean()) : UNKNOWN);
            row.add(statement.meanRatio() == 0 ? UNKNOWN : String.format(Locale.ROOT, "%.2f", statement.meanRatio()));
            row.add(String.format(Locale.ROOT, "%,d", statement.then().calls()));
            row.add(millis(statement.then().stddevMicros()));
            row.add(millis(statement.then().minMicros()));
            row.add(millis(statement.then().maxMicros()));
            row.add(String.format(Locale.ROOT, "%,d", statement.count()));
            row.add(answered ? Millis.of(statement.nowMicros().min()) : UNKNOWN);
            row.add(answered ? Millis.of(statement.nowMicros().max()) : UNKNOWN);
            rows.add(row);
        }
        // An empty line stands above already.
        text.append(Table.text(rows, Table.Side.RIGHT, LEGEND).stripLeading());
    }

    private static String millis(double micros) {
        return micros < 0 ? UNKNOWN : Millis.of(micros);
    }
}
