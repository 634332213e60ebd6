package siemload.results.report;

import java.util.List;
import java.util.Locale;
import siemload.results.InjectorResult;
import siemload.results.MicrosSummary;

/** What each injector of a run did, as text. Stateless. */
final class InjectorTable {
    private InjectorTable() {}

    /** Appends nothing where one process made the load. */
    static void append(StringBuilder text, List<InjectorResult> injectors) {
        if (injectors.isEmpty()) {
            return;
        }
        text.append(
                row("injector, times in ms", "searches", "share", "events", "CPU s", "late p99", "loops p99", "start"));
        for (InjectorResult one : injectors) {
            text.append(row(
                    one.injector() + " on " + one.host() + (one.faults().isEmpty() ? "" : ", not valid"),
                    one.share().searches(),
                    String.format(Locale.ROOT, "%.1f %%", 100 * one.share().searchesRatio()),
                    one.share().eventsAcknowledged(),
                    String.format(Locale.ROOT, "%.2f", one.generator().cpuSeconds()),
                    Millis.of(one.punctuality().searchLatenessMicros(), MicrosSummary::p99),
                    Millis.of(one.punctuality().eventLoopLatenessMicros(), MicrosSummary::p99),
                    String.format(
                            Locale.ROOT,
                            "%.1f+-%.1f",
                            one.punctuality().startLatenessMicros() / 1000.0,
                            one.punctuality().clockUncertaintyMicros() / 1000.0)));
        }
        text.append(String.format(
                Locale.ROOT,
                "start: after the agreed instant; all began within %.1f ms, by the database's clock\n\n",
                InjectorResult.startSkewMicros(injectors) / 1000.0));
    }

    private static String row(Object... cells) {
        return String.format(Locale.ROOT, "%-32s %9s %8s %9s %8s %9s %9s %12s\n", cells);
    }
}
