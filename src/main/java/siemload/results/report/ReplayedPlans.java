package siemload.results.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import siemload.results.ReplayResult.PlanThen;
import siemload.results.ReplayResult.ReplayedStatement;
import siemload.results.RunResult;
import siemload.results.report.Table.Side;

/** By which plans statements of a replay, or of a scenario that was learnt, were executed, then and now, as text. Stateless. */
final class ReplayedPlans {
    private static final List<Side> SIDES = List.of(Side.LEFT, Side.RIGHT, Side.LEFT, Side.LEFT, Side.LEFT);
    private static final String UNKNOWN = "-";

    private ReplayedPlans() {}

    /**
     * Appends nothing where the log had no plans of these statements.
     *
     * @param plans of now
     */
    static void append(StringBuilder text, List<ReplayedStatement> statements, List<RunResult.PlanRecord> plans) {
        Map<String, String> now = new HashMap<>();
        plans.forEach(plan -> now.put(plan.kind().name(), plan.shape().isEmpty() ? UNKNOWN : plan.shape()));
        List<List<String>> rows = new ArrayList<>();
        for (ReplayedStatement statement : statements) {
            rows.addAll(rows(statement, now.getOrDefault(statement.name(), UNKNOWN)));
        }
        if (!rows.isEmpty()) {
            rows.add(0, List.of("plans", "times then", "then", "now", ""));
            text.append(Table.of(SIDES, rows))
                    .append(
                            "\nthen: as often as the log has them, which may not be of each execution; now: of one example,"
                                    + " before the load\n\n");
        }
    }

    /** A line for each plan of then; the first one, which was the commonest, has the plan of now beside it. */
    private static List<List<String>> rows(ReplayedStatement statement, String now) {
        List<List<String>> rows = new ArrayList<>();
        for (PlanThen then : statement.plansThen()) {
            boolean first = rows.isEmpty();
            rows.add(List.of(
                    first ? statement.name() : "",
                    String.format(Locale.ROOT, "%,d", then.count()),
                    then.shape(),
                    first ? now : "",
                    first ? compared(statement, now) : ""));
        }
        return rows;
    }

    private static String compared(ReplayedStatement statement, String now) {
        List<String> then = statement.plansThen().stream().map(PlanThen::shape).toList();
        if (now.equals(UNKNOWN)) {
            return "";
        }
        return now.equals(then.get(0)) ? "the same" : then.contains(now) ? "was rarer" : "ANOTHER";
    }
}
