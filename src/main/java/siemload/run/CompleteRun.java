package siemload.run;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import siemload.config.AbortCondition;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.config.RegularFile;
import siemload.database.Provision;
import siemload.database.Store.Maintenance;
import siemload.database.Target.Transport;
import siemload.database.TargetException;
import siemload.database.provision.ProvidedServer;
import siemload.dataset.EventSource;
import siemload.dataset.FeedEvents;
import siemload.measure.EnvironmentRecord;
import siemload.measure.EnvironmentRecord.MachineFacts;
import siemload.measure.IntervalLog;
import siemload.measure.IntervalLog.AbortWatch;
import siemload.measure.LatencyRecorder;
import siemload.measure.LatencyRecorder.RecordedSearches;
import siemload.measure.LatencyRecorder.ReplicaRecorder;
import siemload.measure.RunClock;
import siemload.measure.Tally.SearchStatistics;
import siemload.measure.monitor.QuietHost;
import siemload.measure.monitor.RunMonitor;
import siemload.results.FeederResult;
import siemload.results.FeederResult.StoredEvents;
import siemload.results.MicrosSummary;
import siemload.results.Outcome;
import siemload.results.ReplayResult;
import siemload.results.RunFile;
import siemload.results.RunFile.TimeMetric;
import siemload.results.RunResult;
import siemload.results.RunResult.GeneratorCpu;
import siemload.results.RunResult.PlanRecord;
import siemload.results.RunResult.RetentionResult;
import siemload.results.RunResult.SearchResult;
import siemload.results.RunResult.StepRecord;
import siemload.results.RunResult.TargetRecord;
import siemload.results.RunWriter;
import siemload.results.RunWriter.RunListener;
import siemload.results.Validity;
import siemload.results.Validity.Saturation;
import siemload.results.report.LiveServer;
import siemload.results.report.RunReports;
import siemload.run.RunOutcome.Objectives;
import siemload.run.RunOutcome.RunIntervals;
import siemload.run.RunOutcome.ServerShare;
import siemload.run.RunValidity.Findings;
import siemload.run.RunValidity.MachineValidity;
import siemload.run.answers.AnswerCheck.DroppedDay;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.FeedLedger.Batches;
import siemload.run.procedure.CacheKeeper;
import siemload.run.procedure.ProcedureContext;
import siemload.run.procedure.StepLog;
import siemload.scenario.Scenario;

/**
 * A run from its settings to its results. First, the server, the data set and the plans are prepared. Then a load is monitored, or a
 * procedure is executed step by step without Gatling. At the end every fed event is looked for, the answers are checked, and the
 * measurements are judged and written. Thread-safe; a procedure is executed by one thread, and may be interrupted by any thread.
 */
final class CompleteRun implements LoadRun {
    /** How long a stopping process waits for its results, and how long it waits for a killed server to end. */
    private static final int PATIENCE_SECONDS = 30;

    private static final String STOPPED = "stopped by itself, since the load did harm: ";

    private final Bench bench;
    private final RunDirectory directory;
    private final RunWriter writer;
    private final EnvironmentRecord environment;
    private final Optional<Slices.Side> side;
    /** Notes about the run. */
    private final Findings found = new Findings();

    private final ProvenPlans plans;
    private final RunMonitor monitor;
    private final AnswerReview answers;
    private volatile Optional<String> harm = Optional.empty();
    private volatile Optional<Load> watched = Optional.empty();

