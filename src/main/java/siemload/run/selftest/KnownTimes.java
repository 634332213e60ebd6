package siemload.run.selftest;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import siemload.results.RunResult;
import siemload.results.SearchResult;
import siemload.run.selftest.SelftestResult.Check;

/**
 * Holds the run of {@code known-times.yaml} against theory. A time may be later than theory by 1 % and by what a machine
 * needs to wake threads up, and never earlier by more than 1 %.
 */
public final class KnownTimes {
    private static final long MOST_LATE_MICROS = 2_000;
    /** One answer in a hundred may have met another program on its processor. */
    private static final long MOST_LATE_AT_P99_MICROS = 20_000;

    private static final String TOO_SHORT = "times were lost: tell the developers";
    private static final String TOO_LONG =
            "the machine wakes threads up late, being busy or virtual: stop other programs, and trust no shorter times";

    private final RunResult run;
    private final List<Check> checks = new ArrayList<>();

    private KnownTimes(RunResult run) {
        this.run = run;
    }

    /** The checks of this run. */
    public static List<Check> of(RunResult run) {
        KnownTimes times = new KnownTimes(run);
        times.counts();
        times.search("DETAIL").ifPresent(constant -> {
            times.time(
                    "constant 5 ms: response p50",
                    5,
                    constant.times().responseTimeMicros().p50(),
                    MOST_LATE_MICROS);
            times.time(
                    "constant 5 ms: response p99",
                    5,
                    constant.times().responseTimeMicros().p99(),
                    MOST_LATE_AT_P99_MICROS);
        });
        times.search("HAWAT1").ifPresent(mix -> {
            times.time(
                    "20 or 120 ms: response p50",
                    20,
                    mix.times().responseTimeMicros().p50(),
                    MOST_LATE_MICROS);
            times.time(
                    "20 or 120 ms: response p95",
                    120,
                    mix.times().responseTimeMicros().p95(),
                    MOST_LATE_MICROS);
        });
        times.search("HAWAT3").ifPresent(slow -> {
            times.time(
                    "slow first row: first event p50",
                    100,
                    slow.times().firstEventMicros().p50(),
                    MOST_LATE_MICROS);
            times.time(
                    "slow first row: last event p50",
                    110,
                    slow.times().lastEventMicros().p50(),
                    MOST_LATE_MICROS);
        });
        // Of ten seconds two are a stall; a share s of all answers takes longer than 2.010 s - 10 s x s.
        times.search("TEXT").ifPresent(stall -> {
            times.time(
                    "stall of 2 s: response p50",
                    5,
                    stall.times().responseTimeMicros().p50(),
                    MOST_LATE_MICROS);
            times.time(
                    "stall of 2 s: response p90",
                    1_010,
                    stall.times().responseTimeMicros().p90(),
                    MOST_LATE_AT_P99_MICROS);
            times.time(
                    "stall of 2 s: response p99",
                    1_910,
                    stall.times().responseTimeMicros().p99(),
                    MOST_LATE_AT_P99_MICROS);
        });
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

    private void time(String name, double theoryMillis, long micros, long mostLateMicros) {
        double millis = micros / 1e3;
        boolean tooShort = millis < theoryMillis * 0.99;
        boolean tooLong = millis > theoryMillis * 1.01 + mostLateMicros / 1e3;
        checks.add(new Check(
                name,
                String.format(
                        Locale.ROOT,
                        "%.1f ms, or up to %.1f",
                        theoryMillis,
                        theoryMillis * 1.01 + mostLateMicros / 1e3),
                String.format(Locale.ROOT, "%.2f ms", millis),
                !tooShort && !tooLong,
                tooShort ? TOO_SHORT : tooLong ? TOO_LONG : ""));
    }
}
