package siemload.results.report;

import java.util.List;
import java.util.Locale;
import siemload.results.IoFigure;
import siemload.results.RunResult;
import siemload.results.ScheduleResult;

/** What the database read and wrote for the ticks of each group, as text. Stateless. */
final class TickIoTable {
    private TickIoTable() {}

    /** Empty where it was counted of no tick. */
    static String text(RunResult run) {
        List<ScheduleResult> counted = run.measured().loads().schedules().stream()
                .filter(group -> group.ioCounted() > 0)
                .toList();
        if (counted.isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        text.append(row("I/O of one tick", "by the sessions themselves", "counted", "median", "most"));
        for (ScheduleResult group : counted) {
            for (IoFigure figure : group.io()) {
                text.append(row(group.group(), words(figure.name()), group.ioCounted(), figure.median(), figure.max()));
            }
        }
        return text.append("each tick: ticks.csv")
                .append(isParallel(run) ? "; plans are parallel here, and what other workers read is missing" : "")
                .append("\n\n")
                .toString();
    }

    private static boolean isParallel(RunResult run) {
        return run.plans().stream().anyMatch(plan -> plan.shape().contains("parallel"));
    }

    /** {@code dataBlocksRead}: {@code data blocks read}. */
    private static String words(String name) {
        return name.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
    }

    private static String row(Object... cells) {
        return String.format(Locale.ROOT, "%-32s %-28s %8s %14s %14s\n", cells);
    }
}
