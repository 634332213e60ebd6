package siemload.run.selftest;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import siemload.config.Durations;
import siemload.results.FeederResult;
import siemload.results.RunResult;
import siemload.results.RunResultFile;
import siemload.results.SearchResult;
import siemload.results.SearchResult.SearchTimes;
import siemload.results.ServerTimes;
import siemload.run.ExitCode;
import siemload.run.RunHost;
import siemload.run.RunProcesses;
import siemload.run.selftest.SelftestResult.Check;

/**
 * The runs of the self-test. Used by one thread.
 *
 * @param directory takes what the runs leave
 * @param cache of the runs, as their setting has it
 */
public record SelftestRuns(RunHost host, Path directory, Path cache, RunProcesses processes) {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** How many milliseconds a time may be longer, beside 1 %: what a machine needs to wake threads up. */
    private static final double LATE = 2;
    /** One answer in a hundred may have met another program on its processor. */
    private static final double P99_LATE = 20;

    private static final String TOO_SHORT = "times were lost: tell the developers";
    private static final String TOO_LONG =
            "the machine wakes threads up late, being busy or virtual: stop other programs, and trust no shorter times";
    /** 13 s at 1,000 events a second, in batches of 50. */
    private static final long FED = 13_000;

    /** Of ten seconds of a stall two are one; a share s of all answers takes longer than 2.010 s - 10 s x s. */
    private static final List<Known> KNOWN = List.of(
            new Known(
                    "DETAIL",
                    "constant 5 ms: response p50",
                    5,
                    one -> one.responseTimeMicros().p50(),
                    LATE),
            new Known(
                    "DETAIL",
                    "constant 5 ms: response p99",
                    5,
                    one -> one.responseTimeMicros().p99(),
                    P99_LATE),
            new Known(
                    "HAWAT1",
                    "20 or 120 ms: response p50",
                    20,
                    one -> one.responseTimeMicros().p50(),
                    LATE),
            new Known(
                    "HAWAT1",
                    "20 or 120 ms: response p95",
                    120,
                    one -> one.responseTimeMicros().p95(),
                    LATE),
            new Known(
                    "HAWAT3",
                    "slow first row: first event p50",
                    100,
                    one -> one.firstEventMicros().p50(),
                    LATE),
            new Known(
                    "HAWAT3",
                    "slow first row: last event p50",
                    110,
                    one -> one.lastEventMicros().p50(),
                    LATE),
            new Known(
                    "TEXT",
                    "stall of 2 s: response p50",
                    5,
                    one -> one.responseTimeMicros().p50(),
                    LATE),
            new Known(
                    "TEXT",
                    "stall of 2 s: response p90",
                    1_010,
                    one -> one.responseTimeMicros().p90(),
                    P99_LATE),
            new Known(
                    "TEXT",
                    "stall of 2 s: response p99",
                    1_910,
                    one -> one.responseTimeMicros().p99(),
                    P99_LATE));

    public SelftestRuns(RunHost host, Path directory, Path cache) {
        this(host, directory, cache, new RunProcesses(host));
    }

    /** Makes all of them, and says what was found. */
    public List<Check> checks() throws IOException, InterruptedException {
        List<Check> checks = new ArrayList<>();
        checks.addAll(run("known times", "known-times", List.of("--target", "scripted"), SelftestRuns::knownTimes));
        checks.addAll(run("hand-over", "hand-over", List.of("--target", "scripted"), SelftestRuns::handOver));
        checks.addAll(run("counted events", "feed", List.of("--probes", "false"), SelftestRuns::eventCount));
        checks.addAll(
                run("the server's own time", "stopwatch", List.of("--probes", "false"), SelftestRuns::serverTime));
        host.status("");
        return checks;
    }

    /** What the checks say of a run; one that failed is a failed check. */
    private List<Check> run(
            String title, String scenario, List<String> options, Function<RunResult, List<Check>> checks)
            throws IOException, InterruptedException {
        host.status("self-test: " + title);
        Path file = Files.createDirectories(directory).resolve(scenario + ".yaml");
        try (InputStream stream = Objects.requireNonNull(
                SelftestRuns.class.getResourceAsStream("/siemload/run/selftest/" + scenario + ".yaml"), scenario)) {
            Files.copy(stream, file, StandardCopyOption.REPLACE_EXISTING);
        }
        Path log = directory.resolve(scenario + ".log");
        Path results = directory.resolve(scenario);
        List<String> all = new ArrayList<>(options);
        all.addAll(
                List.of("--scenario", file.toString(), "--cache", cache.toString(), "--results", results.toString()));
        // A machine that is too busy is found by the checks; the answers are not checked where none is right.
        all.addAll(List.of("--failOn", "breakdown", "--checks", "0"));
        Process run = processes.start(all, log);
        boolean isLate = !run.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        int code = RunProcesses.await(run, Duration.ZERO);
        if (RunProcesses.wasInterrupted(code) && !isLate) {
            throw new InterruptedException("a run of the self-test was interrupted (see " + log + ")");
        }
        if (isLate || code != ExitCode.OK.number()) {
            String why = isLate ? "it had not ended after " + Durations.format(PATIENCE) : RunProcesses.lastLine(log);
            return List.of(failed(title, why + " (see " + log + ")"));
        }
        return checks.apply(RunResultFile.read(results.resolve("latest/run.json")));
    }

