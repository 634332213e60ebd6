package siemload.results.report;

import java.util.List;
import java.util.Locale;
import siemload.results.MicrosSummary;
import siemload.results.QuotaResult;

/** What users waited for the quotas of their groups, as text. Stateless. */
final class QuotaTable {
    private QuotaTable() {}

    /** Appends nothing where no group has a quota. */
    static void append(StringBuilder text, List<QuotaResult> quotas) {
        if (quotas.isEmpty()) {
            return;
        }
        text.append(row("quota, times in ms", "at once", "most", "searches", "waited", "p50", "p95", "max"));
        for (QuotaResult quota : quotas) {
            text.append(row(
                    quota.group(),
                    quota.atOnce(),
                    quota.mostRunning(),
                    quota.letIn(),
                    quota.waited(),
                    Millis.of(quota.waitMicros(), MicrosSummary::p50),
                    Millis.of(quota.waitMicros(), MicrosSummary::p95),
                    Millis.of(quota.waitMicros(), MicrosSummary::max)));
        }
        text.append("times of those that waited for it; their response times hold them\n\n");
    }

    private static String row(Object... cells) {
        return String.format(Locale.ROOT, "%-32s %8s %8s %9s %9s %9s %9s %9s\n", cells);
    }
}
