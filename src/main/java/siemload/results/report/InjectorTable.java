package siemload.results.report;

import java.util.List;
import java.util.Locale;
import siemload.results.InjectorResult;
import siemload.results.MicrosSummary;
import siemload.results.PlaceResults;

/** What each injector of a run did, as text. Stateless. */
final class InjectorTable {
    private InjectorTable() {}

    /** Appends nothing where one process made the load. */
    static void append(StringBuilder text, PlaceResults places) {
        List<InjectorResult> injectors = places.injectors();
        int started = places.injectorsStarted();
        if (started == 0) {
            return;
        }
        if (injectors.isEmpty()) {
            text.append("injectors: none of the ").append(started).append(" told at the end what it had done\n\n");
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
        text.append(start(injectors, started)).append("\n\n");
    }

    /** How far apart they began is said of those alone that told of it. */
    private static String start(List<InjectorResult> injectors, int started) {
        int told = injectors.size();
        String apart = told < 2
                ? ""
                : String.format(
                        Locale.ROOT,
                        "; %s began within %.1f ms",
                        told == started ? "all" : "these",
                        InjectorResult.startSkewMicros(injectors) / 1000.0);
        String unknown = told == started ? "" : "; not known of " + (started - told) + " of " + started + " injectors";
        return "start: after the agreed instant" + apart + ", by the database's clock" + unknown;
    }

    private static String row(Object... cells) {
        return String.format(Locale.ROOT, "%-32s %9s %8s %9s %8s %9s %9s %12s\n", cells);
    }
}
