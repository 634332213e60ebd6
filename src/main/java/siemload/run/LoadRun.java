package siemload.run;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.check.CheckedAnswers;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.dataset.EventSource;
import siemload.dataset.ValuePools;
import siemload.environment.EnvironmentRecord;
import siemload.measure.FeederRecorder;
import siemload.measure.IntervalLog;
import siemload.measure.LatencyRecorder;
import siemload.measure.RunClock;
import siemload.measure.RunResult;
import siemload.measure.SearchKey;
import siemload.monitor.RunMonitor;
import siemload.provision.ProvidedServer;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.scenario.Scenario;
import siemload.target.DatasetKey;
import siemload.target.Provision;
import siemload.target.SearchSession;
import siemload.target.Store;
import siemload.target.Target;
import siemload.target.TargetException;
import siemload.target.TargetOptions;
import siemload.target.Variant;

/**
 * One load run around the load itself, which is the business of {@code simulation}: before it, the run gets a server,
 * loads the data set unless the server keeps it, and copies it; after it, the run looks for every fed event, writes the
 * results and gives everything back. Thread-safe.
 */
public final class LoadRun {
    private final RunHost host;
    private final RunPlan plan;
    private final RunDirectory directory;
    private final Resources resources;
    private final ProvidedServer server;
    private final Target target;
    private final ValuePools pools;
    private final Store store;
    private final PlanBook plans;
    private final EnvironmentRecord environment;
    private final List<String> warnings = new ArrayList<>();
    private volatile Optional<Runnable> interruption = Optional.empty();
    private volatile boolean interrupted;

    private LoadRun(
            RunHost host,
            RunPlan plan,
            RunDirectory directory,
            Resources resources,
            ProvidedServer server,
            Target target,
            ValuePools pools,
            Store store) {
        this.host = host;
        this.plan = plan;
        this.directory = directory;
        this.resources = resources;
        this.server = server;
        this.target = target;
        this.pools = pools;
        this.store = store;
        this.plans = new PlanBook(directory.path(), plan.variant().hint());
        this.environment = RunEnvironment.of(plan, host.home(), server, target, store);
    }

    /**
     * Gets everything ready for the load.
     *
     * @throws siemload.config.ConfigException if settings or files are wrong
     * @throws siemload.target.TargetException if the database cannot be had
     */
    static LoadRun open(RunHost host, Resources resources) {
        RunPlan plan = readPlan(host);
        RunDirectory directory = RunDirectory.create(plan, Instant.now());
        resources.add(directory::removeIfEmpty);
        LiveView.start(host, plan, directory, resources);
        ProvidedServer server = new ServerStart(host, plan, resources).start();
        Target target = connect(plan, server, resources);
        DatasetKey key = Keys.of(plan, target.version());
        ValuePools pools = new DatasetLoading(host, plan).load(target, key);
        host.status("copying " + plan.source().name() + " for this run");
        Store store = resources.add(target.copy(key, directory.runId()));
        host.status("");
        return new LoadRun(host, plan, directory, resources, server, target, pools, store);
    }

    /**
     * Loads the data set of the settings and keeps it for later runs.
     *
     * @throws siemload.config.ConfigException if settings or files are wrong
     * @throws siemload.target.TargetException if the database cannot be had
     */
    public static void loadOnly(RunHost host) {
        try (Resources resources = new Resources()) {
            host.onShutdown(resources::close);
            RunPlan plan = readPlan(host);
            requireLasting(plan);
            ProvidedServer server = new ServerStart(host, plan, resources).start();
            Target target = connect(plan, server, resources);
            DatasetKey key = Keys.of(plan, target.version());
            if (target.holds(key)) {
                host.line(key.label() + ": already loaded");
            } else {
                new DatasetLoading(host, plan).load(target, key);
            }
        }
    }

    private static RunPlan readPlan(RunHost host) {
        RunPlan plan = RunPlan.read(host.settings(), host.home());
        plan.source().warnings().forEach(host::line);
        return plan;
    }

    /** A data set loaded into a container that is removed at once is of no use to anybody. */
    private static void requireLasting(RunPlan plan) {
        if (plan.choice().provision() == Provision.CONTAINER && !plan.settings().value(Property.KEEP_CONTAINER)) {
            throw new ConfigException(
                    plan.settings().setting(Property.PROVISION).orElseThrow().origin(),
                    "a data set loaded into a container is gone with it (add -DkeepContainer=true, or load it into"
                            + " another server)");
        }
    }

    private static Target connect(RunPlan plan, ProvidedServer server, Resources resources) {
        TargetOptions options = new TargetOptions(plan.variant(), plan.searchTimeout(), plan.sessions());
        return resources.add(plan.choice().plugin().connect(server.address(), options));
    }

    public RunHost host() {
        return host;
    }

    /** The scenario after all overrides. */
    public Scenario scenario() {
        return plan.scenario();
    }

