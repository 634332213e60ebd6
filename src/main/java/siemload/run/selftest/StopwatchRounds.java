package siemload.run.selftest;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.config.Settings;
import siemload.database.CounterReading;
import siemload.database.Counters;
import siemload.database.OtherClient;
import siemload.database.SearchSession;
import siemload.database.StatementTime;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.results.RunResult;
import siemload.results.SearchResult;
import siemload.results.ServerTimes;
import siemload.run.OpenedStore;
import siemload.run.RunHost;
import siemload.run.RunProcesses;
import siemload.run.selftest.SelftestResult.Stopwatch;
import siemload.run.selftest.Stopwatches.Timed;

/**
 * Measures two searches by runs and by another program in turn, on one server: run, program, program, run, and so on, so that
 * what changes slowly falls on both. Used by one thread.
 *
 * @param directory takes what the runs leave
 */
record StopwatchRounds(RunHost host, RunProcesses processes, Path directory) {
    private static final List<SearchName> SEARCHES = List.of(SearchName.TOPPORTS, SearchName.MENTAT);
    /** The short one comes so often, as the scenario says, that client code is compiled before anything is measured. */
    private static final int SHORT_TO_LONG = 29;

    private static final int ROUNDS = 4;
    /** The whole data set, as in the scenario. */
    private static final int DAYS = 7;

    private static final Duration OF_THE_PROGRAM = Duration.ofSeconds(3);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /**
     * What was measured.
     *
     * @param stopwatches the long search and the short one
     * @param noClient why there was no other program; empty where there was one
     */
    record Measured(List<Stopwatch> stopwatches, String noClient) {}

    /**
     * Measures on the server of the settings.
     *
     * @param options of each run, but for where the server is
     * @throws siemload.database.TargetException if the server cannot be had, or one of the programs fails
     */
    Measured measure(Settings settings, List<String> options) throws IOException {
        return OpenedStore.<Measured, IOException>during(host, settings, opened -> rounds(opened, options));
    }

    private Measured rounds(OpenedStore opened, List<String> options) throws IOException, InterruptedException {
        List<Search> searches = opened.overDays(DAYS, SEARCHES);
        Optional<OtherClient> known = opened.store().otherClient();
        Optional<OtherClient> client = known.filter(program -> program.version().isPresent());
        List<RunResult> ours = new ArrayList<>();
        List<List<Timed>> theirs = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            host.status("self-test: second stopwatch, round " + (round + 1) + " of " + ROUNDS);
            boolean first = round % 2 == 0;
            if (!first && client.isPresent()) {
                theirs.add(timed(client.orElseThrow(), opened, searches));
            }
            ours.add(run(opened, options, round));
            if (first && client.isPresent()) {
                theirs.add(timed(client.orElseThrow(), opened, searches));
            }
        }
        String name = client.map(
                        program -> program.name() + " " + program.version().orElse(""))
                .orElse("");
        String missing = known.map(program -> program.name() + " is not installed")
                .orElse("no other program is known for this database");
        return new Measured(stopwatches(name, ours, theirs), client.isPresent() ? "" : missing);
    }

    private static List<Stopwatch> stopwatches(String client, List<RunResult> ours, List<List<Timed>> theirs) {
        List<Stopwatch> stopwatches = new ArrayList<>();
        for (int search = 0; search < SEARCHES.size(); search++) {
            SearchName name = SEARCHES.get(search);
            List<Stopwatches.Round> rounds = new ArrayList<>();
            for (int round = 0; round < ours.size(); round++) {
                Timed own = new Timed(service(ours.get(round), name), server(ours.get(round), name));
                Timed other = theirs.isEmpty() ? Timed.NEVER : theirs.get(round).get(search);
                rounds.add(new Stopwatches.Round(own, other));
            }
            stopwatches.add(Stopwatches.of(name.name(), client, rounds));
        }
        return stopwatches;
    }

    /** What the other program measures, with what the server counts meanwhile. */
    private static List<Timed> timed(OtherClient client, OpenedStore opened, List<Search> searches)
            throws InterruptedException {
        try (SearchSession session = opened.store().openSession();
                Counters counters = opened.store().openCounters().orElseThrow()) {
            CounterReading before = counters.read();
            List<Double> means = means(client, searches.get(0), searches.get(1));
            Map<String, StatementTime> counted = counters.read().since(before).statements();
            List<Timed> timed = new ArrayList<>();
            for (int i = 0; i < searches.size(); i++) {
                Search search = searches.get(i);
                PageClass page = search.summary().isPresent() ? PageClass.SUMMARY : PageClass.FIRST;
                StatementTime server =
                        session.statement(search, page).map(counted::get).orElse(StatementTime.NONE);
                timed.add(new Timed(means.get(i), meanMicros(server)));
            }
            return timed;
        }
    }

    /** The means of the long search and of the short one. */
    private static List<Double> means(OtherClient client, Search longer, Search shorter) throws InterruptedException {
        List<Search> asked = new ArrayList<>(List.of(longer));
        asked.addAll(Collections.nCopies(SHORT_TO_LONG, shorter));
        List<Double> means = client.meanMicros(asked, OF_THE_PROGRAM);
        double ofShorter =
                means.stream().skip(1).mapToDouble(Double::doubleValue).sum() / SHORT_TO_LONG;
        return List.of(means.get(0), ofShorter);
    }

    private static double meanMicros(StatementTime server) {
        return server.calls() == 0 ? 0 : (server.planningNanos() + server.executionNanos()) / 1e3 / server.calls();
    }

    private RunResult run(OpenedStore opened, List<String> options, int round)
            throws IOException, InterruptedException {
        Path log = directory.resolve("stopwatch-" + round + ".log");
        Path results = directory.resolve("stopwatch-" + round);
        List<String> all = new ArrayList<>(options);
        // Nobody needs to be asked whether a run may write to this server: the self-test has started it.
        all.addAll(List.of(
                "--results", results.toString(), "--url", opened.address().url(), "--yes"));
        Map<String, String> environment = processes.variables(RunProcesses.Environment.WITHOUT_SETTINGS);
        environment.put("SIEMLOAD_USER", opened.address().user());
        environment.put("SIEMLOAD_PASSWORD", opened.address().password());
        return SelftestRuns.ended(processes.start(all, log, environment), PATIENCE, log, results);
    }

    private static double service(RunResult run, SearchName name) {
        return run.measured().searches().stream()
                .filter(search -> search.kind().name().equals(name.name()))
                .mapToDouble(search -> search.times().serviceTimeMicros().mean())
                .findFirst()
                .orElse(0);
    }

    private static double server(RunResult run, SearchName name) {
        return run.measured().searches().stream()
                .map(SearchResult::kind)
                .filter(kind -> kind.name().equals(name.name()))
                .flatMap(kind -> run.measured().serverTime().statements().stream()
                        .filter(statement -> statement.searches().equals(List.of(kind.tag()))))
                .mapToDouble(ServerTimes.Statement::micros)
                .findFirst()
                .orElse(0);
    }
}
