package siemload.run;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.config.directory.DirectoryTree;
import siemload.config.directory.ForeignDirectoryException;
import siemload.config.directory.Ownership;
import siemload.config.directory.Reason;
import siemload.database.Provision;
import siemload.database.Store.Maintenance;
import siemload.database.TargetException;
import siemload.database.provision.ProvidedServer;
import siemload.dataset.EventSource;
import siemload.measure.RunClock;
import siemload.measure.environment.EnvironmentRecord;
import siemload.measure.environment.MachineFacts;
import siemload.measure.monitor.QuietHost;
import siemload.measure.monitor.RunMonitor;
import siemload.results.FeederResult;
import siemload.results.RunFile;
import siemload.results.RunResult;
import siemload.results.RunResult.ObjectiveResult;
import siemload.results.RunResultFile;
import siemload.results.RunWriter;
import siemload.results.RunWriter.RunListener;
import siemload.results.StepRecord;
import siemload.results.TargetRecord;
import siemload.results.Validity;
import siemload.results.Validity.RunVerdict;
import siemload.results.report.LiveServer;
import siemload.results.report.RunReports;

/**
 * A run that is about to be measured, and where its results go. Immutable; its parts are not.
 *
 * @param writer writes into the directory what is measured second by second
 * @param environment what it takes place on
 * @param found takes what has to be known of the run
 * @param plans those of what is asked, which were read
 * @param monitor is ready to watch database, machine and other hosts
 * @param side whose runs take turns, and of which this is one; empty for a run by itself
 */