    static Check failed(String title, String why) {
        return new Check(title, "a run", SelftestResult.NO_RUN, false, why);
    }

    /**
     * Holds the run of {@code known-times.yaml} against theory: each user was due at an instant of a timetable, so that the number of
     * searches is known, however late they are served.
     */
    static List<Check> knownTimes(RunResult run) {
        List<Check> checks = new ArrayList<>();
        long expected = Math.round(300 * run.identity().measuredSeconds());
        long answered =
                run.measured().searches().stream().mapToLong(SearchResult::ok).sum();
        checks.add(Check.of(
                "searches at 300/s",
                expected + " answered",
                answered + " answered",
                answered == expected,
                "searches were dropped or failed: tell the developers"));
        for (Known known : KNOWN) {
            run.measured().searches().stream()
                    .filter(one -> one.kind().name().equals(known.search()))
                    .findFirst()
                    .ifPresent(search -> checks.add(known.check(search.times())));
        }
        return checks;
    }

    /**
     * A time that theory knows. It may be later than theory by 1 % and by what a machine needs to wake threads up, and never earlier
     * by more than 1 %.
     *
     * @param name of the check
     * @param late how many milliseconds it may be longer, beside 1 %
     */
    private record Known(String search, String name, double millis, ToLongFunction<SearchTimes> micros, double late) {
        Check check(SearchTimes times) {
            double measured = micros.applyAsLong(times) / 1e3;
            return inTime(
                    name,
                    String.format(Locale.ROOT, "%.1f ms, or up to %.1f", millis, millis * 1.01 + late),
                    String.format(Locale.ROOT, "%.2f ms", measured),
                    measured,
                    millis,
                    late);
        }
    }

    /** Whether a time in milliseconds is what it must be, or longer by 1 % and so much. */
    private static Check inTime(
            String name, String expected, String measured, double millis, double known, double late) {
        boolean tooShort = millis < known * 0.99;
        boolean tooLong = millis > known * 1.01 + late;
        return Check.of(name, expected, measured, !tooShort && !tooLong, tooShort ? TOO_SHORT : TOO_LONG);
    }

    /**
     * How soon a search of {@code hand-over.yaml} starts that is due, where workers are free: the load generator's own share of
     * response times.
     */
    static List<Check> handOver(RunResult run) {
        return run.measured().searches().stream()
                .map(search -> search.times().workerWaitMicros())
                .flatMap(waits -> Stream.of(handOver("p50", waits.p50(), 100), handOver("p99", waits.p99(), 1_000)))
                .toList();
    }

    private static Check handOver(String percentile, long micros, long most) {
        return Check.of(
                "hand-over of a search: " + percentile,
                String.format(Locale.ROOT, "up to %.1f ms", most / 1e3),
                String.format(Locale.ROOT, "%.3f ms", micros / 1e3),
                micros <= most,
                "the machine wakes threads up late, being busy or virtual: stop other programs, or see how late each"
                        + " run's own searches were in 'Where the time goes'");
    }

    /** Holds the run of {@code feed.yaml}, 1,000 events a second into a database, against its timetable. */
    static List<Check> eventCount(RunResult run) {
        FeederResult feeder = run.measured().feeder();
        FeederResult.FedEventCounts events = feeder.events();
        return List.of(
                Check.of(
                        "events at 1000/s",
                        FED + " acknowledged",
                        events.acknowledged() + " of " + events.sent() + " sent",
                        events.sent() == FED && events.acknowledged() == FED,
                        "the database did not keep up, or events were dropped"),
                Check.of(
                        "events found afterwards",
                        "each one once",
                        events.lost() + " lost, " + events.duplicated() + " twice",
                        events.lost() == 0 && events.duplicated() == 0,
                        "the database lost events, or the ledger is wrong: tell the developers"),
                Check.of(
                        "rate of the feeder",
                        "1000 events/s, or 1 % less",
                        String.format(Locale.ROOT, "%.1f events/s", feeder.achievedEventsPerSecond()),
                        feeder.achievedRatio() >= 0.99,
                        "the disk or the processors are too slow for 1000 events/s beside a self-test"));
    }

    /**
     * Compares the run of {@code stopwatch.yaml}, one long search at a time that reads two days of events and returns a few lines, with
     * what the server counted for the same searches. Network and driver hardly count there.
     */
    static List<Check> serverTime(RunResult run) {
        String name = "a long search: siemload to the server";
        double ours = run.measured().searches().stream()
                .mapToDouble(search -> search.times().serviceTimeMicros().mean())
                .average()
                .orElse(0);
        double servers = run.measured().serverTime().statements().stream()
                .mapToDouble(ServerTimes.Statement::micros)
                .average()
                .orElse(0);
        if (ours == 0 || servers == 0) {
            return List.of(failed(name, "the server did not count the time of the search"));
        }
        return List.of(inTime(
                name,
                "up to 1 % + 2 ms longer",
                String.format(Locale.ROOT, "%.2f ms, server %.2f ms", ours / 1e3, servers / 1e3),
                ours / 1e3,
                servers / 1e3,
                LATE));
    }
}
