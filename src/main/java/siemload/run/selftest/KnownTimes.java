package siemload.run.selftest;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import siemload.results.MicrosSummary;
import siemload.results.RunResult;
import siemload.results.SearchResult;
import siemload.results.SearchResult.SearchTimes;
import siemload.run.selftest.SelftestResult.Check;

/**
 * Holds the run of {@code known-times.yaml} against theory. A time may be later than theory by 1 % and by what a machine
 * needs to wake threads up, and never earlier by more than 1 %.
 */
public final class KnownTimes {
    /** How many milliseconds a time may be longer, beside 1 %. */
    private static final double LATE = 2;
    /** One answer in a hundred may have met another program on its processor. */
    private static final double P99_LATE = 20;

    /** Of ten seconds of a stall two are one; a share s of all answers takes longer than 2.010 s - 10 s x s. */
    private static final List<Known> KNOWN = List.of(
            response("DETAIL", "constant 5 ms: response p50", 5, MicrosSummary::p50, LATE),
            response("DETAIL", "constant 5 ms: response p99", 5, MicrosSummary::p99, P99_LATE),
            response("HAWAT1", "20 or 120 ms: response p50", 20, MicrosSummary::p50, LATE),
            response("HAWAT1", "20 or 120 ms: response p95", 120, MicrosSummary::p95, LATE),
            new Known(
                    "HAWAT3",
                    "slow first row: first event p50",
                    100,
                    SearchTimes::firstEventMicros,
                    MicrosSummary::p50,
                    LATE),
            new Known(
                    "HAWAT3",
                    "slow first row: last event p50",
                    110,
                    SearchTimes::lastEventMicros,
                    MicrosSummary::p50,
                    LATE),
            response("TEXT", "stall of 2 s: response p50", 5, MicrosSummary::p50, LATE),
            response("TEXT", "stall of 2 s: response p90", 1_010, MicrosSummary::p90, P99_LATE),
            response("TEXT", "stall of 2 s: response p99", 1_910, MicrosSummary::p99, P99_LATE));

    static final String TOO_SHORT = "times were lost: tell the developers";
    static final String TOO_LONG =
            "the machine wakes threads up late, being busy or virtual: stop other programs, and trust no shorter times";

    private final RunResult run;
    private final List<Check> checks = new ArrayList<>();

    /**
     * A time that theory knows.
     *
     * @param name of the check
     * @param lateMillis how much longer it may be, beside 1 %
     */
    private record Known(
            String search,
            String name,
            double millis,
            Function<SearchTimes, MicrosSummary> time,
            ToLongFunction<MicrosSummary> percentile,
            double lateMillis) {
        long micros(SearchTimes times) {
            return percentile.applyAsLong(time.apply(times));
        }

        double mostMillis() {
            return millis * 1.01 + lateMillis;
        }
    }

    private static Known response(
            String search, String name, double millis, ToLongFunction<MicrosSummary> percentile, double late) {
        return new Known(search, name, millis, SearchTimes::responseTimeMicros, percentile, late);
    }

    private KnownTimes(RunResult run) {
        this.run = run;
    }

    /** The checks of this run. */
    public static List<Check> of(RunResult run) {
        KnownTimes times = new KnownTimes(run);
        times.counts();
        KNOWN.forEach(known ->
                times.search(known.search()).ifPresent(found -> times.time(known, known.micros(found.times()))));
        return List.copyOf(times.checks);
    }

    /** Each user was due at an instant of a timetable, so that the number is known, however late it is served. */
    private void counts() {
        long expected = Math.round(300 * run.identity().measuredSeconds());
        long answered =
                run.measured().searches().stream().mapToLong(SearchResult::ok).sum();
        checks.add(new Check(
                "searches at 300/s",
                expected + " answered",
                answered + " answered",
                answered == expected,
                answered == expected ? "" : "searches were dropped or failed: tell the developers"));
    }

    private Optional<SearchResult> search(String name) {
        return run.measured().searches().stream()
                .filter(one -> one.kind().name().equals(name))
                .findFirst();
    }

    private void time(Known known, long micros) {
        double millis = micros / 1e3;
        boolean tooShort = millis < known.millis() * 0.99;
        boolean tooLong = millis > known.mostMillis();
        checks.add(new Check(
                known.name(),
                String.format(Locale.ROOT, "%.1f ms, or up to %.1f", known.millis(), known.mostMillis()),
                String.format(Locale.ROOT, "%.2f ms", millis),
                !tooShort && !tooLong,
                tooShort ? TOO_SHORT : tooLong ? TOO_LONG : ""));
    }
}