record RunSetup(
        Bench bench,
        RunDirectory directory,
        RunWriter writer,
        EnvironmentRecord environment,
        Findings found,
        ProvenPlans plans,
        RunMonitor monitor,
        Optional<Slices.Side> side) {

    /**
     * Gets everything ready.
     *
     * @throws ConfigException if settings or files are wrong, or layout or server lack something for the searches, or do not follow the hint
     * @throws TargetException if the database cannot be had
     */
    static RunSetup open(RunHost host, RunPlan plan, Resources resources) {
        plan.source().warnings().forEach(host::line);
        Path results = plan.settings().value(Property.RESULTS).toAbsolutePath();
        RunDirectory directory = resources.add(RunDirectory.create(plan, results, Instant.now()));
        RunWriter writer = new RunWriter(directory.path(), startLive(host, plan, directory, resources));
        Bench bench = Bench.open(host, plan, resources, directory.runId(), Optional.empty());
        return of(bench, directory, writer, environment(bench), Optional.empty());
    }

    /** The same of a bench that is open. */
    static RunSetup of(
            Bench bench,
            RunDirectory directory,
            RunWriter writer,
            EnvironmentRecord environment,
            Optional<Slices.Side> side) {
        bench.resources().add(writer);
        ProvenPlans plans = side.map(open -> open.plans(bench, directory.path()))
                .orElseGet(() -> ProvenPlans.read(bench, directory.path()));
        Findings found = new Findings();
        settle(bench, found);
        List<URI> others = bench.plan().settings().find(Property.HOST_METRICS).orElse(List.of());
        RunMonitor monitor =
                bench.resources().add(new RunMonitor(writer, bench.store()::openCounters, bench.processes(), others));
        String gaps = "gaps in the figures of a host, as long as it does not answer: ";
        monitor.unanswered().forEach(silent -> bench.host().line(gaps + silent));
        return new RunSetup(bench, directory, writer, environment, found, plans, monitor, side);
    }

    /**
     * Lets people watch the run, where the settings ask for it, from before anything is loaded until its end.
     *
     * @return hears what the run writes
     * @throws ConfigException if the address cannot be had
     */
    private static RunListener startLive(RunHost host, RunPlan plan, RunDirectory directory, Resources resources) {
        if (!plan.settings().value(Property.LIVE)) {
            return RunListener.NONE;
        }
        InetSocketAddress address = plan.settings().value(Property.LIVE_ADDRESS);
        try {
            LiveServer server = resources.add(LiveServer.start(address, directory.runId(), sentence(plan)));
            host.line("live: " + server.url());
            return server.listener();
        } catch (IOException taken) {
            String where = address.getHostString() + ":" + address.getPort();
            String why = "the live view cannot listen at " + where + ": " + taken.getMessage()
                    + " (choose another with -DliveAddress=host:port, port 0 for any free one)";
            throw plan.refusal(Property.LIVE_ADDRESS, why);
        }
    }

    private static String sentence(RunPlan plan) {
        String name = plan.source().name();
        String events = plan.asksExisting() ? "" : String.format(Locale.ROOT, "%,d events of ", plan.source().count());
        return plan.scenario().name() + " searches " + events + name + " on "
                + plan.choice().plugin().id() + " (" + plan.variantRecord().label() + ")";
    }

    /** Writes down what a run takes place on, before the load: machine, server, tables, scenario and data set. */
    static EnvironmentRecord environment(Bench bench) {
        RunPlan plan = bench.plan();
        Map<String, Path> directories = new HashMap<>();
        directories.put("results", plan.settings().value(Property.RESULTS).toAbsolutePath());
        if (bench.server().provision() == Provision.EMBEDDED) {
            directories.put("data", plan.cache());
        }
        Map<String, Map<String, String>> sections =
                MachineFacts.describe(directories, bench.host().home());
        sections.put("database", database(plan, bench));
        Map<String, String> tables = new TreeMap<>();
        try {
            // Before the load, when equal data sets are equally large.
            bench.store().relationBytes().forEach((relation, bytes) -> tables.put(relation, Long.toString(bytes)));
        } catch (TargetException unreadable) {
            tables.put("sizes", "could not be read");
        }
        sections.put("tables", tables);
        sections.put("scenario", plan.described());
        EventSource source = plan.source();
        Map<String, String> dataset = new TreeMap<>(Map.of("name", source.name()));
        if (!plan.asksStatements()) {
            dataset.putAll(Map.of(
                    "events", Long.toString(source.count()),
                    "first", source.first().toString(),
                    "until", source.until().toString(),
                    "seed", Long.toString(source.seed()),
                    "contents", source.fingerprint()));
        }
        sections.put("dataset", dataset);
        return EnvironmentRecord.of(sections);
    }

    private static Map<String, String> database(RunPlan plan, Bench bench) {
        ProvidedServer server = bench.server();
        Map<String, String> values = new TreeMap<>();
        values.put("target", plan.choice().plugin().id());
        values.put("version", bench.target().version());
        values.put("provision", server.provision().label());
        server.container().forEach((name, value) -> values.put("container." + name, value));
        if (server.provision() == Provision.EXTERNAL) {
            values.put("url", server.address().url());
        }
        try {
            bench.target().settings().forEach((name, value) -> values.put("setting." + name, value));
        } catch (TargetException unreadable) {
            values.put("settings", "could not be read: " + unreadable.getMessage());
        }
        for (Bench other : bench.others()) {
            String number = Integer.toString(bench.others().indexOf(other) + 2);
            values.put("server-" + number + ".version", other.target().version());
        }
        return values;
    }

    RunHost host() {
        return bench.host();
    }

    RunPlan plan() {
        return bench.plan();
    }

    /** Where the results go. */
    Path path() {
        return directory.path();
    }

    /** What is said where something cannot be written into the directory of a run. */
    static ConfigException unwritable(RunPlan plan, Path directory, IOException why) {
        return plan.refusal(Property.RESULTS, "files cannot be written to " + directory + ": " + why);
    }

    /** Starts to watch. @throws ConfigException if what is seen cannot be written */
    void start(RunClock clock) {
        try {
            monitor.start(clock);
        } catch (IOException unwritten) {
            throw unwritable(plan(), path(), unwritten);
        }
    }

    /** Stops to watch, and closes all files that are written second by second. */
    RunMonitor.Seen stop(long endNanos) {
        RunMonitor.Seen seen = monitor.finish(endNanos);
        try {
            writer.close();
        } catch (IOException incomplete) {
            found.fault(String.valueOf(incomplete.getMessage()));
            host().line("warning: " + incomplete.getMessage());
        }
        return seen;
    }

    /**
     * What run.json says of the run itself.
     *
     * @param ofServer its settings, as {@link #serverSettings} has them
     */
    RunResult.RunIdentity identity(
            Optional<SortedMap<String, String>> ofServer, double seconds, LoadOutcome.Ending ending) {
        RunPlan plan = plan();
        EventSource source = plan.source();
        TargetRecord target = new TargetRecord(
                plan.choice().plugin().id(),
                bench.target().version(),
                bench.server().provision().label(),
                plan.variantRecord(),
                bench.target().transport(),
                ofServer.orElseGet(TreeMap::new),
                bench.server().container());
        RunResult.DatasetRecord dataset = new RunResult.DatasetRecord(
                source.name(),
                source.count(),
                source.seed(),
                source.fingerprint(),
                Choices.camelCase(bench.store().kind()),
                source.leftOut().stream().toList());
        List<RunResult.SettingRecord> settings = plan.resolved().values().stream()
                .map(one -> new RunResult.SettingRecord(
                        one.name(), one.shown(), one.origin().toString()))
                .toList();
        return new RunResult.RunIdentity(
                directory.runId(),
                plan.scenario().name(),
                directory.startedAt(),
                Math.round(seconds * 1000) / 1000.0,
                ending != LoadOutcome.Ending.COMPLETE,
                target,
                dataset,
                settings);
    }

    /** Those of the server at the end of a run; empty where it is gone, which is a fault. */
    Optional<SortedMap<String, String>> serverSettings() {
        try {
            return Optional.of(bench.target().settings());
        } catch (TargetException gone) {
            String cause = bench.server().server().causeOfEnd();
            String why = cause.isEmpty() ? String.valueOf(gone.getMessage()) : cause;
            found.fault("the database was gone at the end of the run: %s", why);
            return Optional.empty();
        }
    }

    /**
     * Lets server and machine come to rest before a run measures, where the settings ask for it: a checkpoint, so that the server does
     * not write to its place later what was changed before, then two quiet seconds.
     */
    private static void settle(Bench bench, Findings found) {
        RunPlan plan = bench.plan();
        if (!plan.settings().value(Property.SETTLE)) {
            return;
        }
        bench.host().status("waiting for a checkpoint");
        Optional<Maintenance> maintenance = bench.store().maintenance();
        try {
            maintenance.ifPresent(Maintenance::checkpoint);
            found.note(maintenance.isPresent() ? "settled by a checkpoint" : "settled without a checkpoint");
        } catch (TargetException refused) {
            found.note("settled without a checkpoint: " + refused.getMessage());
        }
        QuietHost.Waited waited = QuietHost.await(bench.processes(), bench.host()::status);
        bench.host().status("");
        double seconds = waited.time().toMillis() / 1e3;
        found.noteIf(waited.quiet(), "the machine was quiet after %.1f s of waiting", seconds);
        found.noteIf(
                !waited.quiet(),
                "the machine was not quiet in %.1f s of waiting: others took %.0f %% of all CPUs at last",
                seconds,
                waited.busyRatio() * 100);
    }

    /**
     * How the process should end.
     *
     * @param why in one sentence that follows "since"; empty where the code is 0, or the user was told already
     */
    record End(ExitCode code, String why) {}

    private static final End OK = new End(ExitCode.OK, "");

    /**
     * Writes run.json, environment.json and the reports, and prints what they say.
     *
     * @param ending how what was measured ended
     * @return how the process should end; where run.json could not be written, the user was told why not
     */
    End write(RunResult result, LoadOutcome.Ending ending) {
        try {
            RunResultFile.write(RunFile.RUN.in(path()), result);
            environment.write(RunFile.ENVIRONMENT.in(path()));
            directory.markLatest();
        } catch (IOException unwritten) {
            host().line(RunReports.text(result));
            host().failure("the results could not be written to " + path() + ": " + Reason.of(unwritten), unwritten);
            return new End(ExitCode.INVALID_INPUT, "");
        }
        // What was measured is safe by now: a report can be made again, and must not change how the run ends.
        try {
            if (side.isEmpty()) {
                host().results(RunReports.write(path()));
            }
        } catch (IOException | RuntimeException unwritten) {
            host().line(RunReports.text(result) + "results: " + RunFile.RUN.in(path()));
            host().line("warning: the reports could not be written: " + unwritten.getMessage() + " (./siemload report "
                    + path() + " tries again)");
        }
        return end(result, ending, plan().settings().value(Property.FAIL_ON));
    }

    /** How a process ends that left this result, by what {@code failOn} says. */
    static End end(RunResult result, LoadOutcome.Ending ending, String failOn) {
        boolean breakdownAlone = failOn.equals("breakdown");
        return switch (ending) {
            case INTERRUPTED -> new End(ExitCode.INTERRUPTED, "it was interrupted");
            case GONE -> new End(ExitCode.TARGET_FAILED, fault(result, "database", "the database was lost"));
            case ABORTED ->
                new End(ExitCode.MISSED, "the run " + fault(result, "stopped by itself", "stopped by itself"));
            case LOST -> new End(ExitCode.INCONCLUSIVE, fault(result, "injector", "an injector failed"));
            case RESTARTED ->
                breakdownAlone
                        ? OK
                        : new End(ExitCode.TARGET_FAILED, fault(result, "restarted", "the database was restarted"));
            case COMPLETE -> breakdownAlone ? OK : ofWork(result, failOn);
        };
    }

    /** Whether it did its work, and what of the objectives is certain. */
    private static End ofWork(RunResult result, String failOn) {
        if (result.answers().answersWrong() > 0) {
            return new End(ExitCode.INCONCLUSIVE, fault(result, "wrong", "answers were wrong"));
        }
        FeederResult fed = result.measured().feeder();
        if (fed.lost() > 0 || fed.duplicated() > 0) {
            return new End(ExitCode.INCONCLUSIVE, fault(result, "acknowledged events", "fed events were lost"));
        }
        List<ObjectiveResult> missed = having(result, ObjectiveResult.Outcome.MISSED);
        if (!missed.isEmpty()) {
            ObjectiveResult first = missed.get(0);
            String more = missed.size() == 1 ? "" : ", and " + (missed.size() - 1) + " more";
            return new End(ExitCode.MISSED, first.text() + " was missed (measured " + first.measured() + ")" + more);
        }
        if (result.steps().stream().anyMatch(StepRecord::failed)) {
            return new End(ExitCode.INCONCLUSIVE, fault(result, "failed", "a step failed"));
        }
        if (result.steps().isEmpty() && result.measured().searches().stream().noneMatch(search -> search.ok() > 0)) {
            return new End(ExitCode.INCONCLUSIVE, fault(result, "no search was answered", "nothing was answered"));
        }
        return failOn.equals("verdict") ? ofVerdict(result) : OK;
    }

    private static End ofVerdict(RunResult result) {
        Validity validity = result.validity();
        if (validity.verdict() != RunVerdict.VALID) {
            String word = validity.verdict() == RunVerdict.DISTURBED ? "disturbed" : "not valid";
            String why = validity.warnings().get(0);
            return new End(ExitCode.INCONCLUSIVE, "the run is " + word + ": " + why);
        }
        if (validity.saturation().seen()) {
            return new End(ExitCode.MISSED, validity.saturation().sentences().get(0));
        }
        return having(result, ObjectiveResult.Outcome.UNDECIDED).stream()
                .findFirst()
                .map(one -> new End(ExitCode.INCONCLUSIVE, one.text() + " is undecided: " + one.reason()))
                .orElse(OK);
    }

    private static List<ObjectiveResult> having(RunResult result, ObjectiveResult.Outcome outcome) {
        return result.objectives().stream().filter(one -> one.is(outcome)).toList();
    }

    /** The first fault that has this in it. */
    private static String fault(RunResult result, String part, String otherwise) {
        return result.validity().faults().stream()
                .filter(fault -> fault.contains(part))
                .findFirst()
                .orElse(otherwise);
    }

    /**
     * Where one run's results go: {@code <results>/<runId>/}. To be closed when the run has ended. Immutable.
     *
     * @param path the directory, which exists
     */
    record RunDirectory(Path path, String runId, Instant startedAt) implements AutoCloseable {

        /**
         * Makes a directory of its own, also when two runs start in the same second.
         *
         * @throws ConfigException if the results directory cannot be written
         */
        static RunDirectory create(RunPlan plan, Path results, Instant now) {
            String scenario = plan.scenario().name().replaceAll("[^A-Za-z0-9]+", "-");
            String name = String.join("-", scenario, plan.choice().plugin().id(), TimestampName.of(now));
            NewFiles.protect();
            try {
                Files.createDirectories(results);
                Ownership.ofThisUser().requireOwn(results);
                for (int attempt = 1; ; attempt++) {
                    String runId = attempt == 1 ? name : name + "-" + attempt;
                    try {
                        Path path = NewFiles.createDirectory(results.resolve(runId));
                        return new RunDirectory(path, runId, now);
                    } catch (FileAlreadyExistsException taken) {
                        // another run started in the same second: try the next name
                    }
                }
            } catch (ForeignDirectoryException foreign) {
                throw plan.refusal(Property.RESULTS, "results: " + Reason.of(foreign));
            } catch (IOException unwritable) {
                boolean isFile = unwritable instanceof FileAlreadyExistsException;
                String why = isFile ? unwritable.getMessage() + " is no directory" : Reason.of(unwritable);
                String wayOut = " (choose another with -Dresults=DIR)";
                throw plan.refusal(Property.RESULTS, "results cannot be written to " + results + ": " + why + wayOut);
            }
        }

        /** Lets {@code <results>/latest} name this run: a link where the file system has them, otherwise a file. */
        void markLatest() throws IOException {
            Path latest = path.resolveSibling("latest");
            Path fresh = path.resolveSibling("latest." + runId);
            try {
                Files.createSymbolicLink(fresh, Path.of(runId));
            } catch (UnsupportedOperationException | IOException noLinks) {
                Files.writeString(fresh, runId + "\n", StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            }
            Files.move(fresh, latest, StandardCopyOption.ATOMIC_MOVE);
        }

        /** The run has ended: a directory in which nothing was measured goes with it. */
        @Override
        public void close() throws IOException {
            if (!Files.exists(RunFile.RUN.in(path)) && !Files.exists(RunFile.TIMELINE.in(path))) {
                DirectoryTree.delete(path);
            }
        }
    }
}
