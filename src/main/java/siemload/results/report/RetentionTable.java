package siemload.results.report;

import java.util.List;
import java.util.Locale;
import siemload.results.MicrosSummary;
import siemload.results.RetentionResult;
import siemload.results.RetentionResult.RetentionSpan;

/** What it cost to remove the oldest day, as text. Stateless. */
final class RetentionTable {
    private RetentionTable() {}

    static void append(StringBuilder text, List<RetentionResult> removals) {
        for (RetentionResult removal : removals) {
            text.append(sentence(removal)).append('\n');
            if (!removal.spans().isEmpty()) {
                text.append(line("times in ms", "seconds", "searches", "p50", "p95", "p99", "max", "late max"));
            }
            for (RetentionSpan span : removal.spans()) {
                MicrosSummary times = span.responseTimeMicros();
                text.append(line(
                        span.name() + " the removal",
                        span.seconds(),
                        span.searches(),
                        Millis.of(times, MicrosSummary::p50),
                        Millis.of(times, MicrosSummary::p95),
                        Millis.of(times, MicrosSummary::p99),
                        Millis.of(times, MicrosSummary::max),
                        Millis.of(span.feederLatenessMicros(), MicrosSummary::max)));
            }
            text.append('\n');
        }
    }

    /** How the day was removed, and how long that took. */
    static String sentence(RetentionResult removal) {
        String what = "retention: the events of " + removal.day();
        if (!removal.failure().isEmpty()) {
            return what + " were not removed: " + removal.failure();
        }
        return String.format(
                Locale.ROOT,
                "%s were removed %s, %.1f s into the measured phase: it took %.1f ms, %.1f ms of them waiting for locks",
                what,
                removal.means().equals("partition") ? "with their partition" : "row by row",
                removal.fromSecond(),
                removal.tookMicros() / 1000.0,
                removal.waitedMicros() / 1000.0);
    }

    private static String line(Object... cells) {
        return String.format(Locale.ROOT, "%-32s %8s %9s %9s %9s %9s %9s %9s\n", cells);
    }
}
