package siemload.run;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.database.DatasetKey;
import siemload.database.Provision;
import siemload.database.Store;
import siemload.database.Target;
import siemload.database.provision.ProvidedServer;
import siemload.dataset.ValuePools;
import siemload.measure.FeederRecorder;
import siemload.measure.IntervalLog;
import siemload.measure.LatencyRecorder;
import siemload.measure.RunClock;
import siemload.measure.monitor.RunMonitor;
import siemload.query.Search;
import siemload.results.RunResult;
import siemload.results.SearchKey;
import siemload.results.StoredEvents;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.SampledAnswer;
import siemload.scenario.StatementDraw;

/**
 * One load run around the load itself, which is the business of {@code load}: before it, the run gets a server,
 * loads the data set unless the server keeps it, and copies it; after it, the run looks for every fed event, writes the
 * results and gives everything back. Thread-safe.
 */
public final class LoadRun {
    private final RunSetup setup;
    private final ProvenPlans plans;
    private final LoadCaches caches;
    private final Settling settling;
    private final DataChanges changes;
    private volatile Optional<Runnable> interruption = Optional.empty();
    private volatile boolean interrupted;
    private volatile Optional<String> harm = Optional.empty();
    private volatile Optional<String> incompleteLogs = Optional.empty();

    private LoadRun(RunSetup setup) {
        this.setup = setup;
        this.plans = new ProvenPlans(setup);
        this.caches = new LoadCaches(setup);
        this.settling = new Settling(setup);
        this.changes = DataChanges.from(setup.store());
    }

    /**
     * Gets everything ready for the load.
     *
     * @throws ConfigException if settings or files are wrong
     * @throws siemload.database.TargetException if the database cannot be had
     */
    static LoadRun open(RunHost host, RunPlan plan, Resources resources) {
        return new LoadRun(RunSetup.open(host, plan, resources));
    }

    /**
     * Loads the data set of the settings and keeps it for later runs.
     *
     * @throws siemload.config.ConfigException if settings or files are wrong
     * @throws siemload.database.TargetException if the database cannot be had
     */
    public static void loadOnly(RunHost host) {
        try (Resources resources = new Resources()) {
            host.onShutdown(resources::close);
            RunPlan plan = RunPlan.read(host.settings(), host.home(), host::status);
            if (plan.asksStatements()) {
                throw new ConfigException(
                        plan.settings().origin(Property.DATA), "existing data are there already: nothing is loaded");
            }
            plan.source().warnings().forEach(host::line);
            requireLasting(plan);
            ProvidedServer server = new ServerStart(host, plan, resources).start();
            Target target = RunSetup.connect(host, plan, server, RunPlan.OTHER_CONNECTIONS, resources);
            DatasetKey key = DatasetKeys.of(plan, target.version());
            new ForeignServerCheck(host, plan)
                    .take(target, key, server.address().url());
            if (target.holds(key) && !plan.settings().value(Property.RELOAD)) {
                host.line(key.label() + ": already loaded (-Dreload=true loads it anew)");
            } else {
                new DatasetLoading(host, plan).load(target, key);
            }
        }
    }

    /** A data set loaded into a container that is removed at once is of no use. */
    private static void requireLasting(RunPlan plan) {
        if (plan.choice().provision() == Provision.CONTAINER && !plan.settings().value(Property.KEEP_CONTAINER)) {
            throw new ConfigException(
                    plan.settings().setting(Property.PROVISION).orElseThrow().origin(),
                    "a data set loaded into a container is gone with it (add -DkeepContainer=true, or load it into"
                            + " another server)");
        }
    }

    public RunHost host() {
        return setup.host();
    }

    /** What was decided before a server was touched. */
    public RunPlan plan() {
        return setup.plan();
    }

    /** The values that searches look for. */
    public ValuePools pools() {
        return setup.pools();
    }

    /** The statements that users ask in the place of searches, with their values; none where they search for events. */
    public StatementDraw statements() {
        return setup.statements();
    }

    /** The run's own copy of the data set. */
    public Store store() {
        return setup.store();
    }

    /** Sets what to do when the process is stopped: end the load and call {@link #finish}. */
    public void onInterrupt(Runnable action) {
        interruption = Optional.of(action);
    }

    /**
     * Ends the process in good order, since the load does harm; the first reason counts.
     *
     * @param why which condition holds, and what was seen
     */
    public synchronized void abort(String why) {
        if (harm.isEmpty() && !interrupted) {
            harm = Optional.of(why);
            setup.host().status("");
            setup.host().line("stopping: " + why);
            new Thread(() -> setup.host().exit(ExitCode.INCONCLUSIVE), "siemload-abort").start();
        }
    }