    /**
     * Prepares a run on an open bench.
     *
     * @param writer writes the measurements of every second into the directory
     * @param environment the recorded environment of the run
     * @param side the side that this run belongs to, if sides take turns; empty for a run by itself
     */
    CompleteRun(
            Bench bench,
            RunDirectory directory,
            RunWriter writer,
            EnvironmentRecord environment,
            Optional<Slices.Side> side) {
        this.bench = bench;
        this.directory = directory;
        this.writer = bench.resources().add(writer);
        this.environment = environment;
        this.side = side;
        this.plans = side.map(open -> open.plans(bench, path())).orElseGet(() -> new ProvenPlans(bench, path()));
        settle();
        List<URI> others = plan().settings().find(Property.HOST_METRICS).orElse(List.of());
        this.monitor =
                bench.resources().add(new RunMonitor(writer, bench.store()::openCounters, bench.processes(), others));
        String gaps = "the figures of a host have gaps while the host does not answer: ";
        monitor.unanswered().forEach(silent -> host().line(gaps + silent));
        this.answers = new AnswerReview(bench, path(), found);
    }

    /**
     * Prepares a run with everything that it needs.
     *
     * @throws ConfigException if settings or files are wrong, or if layout or server lack something that the searches need, or do not
     *     follow the hint
     * @throws TargetException if the database is not available
     */
    static CompleteRun open(RunHost host, RunPlan plan, Resources resources) {
        plan.source().warnings().forEach(host::line);
        Path results = plan.settings().value(Property.RESULTS).toAbsolutePath();
        RunDirectory directory = resources.add(RunDirectory.create(plan, results, Instant.now()));
        RunWriter writer = new RunWriter(directory.path(), startLive(host, plan, directory, resources));
        Bench bench = Bench.open(host, plan, resources, directory.runId(), Optional.empty());
        return new CompleteRun(bench, directory, writer, environment(bench), Optional.empty());
    }

    /**
     * Serves the live view, if the settings ask for it, from before the data are loaded until the end of the run.
     *
     * @return the listener that receives everything that the run writes
     * @throws ConfigException if the address is not available
     */
    private static RunListener startLive(RunHost host, RunPlan plan, RunDirectory directory, Resources resources) {
        if (!plan.settings().value(Property.LIVE)) {
            return RunListener.NONE;
        }
        InetSocketAddress address = plan.settings().value(Property.LIVE_ADDRESS);
        try {
            String sentence = plan.scenario().name() + " searches "
                    + plan.source().name() + " on " + plan.choice().plugin().id() + " ("
                    + plan.variantRecord().label() + ")";
            LiveServer server = resources.add(new LiveServer(address, directory.runId(), sentence));
            host.line("live: " + server.url());
            return server.listener();
        } catch (IOException taken) {
            String where = address.getHostString() + ":" + address.getPort();
            String why = "the live view cannot listen at " + where + ": " + taken.getMessage()
                    + " (choose another with -DliveAddress=host:port, port 0 for any free one)";
            throw plan.refusal(Property.LIVE_ADDRESS, why);
        }
    }

