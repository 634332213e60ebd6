package siemload.run.selftest;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import siemload.results.RunResult;
import siemload.run.selftest.SelftestResult.Check;

/** How soon a search starts that is due, where workers are free: the load generator's own share of response times. */
final class HandOver {
    private static final long MOST_AT_P50_MICROS = 100;
    private static final long MOST_AT_P99_MICROS = 1_000;
    private static final String TOO_LATE =
            "the machine wakes threads up late, being busy or virtual: stop other programs, or see how late each run's own"
                    + " searches were in 'Where the time goes'";

    private HandOver() {}

    /** The checks of the run of {@code hand-over.yaml}, which has one kind of search. */
    static List<Check> of(RunResult run) {
        return run.measured().searches().stream()
                .map(search -> search.times().workerWaitMicros())
                .flatMap(waits -> Stream.of(
                        check("hand-over of a search: p50", waits.p50(), MOST_AT_P50_MICROS),
                        check("hand-over of a search: p99", waits.p99(), MOST_AT_P99_MICROS)))
                .toList();
    }

    private static Check check(String name, long micros, long most) {
        boolean passed = micros <= most;
        return new Check(
                name,
                String.format(Locale.ROOT, "up to %.1f ms", most / 1e3),
                String.format(Locale.ROOT, "%.3f ms", micros / 1e3),
                passed,
                passed ? "" : TOO_LATE);
    }
}
