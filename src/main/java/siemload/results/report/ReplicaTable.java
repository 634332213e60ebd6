package siemload.results.report;

import java.util.List;
import java.util.Locale;
import siemload.results.MicrosSummary;
import siemload.results.ReplicaResult;

/** What each replica did that answered searches of a run, as text. Stateless. */
final class ReplicaTable {
    private ReplicaTable() {}

    /** Appends nothing where the store itself answered. */
    static void append(StringBuilder text, List<ReplicaResult> replicas) {
        if (replicas.isEmpty()) {
            return;
        }
        text.append(
                row("replica, times in ms", "searches", "failed", "p50", "p95", "p99", "max", "lag p50", "lag max"));
        for (ReplicaResult one : replicas) {
            text.append(row(
                    one.title(),
                    one.searches(),
                    one.failed(),
                    Millis.of(one.responseTimeMicros(), MicrosSummary::p50),
                    Millis.of(one.responseTimeMicros(), MicrosSummary::p95),
                    Millis.of(one.responseTimeMicros(), MicrosSummary::p99),
                    Millis.of(one.responseTimeMicros(), MicrosSummary::max),
                    Millis.of(one.lagMicros(), MicrosSummary::p50),
                    Millis.of(one.lagMicros(), MicrosSummary::max)));
        }
        replicas.stream()
                .filter(one -> !one.about().isEmpty())
                .forEach(one -> text.append(one.replica())
                        .append(": ")
                        .append(one.about())
                        .append('\n'));
        text.append("lag: how far each was behind; an answer may lack what was fed within that, and nothing else\n\n");
    }

    private static String row(Object... cells) {
        return String.format(Locale.ROOT, "%-32s %9s %7s %9s %9s %9s %9s %8s %8s\n", cells);
    }
}