    /** Records the environment of a run, before the load: machine, server, tables, scenario and data set. */
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
            // Sizes are read before the load, when equal data sets still have equal sizes.
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
        return values;
    }

    /**
     * Lets server and machine come to rest before a run, if the settings ask for it. Makes a checkpoint, so that the server does not write
     * earlier changes during the run, and then waits for two quiet seconds.
     */
    private void settle() {
        if (!plan().settings().value(Property.SETTLE)) {
            return;
        }
        host().status("waiting for a checkpoint");
        try {
            bench.store().maintenance().ifPresent(Maintenance::checkpoint);
        } catch (TargetException refused) {
            found.note("settled without a checkpoint: " + refused.getMessage());
        }
        QuietHost.Waited waited = QuietHost.await(bench.processes(), host()::status);
        String busy = "the machine was not quiet after %.1f s of waiting: at the end, others took %.0f %% of all CPUs";
        found.noteIf(!waited.quiet(), busy, waited.time().toMillis() / 1e3, waited.busyRatio() * 100);
    }

    @Override
    public Bench bench() {
        return bench;
    }

    /** Returns the directory of this run's results. */
    private Path path() {
        return directory.path();
    }

    /** Returns the error that files cannot be written into the directory of a run. */
    static ConfigException unwritable(RunPlan plan, Path directory, IOException why) {
        return plan.refusal(Property.RESULTS, "files cannot be written to " + directory + ": " + why);
    }

    /** Starts monitoring. @throws ConfigException if the files cannot be written */
    private void start(RunClock clock) {
        try {
            monitor.start(clock);
        } catch (IOException unwritten) {
            throw unwritable(plan(), path(), unwritten);
        }
    }

    /** Stops monitoring, and closes the files that are written every second. */
    @Override
    public RunMonitor.Seen seen(long endNanos) {
        RunMonitor.Seen seen = monitor.finish(endNanos);
        try {
            writer.close();
        } catch (IOException incomplete) {
            found.fault(String.valueOf(incomplete.getMessage()));
            host().line("warning: " + incomplete.getMessage());
        }
        return seen;
    }

    /** Ends the measurement in good order because the load does harm; only the first reason counts. */
    private synchronized void abort(String why, Runnable end) {
        if (harm.isEmpty()) {
            harm = Optional.of(why);
            host().stopping(why);
            end.run();
        }
    }

    private List<AbortCondition> conditions() {
        return plan().settings().find(Property.ABORT_IF).orElse(List.of());
    }

    // ---- a load

    @Override
    public FeedEvents feed() {
        return side.map(Slices.Side::feed).orElseGet(LoadRun.super::feed);
    }

    @Override
    public Batches fed(Batches now) {
        return side.map(one -> one.fed(now)).orElse(now);
    }

    @Override
    public LongConsumer watch(Load load) {
        monitor.countAsGenerator(load.processes());
        RunClock clock = load.clock();
        start(clock);
        AbortWatch harmful = new AbortWatch(conditions());
        Runnable exit = () -> new Thread(() -> host().exit(ExitCode.MISSED), "siemload-abort").start();
        Instant measuredFrom = Instant.now().plusNanos(clock.measureNanos() - System.nanoTime());
        IntervalLog intervals;
        try {
            intervals = new IntervalLog(writer, measuredFrom, clock, load.searches());
        } catch (IOException unwritten) {
            throw unwritable(plan(), path(), unwritten);
        }
        watched = Optional.of(load);
        return nowNanos -> {
            RecordedSearches second = intervals.tick(nowNanos);
            if (!clock.isOver(nowNanos) && !load.interrupted().getAsBoolean()) {
                harmful.second(second).ifPresent(why -> abort(why, exit));
            }
        };
    }

    @Override
    public void finish(LoadOutcome load) {
        try {
            LoadOutcome measured = harm.isPresent() ? load.aborted() : load;
            if (plan().scenario().feeder().isOn()) {
                host().status("looking for the fed events");
            }
            StoredEvents fed = measured.injected()
                    .flatMap(LoadOutcome.Injected::stored)
                    .orElseGet(() -> AnswerReview.lookFor(measured.fed(), bench.store()));
            host().status("reading the plans again");
            boolean again = measured.end().ending() == LoadOutcome.Ending.COMPLETE && side.isEmpty();
            List<PlanRecord> read = again ? plans.readAgain() : plans.asRead();
            if (side.isPresent()) {
                read = read.stream()
                        .map(plan -> plan.with(plan.shapeAtEnd(), ""))
                        .toList();
            }
            host().status("");
            CheckedAnswers checked =
                    answers.check(measured, watched.orElseThrow().interrupted());
            harm.ifPresent(why -> found.fault(STOPPED + why));
            measured.drop()
                    .map(DroppedDay::failure)
                    .filter(why -> !why.isEmpty())
                    .ifPresent(why -> found.fault("the oldest day was not dropped: " + why));
            if (plan().asksExisting()) {
                plan().source().warnings().forEach(found::note);
            }
            ExitCode.End end = write(measured, fed, read, checked);
            host().endWith(end.code(), end.why());
        } finally {
            bench.close();
        }
    }

    /** Judges the load together with earlier findings, and writes run.json and the reports. */
    private ExitCode.End write(LoadOutcome measured, StoredEvents fed, List<PlanRecord> read, CheckedAnswers answered) {
        LoadOutcome.End end = measured.end();
        RunMonitor.Seen seen = measured.seen();
        Scenario scenario = plan().scenario();
        LatencyRecorder searched = measured.searches();
        SearchStatistics all = searched.merged(key -> true);
        Optional<SortedMap<String, String>> server = serverSettings();
        RunIntervals intervals = RunIntervals.read(path());
        FeederResult feeder = intervals.addedTo(
                searched.feeder().result(end.nanos(), fed),
                "",
                Map.of(
                        "latenessMicros", TimeMetric.FEEDER_LATENESS,
                        "acknowledgeMicros", TimeMetric.FEEDER_ACKNOWLEDGE));
        List<SearchResult> searches = intervals.addedTo(searched.results());
        List<SearchResult> totals = intervals.addedTo(searched.totals());
        List<ReplayResult> replays = searched.replays().results();
        Validity verdict = new RunValidity(measured, limits(), found).verdict(feeder, answered, read);
        Objectives objectives = new Objectives(totals, feeder, verdict.disturbance(), end.seconds());
        RunResult result = new RunResult(
                RunResult.FORMAT_VERSION,
                identity(server, end.seconds(), end.ending()),
                new RunResult.Measurement(
                        searches,
                        totals,
                        ServerShare.of(seen.statements(), plans.statements(), searches),
                        feeder,
                        measured.generator().result(all.count(), end.seconds()),
                        seen.database(),
                        intervals.addedTo(
                                searched.feeder().visibility(), "", Map.of("visibleMicros", TimeMetric.VISIBILITY)),
                        measured.pagination(),
                        searched.ticks(end.nanos()),
                        measured.drop().map(drop -> retention(drop, end)).stream()
                                .toList(),
                        replays,
                        seen.hosts(),
                        measured.injected().map(LoadOutcome.Injected::started).orElse(0),
                        measured.injected().map(LoadOutcome.Injected::injectors).orElse(List.of()),
                        searched.replicas().stream()
                                .map(ReplicaRecorder::result)
                                .toList()),
                environment.fingerprints(),
                read,
                List.of(),
                searched.inFlightAtEnd(),
                answered.counts(),
                scenario.objectives().stream().map(objectives::check).toList(),
                verdict);
        boolean unreachable = all.count() > 0 && all.count(Outcome.CONNECTION) == all.count();
        boolean gone = server.isEmpty() || fed.lost() < 0 || unreachable;
        return write(result, end.ending().on(gone, !seen.faults().isEmpty()));
    }

    private static RetentionResult retention(DroppedDay drop, LoadOutcome.End end) {
        String day = LocalDate.ofInstant(drop.day().from(), ZoneOffset.UTC).toString();
        String means = drop.removed()
                .map(removed -> removed.means().name().toLowerCase(Locale.ROOT))
                .orElse("");
        double second = Math.round(end.clock().second(drop.startNanos()) * 1000) / 1000.0;
        long waited =
                drop.removed().map(removed -> removed.waited().toNanos() / 1000).orElse(0L);
        return new RetentionResult(
                day, means, drop.failure(), second, drop.took().toNanos() / 1000, waited);
    }

    /** Returns the resources of the load; the server's CPUs are limited only in a container that siemload started. */
    private LoadLimits limits() {
        RunPlan plan = plan();
        boolean inContainer = plan.choice().provision() == Provision.CONTAINER;
        return new LoadLimits(
                plan.workers(),
                plan.workers() >= plan.users(),
                inContainer ? plan.settings().value(Property.CONTAINER_CPUS) : 0,
                bench.target().transport().equals(Transport.IN_PROCESS));
    }

    // ---- a procedure

    /** Executes the procedure to its end, writes the results, prints the summary, and releases everything. */
    ExitCode followProcedure() {
        FollowedSteps run = new FollowedSteps();
        bench.onInterrupt(run::interrupt);
        try {
            ExitCode.End end = run.follow();
            host().endWith(end.code(), end.why());
            return end.code();
        } finally {
            bench.close();
            run.ended.countDown();
        }
    }

    /** The execution of a procedure's steps. */
    private final class FollowedSteps {
        private final CacheKeeper caches = new CacheKeeper(
                host()::status,
                bench.server(),
                bench.store(),
                bench.processes()::diskBytes,
                monitor::pause,
                found.notes());
        private final StepLog steps = new StepLog(this::tooManyFailures);
        private final CountDownLatch ended = new CountDownLatch(1);

        ExitCode.End follow() {
            RunPlan plan = plan();
            RunClock clock = RunClock.openEnded(System.nanoTime());
            GeneratorCpu cpu = new GeneratorCpu();
            start(clock);
            cpu.phaseStarted();
            ProcedureContext context = new ProcedureContext(
                    bench.stores(),
                    plan.source(),
                    bench.draw(),
                    plan.variant(),
                    plans.shapes(),
                    plan.seed(),
                    caches,
                    bench.processes()::cpuNanos,
                    this::crash,
                    steps,
                    host());
            boolean brokeDown = false;
            try {
                context.follow(plan.scenario().procedure().orElseThrow());
            } catch (TargetException broken) { // earlier measurements are kept
                found.fault("the database broke down: " + broken.getMessage());
                brokeDown = true;
            }
            cpu.phaseEnded();
            long endNanos = System.nanoTime();
            host().status("");
            return judged(clock.measuredSeconds(endNanos), brokeDown, cpu, seen(endNanos));
        }

        /** Ends the procedure at once; returns when the results so far are written. */
        void interrupt() {
            if (ended.getCount() == 0) {
                return;
            }
            steps.interrupt();
            try {
                boolean unused = ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException hurried) {
                Thread.currentThread().interrupt();
            }
        }

        /** Stops the procedure after too many failed steps in a row, if {@code abortIf} lets a run stop itself. */
        private void tooManyFailures() {
            if (!conditions().isEmpty() && !steps.isInterrupted()) {
                String why = StepLog.MOST_FAILURES_IN_A_ROW + " steps in a row failed (to go on, set -DabortIf=never)";
                abort(why, steps::interrupt);
            }
        }

        /** Kills the embedded server, and starts it again. */
        private void crash() {
            try (RunMonitor.Pause unused = monitor.pause()) {
                OptionalLong process = bench.server().server().process();
                if (process.isEmpty()) {
                    throw new TargetException("crash: the server had already ended by itself");
                }
                ProcessHandle.of(process.getAsLong()).ifPresent(CompleteRun::kill);
                caches.startAgain();
            }
        }

        /** Judges the procedure; writes run.json and the reports. */
        private ExitCode.End judged(double seconds, boolean brokeDown, GeneratorCpu cpu, RunMonitor.Seen seen) {
            List<StepRecord> done = steps.steps();
            boolean interrupted = harm.isEmpty() && steps.isInterrupted();
            LoadOutcome.Ending ending = harm.isPresent()
                    ? LoadOutcome.Ending.ABORTED
                    : interrupted ? LoadOutcome.Ending.INTERRUPTED : LoadOutcome.Ending.COMPLETE;
            Optional<SortedMap<String, String>> server = serverSettings();
            RunResult.GeneratorResult generator = cpu.result(done.size(), seconds);
            harm.ifPresent(why -> found.fault(STOPPED + why));
            found.faultIf(interrupted, "interrupted after %d steps", done.size());
            found.faultIf(!interrupted && done.isEmpty(), "no step was executed");
            found.faults().addAll(seen.faults());
            for (StepRecord job : done) {
                double items = job.figures().getOrDefault("failedItems", 0.0);
                double searches = job.figures().getOrDefault("failedSearches", 0.0);
                String number = job.facts().getOrDefault("job", "");
                String first = job.facts().getOrDefault("firstFailure", "");
                String why = first.isEmpty() ? "" : " (the first one: " + first + ")";
                String text = "%s (number %s): %.0f items failed, with %.0f of their searches%s";
                found.faultIf(items > 0, text, job.name(), number, items, searches, why);
            }
            // If a step was not measured, the run lacks a number that other runs have.
            List<StepRecord> failed = done.stream().filter(StepRecord::failed).toList();
            failed.stream()
                    .limit(1)
                    .forEach(step -> found.fault(
                            "step " + step.name() + " failed: " + step.facts().get(StepRecord.ERROR)));
            found.faultIf(failed.size() > 1, "%d of %d steps failed", failed.size(), done.size());
            int servers = bench.stores().size();
            found.noteIf(servers > 1, "counters, sizes and plans are those of the first of %d servers", servers);
            MachineValidity machine = new MachineValidity(seen.host(), seconds, false, generator.cpuRatio(), found);
            machine.checkGenerator(MicrosSummary.NONE, MicrosSummary.NONE);
            found.notes().addAll(seen.notes());
            RunResult result = new RunResult(
                    RunResult.FORMAT_VERSION,
                    identity(server, seconds, ending),
                    RunResult.Measurement.withoutLoad(generator, seen.database(), seen.hosts()),
                    environment.fingerprints(),
                    plans.asRead(),
                    done,
                    0,
                    RunResult.AnswerCounts.NONE,
                    List.of(),
                    Validity.of(found.faults(), machine.disturbance(), Saturation.NONE, found.notes()));
            return write(
                    result,
                    ending.on(brokeDown || server.isEmpty(), !seen.faults().isEmpty()));
        }
    }

    /** Kills a process and its descendants, the parent first: otherwise it could replace a killed descendant. */
    private static void kill(ProcessHandle first) {
        List<ProcessHandle> all =
                Stream.concat(Stream.of(first), first.descendants()).toList();
        all.forEach(ProcessHandle::destroyForcibly);
        for (ProcessHandle process : all) {
            ProcessHandle unused = process.onExit()
                    .completeOnTimeout(process, PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .join();
            if (process.isAlive()) {
                throw new TargetException("crash: process " + process.pid() + " of the server cannot be killed");
            }
        }
    }

    // ---- results

    /**
     * Returns the facts about the run itself for run.json.
     *
     * @param ofServer the server's settings, from {@link #serverSettings}
     */
    private RunResult.RunIdentity identity(
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
        List<RunResult.SettingRecord> settings = plan.values().stream()
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

    /** Returns the server's settings at the end of a run; if the server is gone, which is a fault, the result is empty. */
    private Optional<SortedMap<String, String>> serverSettings() {
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
     * Writes run.json, environment.json and the reports, and prints the summary.
     *
     * @param ending how the measurement ended
     * @return how the process should end; if run.json could not be written, the user was told why
     */
    private ExitCode.End write(RunResult result, LoadOutcome.Ending ending) {
        try {
            RunResult.write(RunFile.RUN.in(path()), result);
            environment.write(RunFile.ENVIRONMENT.in(path()));
            directory.markLatest();
        } catch (IOException unwritten) {
            host().line(RunReports.text(result));
            String why = RegularFile.reason(unwritten);
            host().failure("the results could not be written to " + path() + ": " + why, unwritten);
            return new ExitCode.End(ExitCode.INVALID_INPUT, "");
        }
        // The measurements are safe by now: a report can be made again, and must not change how the run ends.
        try {
            if (side.isEmpty()) {
                host().results(RunReports.write(path()));
            }
        } catch (IOException | RuntimeException unwritten) {
            host().line(RunReports.text(result) + "results: " + RunFile.RUN.in(path()));
            host().line("warning: the reports could not be written: " + unwritten.getMessage() + " (./siemload report "
                    + path() + " tries again)");
        }
        return ExitCode.of(result, ending, plan().settings().value(Property.FAIL_ON));
    }
}
