package siemload.run.selftest;

import java.util.List;
import java.util.Locale;
import siemload.results.RunResult;
import siemload.results.ServerTimes;
import siemload.run.selftest.SelftestResult.Check;

/**
 * Compares the run of {@code stopwatch.yaml}, one long search at a time that reads all events and returns a few lines, with what the
 * server counted for the same searches. Network and driver hardly count there. Stateless.
 */
final class ServerTime {
    private static final String NAME = "a long search: siemload to the server";
    /** As for a known time: 1 %, and what a machine needs to wake a thread up. */
    private static final double MOST_LONGER = 1.01;

    private static final double LATE_MICROS = 2_000;
    private static final double LEAST = 0.99;

    private ServerTime() {}

    /** The check of this run, which has one kind of search. */
    static List<Check> of(RunResult run) {
        double ours = run.measured().searches().stream()
                .mapToDouble(search -> search.times().serviceTimeMicros().mean())
                .average()
                .orElse(0);
        double servers = run.measured().serverTime().statements().stream()
                .mapToDouble(ServerTimes.Statement::micros)
                .average()
                .orElse(0);
        if (ours == 0 || servers == 0) {
            return List.of(SelftestRuns.failed(NAME, "the server did not count the time of the search"));
        }
        boolean tooShort = ours < servers * LEAST;
        boolean tooLong = ours > servers * MOST_LONGER + LATE_MICROS;
        return List.of(new Check(
                NAME,
                "up to 1 % + 2 ms longer",
                String.format(Locale.ROOT, "%.2f ms, server %.2f ms", ours / 1e3, servers / 1e3),
                !tooShort && !tooLong,
                tooShort ? KnownTimes.TOO_SHORT : tooLong ? KnownTimes.TOO_LONG : ""));
    }
}