    /** Whether the load was ended since it did harm. */
    public boolean isAborted() {
        return harm.isPresent();
    }

    /** Ends the load because the process is being stopped. */
    void interrupt() {
        interrupted = true;
        interruption.ifPresent(Runnable::run);
    }

    /**
     * Reads how the server goes about the searches, and makes sure that it follows the hint of the run.
     *
     * @param examples one search of each kind
     * @param various several searches of each kind, by whose statements the server's own times are told
     * @throws ConfigException if the hint takes no effect, unless the settings allow that
     */
    public void provePlans(Map<SearchKey, Search> examples, Map<SearchKey, List<Search>> various) {
        setup.times().of("plans", () -> plans.prove(examples, various));
    }

    /**
     * Brings the server into the state that the run asks for: the last thing before its connections are opened.
     *
     * @throws siemload.database.TargetException if the state cannot be had
     */
    public void prepareServer() {
        setup.times().of("preparation", () -> {
            settling.checkpoint();
            caches.prepare();
            settling.awaitQuiet();
        });
    }

    /**
     * Opens the logs of every second, in the directory of the run.
     *
     * @throws ConfigException if they cannot be written
     */
    public IntervalLog openLog(RunClock clock, LatencyRecorder searches, FeederRecorder feeder) {
        Instant measuredFrom = Instant.now().plusNanos(clock.measureNanos() - System.nanoTime());
        try {
            return new IntervalLog(setup.writer(), measuredFrom, clock, searches, feeder);
        } catch (IOException unwritable) {
            throw new ConfigException(
                    setup.origin(Property.RESULTS),
                    "logs cannot be written to " + setup.directory().path() + ": " + unwritable);
        }
    }

    /** Gets ready to watch database and machine. */
    public RunMonitor openMonitor() {
        return setup.openMonitor();
    }

    /**
     * Starts to watch them.
     *
     * @throws ConfigException if what is seen cannot be written
     */
    public void start(RunMonitor monitor, RunClock clock) {
        setup.start(monitor, clock);
    }

    /** Closes the logs of every second; where they are not complete, the run cannot be trusted. */
    public void close(IntervalLog log) {
        try {
            log.close();
        } catch (IOException incomplete) {
            incompleteLogs = Optional.of(String.valueOf(incomplete.getMessage()));
            setup.host().line("warning: " + incomplete.getMessage());
        }
    }

    /** Writes the results, says what was measured, and gives everything back. */
    public void finish(LoadOutcome measured) {
        RunHost host = setup.host();
        try {
            if (setup.plan().scenario().feeder().isOn()) {
                host.status("looking for the fed events");
            }
            OutsideTimes times = setup.times();
            StoredEvents fed = times.of(
                    "fedEvents",
                    () -> FedEvents.lookFor(
                            measured.fed().acknowledgedIds(), measured.fed().unacknowledgedIds(), setup.store()));
            host.status("asking for the plans once more");
            boolean complete = measured.end().ending() == LoadOutcome.Ending.COMPLETE;
            List<RunResult.PlanRecord> seen =
                    times.of("plansAtEnd", () -> complete ? plans.readAgain() : plans.asRead());
            host.status("");
            List<String> warnings = new ArrayList<>(plans.warnings());
            List<SampledAnswer> hours = complete ? TrendOffer.hours(measured, setup.store(), warnings) : List.of();
            AnswerReview review = new AnswerReview(
                    host, setup.plan().source(), hours, setup.directory().path(), changes.rows());
            CheckedAnswers answers = times.of("answers", () -> review.review(measured, () -> interrupted));
            harm.ifPresent(why -> warnings.add("stopped by itself, since the load did harm: " + why));
            caches.doubt().ifPresent(warnings::add);
            measured.drop()
                    .map(DayDrop::failure)
                    .filter(why -> !why.isEmpty())
                    .ifPresent(why -> warnings.add("the oldest day was not dropped: " + why));
            incompleteLogs.ifPresent(warnings::add);
            List<String> notes = new ArrayList<>(settling.notes());
            notes.addAll(caches.notes());
            TrendOffer.note(hours, answers).ifPresent(notes::add);
            review.note(measured).ifPresent(notes::add);
            host.endWith(
                    new RunOutcome(setup, plans.statements(), warnings, notes).write(measured, fed, seen, answers));
        } finally {
            setup.resources().close();
        }
    }

    /** Gives everything back where no load took place. */
    public void abandon() {
        setup.resources().close();
    }
}
