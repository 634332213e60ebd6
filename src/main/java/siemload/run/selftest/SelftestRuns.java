package siemload.run.selftest;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import siemload.results.FeederResult;
import siemload.results.RunResult;
import siemload.results.RunResult.ObjectiveResult;
import siemload.results.RunResult.SearchResult;
import siemload.results.RunResult.ServerTimes;
import siemload.run.ExitCode;
import siemload.run.RunHost;
import siemload.run.RunProcesses;

/**
 * The runs of the self-test. The objectives of their scenarios limit how long searches may take, and check that they are not faster than
 * theory allows. Used by one thread.
 *
 * @param directory the directory for the files of the runs
 * @param cache the cache directory of the runs
 */
public record SelftestRuns(RunHost host, Path directory, Path cache) {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String TOO_SHORT = "measured times are too short: report this as a bug in siemload";
    private static final String TOO_LONG =
            "the machine is busy, slow or virtual: stop other programs, and do not trust shorter times";
    /** The number of events of {@code feed.yaml}: 13 s at 1,000 events a second, in batches of 50. */
    private static final long FED = 13_000;

    /**
     * One check.
     *
     * @param expected the right result, in words
     * @param measured the actual result, in words; {@link #NO_RUN} if a run has failed, so that the result is unknown
     * @param why what a failure means; empty if it passed
     */
    public record Check(String name, String expected, String measured, boolean passed, String why) {
        public static final String NO_RUN = "none";

        public Check {
            why = passed ? "" : why;
        }
    }

    /** Performs all runs, and returns the checks. */
    public List<Check> checks() throws IOException, InterruptedException {
        List<Check> checks = new ArrayList<>();
        checks.addAll(run("known times", "known-times", "--target scripted", SelftestRuns::arrivals));
        checks.addAll(run("hand-over", "hand-over", "--target scripted", result -> List.of()));
        checks.addAll(run("counted events", "feed", "--probes false", SelftestRuns::eventCount));
        checks.addAll(run("the server's own time", "stopwatch", "--probes false", SelftestRuns::serverTime));
        host.status("");
        return checks;
    }

    /** Returns the checks of a run: those of its objectives, and others; a failed run is a failed check. */
    private List<Check> run(String title, String scenario, String options, Function<RunResult, List<Check>> others)
            throws IOException, InterruptedException {
        host.status("self-test: " + title);
        Process run = new RunProcesses(host).start(SelftestRuns.class, scenario, directory, cache, options);
        boolean isLate = !run.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        int code = RunProcesses.await(run, Duration.ZERO);
        Path log = directory.resolve(scenario + ".log");
        if (RunProcesses.wasInterrupted(code) && !isLate) {
            throw new InterruptedException("a run of the self-test was interrupted (see " + log + ")");
        }
        if (isLate || code != ExitCode.OK.number()) {
            String late = "the run had not ended after " + PATIENCE.toSeconds() + "s";
            String why = (isLate ? late : RunProcesses.lastLine(log)) + " (see " + log + ")";
            return List.of(new Check(title, "a run", Check.NO_RUN, false, why));
        }
        RunResult result = RunResult.read(directory.resolve(scenario).resolve("latest/run.json"));
        List<Check> checks = new ArrayList<>(others.apply(result));
        result.objectives().forEach(one -> checks.add(check(one)));
        return checks;
    }

    /** Returns the check of an objective of a run. */
    static Check check(ObjectiveResult one) {
        String limit = one.text().replaceFirst("[^<>]*", "");
        String name = one.text().replaceFirst(" [<>].*", "");
        String measured = one.measured().replaceAll(", .*", "");
        return new Check(name, limit, measured, one.met(), limit.matches(">.*s") ? TOO_SHORT : TOO_LONG);
    }

    /** Checks how many searches of {@code known-times.yaml} were answered: users follow a timetable, so the right number is known. */
    static List<Check> arrivals(RunResult run) {
        long expected = Math.round(300 * run.identity().measuredSeconds());
        long answered =
                run.measured().searches().stream().mapToLong(SearchResult::ok).sum();
        String lost = "searches were dropped or failed: report this as a bug in siemload";
        boolean all = answered == expected;
        return List.of(new Check("searches at 300/s", expected + " answered", answered + " answered", all, lost));
    }

    /** Checks the run of {@code feed.yaml}, 1,000 events a second into a database, against its timetable. */
    static List<Check> eventCount(RunResult run) {
        FeederResult events = run.measured().feeder();
        boolean each = events.lost() == 0 && events.duplicated() == 0;
        boolean all = events.sent() == FED && events.acknowledged() == FED && each;
        String measured = events.acknowledged() + " of " + events.sent() + ", " + events.lost() + " lost, "
                + events.duplicated() + " twice";
        String slow = "the database did not keep up, or events were dropped";
        String why = each ? slow : "events were lost: report this as a bug in siemload";
        return List.of(new Check("events at 1000/s", FED + " stored once", measured, all, why));
    }

    /**
     * Compares siemload's time for the searches of {@code stopwatch.yaml} with the server's own time. The run makes one long search at a
     * time, which reads two days of events and returns a few lines. Network and driver hardly matter in this run: siemload's time may be
     * longer by 1 % and 2 ms.
     */
    static List<Check> serverTime(RunResult run) {
        double ours = run.measured().searches().stream()
                .mapToDouble(search -> search.serviceTimeMicros().mean())
                .average()
                .orElse(0);
        double servers = run.measured().serverTime().statements().stream()
                .mapToDouble(ServerTimes.Statement::micros)
                .average()
                .orElse(0);
        boolean isCounted = ours > 0 && servers > 0;
        boolean tooShort = ours < servers * 0.99;
        boolean isClose = isCounted && !tooShort && ours <= servers * 1.01 + 2_000;
        String times = String.format(Locale.ROOT, "%.2f ms, server %.2f ms", ours / 1e3, servers / 1e3);
        String why = !isCounted ? "the server did not count the time of the search" : tooShort ? TOO_SHORT : TOO_LONG;
        String name = "a long search: siemload to the server";
        return List.of(new Check(name, "up to 1 % + 2 ms longer", isCounted ? times : Check.NO_RUN, isClose, why));
    }
}