    public Variant variant() {
        return plan.variant();
    }

    public EventSource source() {
        return plan.source();
    }

    /** The values that searches look for. */
    public ValuePools pools() {
        return pools;
    }

    /** The run's own copy of the data set. */
    public Store store() {
        return store;
    }

    /** The number of search workers, 1 or more. */
    public int workers() {
        return plan.workers();
    }

    public Duration searchTimeout() {
        return plan.searchTimeout();
    }

    /** The share of the searches whose answers are checked, 0 to 1. */
    public double checkRatio() {
        return plan.settings().value(Property.CHECKS);
    }

    /** Whether probes look for fed events and turn pages beside the analysts. */
    public boolean probes() {
        return plan.settings().value(Property.PROBES);
    }

    /** All ways of paging that the target offers. */
    public List<Paging> pagings() {
        return plan.choice().plugin().abilities().pagings();
    }

    /** The seed of everything drawn by chance during the load. */
    public long seed() {
        return plan.seed();
    }

    /** Sets what to do when somebody stops the process: end the load and call {@link #finish}. */
    public void onInterrupt(Runnable action) {
        interruption = Optional.of(action);
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
     * @throws ConfigException if the hint takes no effect, unless the settings allow that
     */
    public void provePlans(Map<SearchKey, Search> examples) {
        host.status("reading the plans of " + examples.size() + " kinds of search");
        try (SearchSession session = store.openSession()) {
            plans.read(examples, session);
        } catch (IOException unwritten) {
            throw new ConfigException(
                    origin(Property.RESULTS), "the plans cannot be written to " + directory.path() + ": " + unwritten);
        }
        host.status("");
        String missed = plans.missedHints();
        if (missed.isEmpty()) {
            return;
        }
        String problem = "hint '" + plan.variant().hint().label() + "' took no effect on " + missed;
        if (!plan.settings().value(Property.ALLOW_INEFFECTIVE_HINT)) {
            throw new ConfigException(
                    origin(Property.HINT), problem + "; go on nevertheless with -DallowIneffectiveHint=true");
        }
        host.line("warning: " + problem);
        warnings.add(problem);
    }

    /**
     * Opens the logs of every second, in the directory of the run.
     *
     * @throws ConfigException if they cannot be written
     */
    public IntervalLog openLog(RunClock clock, LatencyRecorder searches, FeederRecorder feeder) {
        Instant measuredFrom = Instant.now().plusNanos(clock.measureNanos() - System.nanoTime());
        try {
            return new IntervalLog(directory.path(), measuredFrom, clock, searches, feeder);
        } catch (IOException unwritable) {
            throw new ConfigException(
                    origin(Property.RESULTS), "logs cannot be written to " + directory.path() + ": " + unwritable);
        }
    }

    /** Gets ready to watch database and machine. */
    public RunMonitor openMonitor() {
        return resources.add(RunMonitor.open(
                directory.path(),
                store::openCounters,
                ServerPlace.processes(server, plan.choice().plugin().processNames())));
    }

    /**
     * Starts to watch them.
     *
     * @throws ConfigException if what is seen cannot be written
     */
    public void start(RunMonitor monitor, RunClock clock) {
        try {
            monitor.start(clock);
        } catch (IOException unwritable) {
            throw new ConfigException(
                    origin(Property.RESULTS), "files cannot be written to " + directory.path() + ": " + unwritable);
        }
    }

    /** Closes the logs of every second; says so where they are not complete. */
    public void close(IntervalLog log) {
        try {
            log.close();
        } catch (IOException incomplete) {
            host.line("warning: " + incomplete.getMessage());
        }
    }

    /** Writes the results, says what was measured, and gives everything back. */
    public void finish(Measured measured) {
        try {
            host.status("looking for the fed events");
            FedEvents fed = FedEvents.lookFor(measured.acknowledgedIds(), store);
            host.status("reading the plans once more");
            List<RunResult.PlanRecord> seen = plansAtEnd(measured);
            host.status("");
            CheckedAnswers answers =
                    new AnswerReview(host, plan.source(), directory.path()).review(measured, () -> interrupted);
            RunOutcome outcome = new RunOutcome(plan, directory, server, target, warnings, environment);
            host.endWith(outcome.write(host, measured, fed, seen, answers));
        } finally {
            resources.close();
        }
    }

    private List<RunResult.PlanRecord> plansAtEnd(Measured measured) {
        if (measured.ending() == Measured.Ending.INTERRUPTED) {
            return plans.asRead();
        }
        try (SearchSession session = store.openSession()) {
            return plans.compareWith(session);
        } catch (IOException | TargetException unreadable) {
            return plans.asRead();
        }
    }

    private Origin origin(Property<?> property) {
        return plan.settings().origin(property);
    }

    /** Gives everything back where no load took place. */
    public void abandon() {
        resources.close();
    }
}
