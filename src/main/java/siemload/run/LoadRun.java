package siemload.run;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import siemload.database.ServerAddress;
import siemload.database.ServerClock;
import siemload.database.Store;
import siemload.dataset.ValuePools;
import siemload.measure.AbortWatch;
import siemload.measure.ClockOffset;
import siemload.measure.FeederRecorder;
import siemload.measure.LatencyRecorder;
import siemload.measure.RunClock;
import siemload.measure.SecondLog;
import siemload.measure.monitor.RunMonitor;
import siemload.query.Search;
import siemload.results.MicrosSummary;
import siemload.results.SearchKey;
import siemload.run.answers.FeedLedger;
import siemload.scenario.StatementDraw;

/**
 * One load run around the load itself, which is the business of {@code load}: all of it, from a server to the results, or the
 * part of an injector, for which somebody else sees to that. Its methods are called in their order here. Thread-safe.
 */
public interface LoadRun {

    RunHost host();

    /** What was decided before a server was touched. */
    RunPlan plan();

    /** The values that searches look for. */
    ValuePools pools();

    /** The statements that users ask in the place of searches, with their values; none where they search for events. */
    StatementDraw statements();

    /** What is searched and fed. */
    Store store();

    /** Where users search, by {@link RunPlan#routing}: in that store itself, or on replicas that have it. */
    default List<ReadStore> readStores() {
        return ReadStore.alone(store());
    }

    /** Where the server is that has it, and who asks. */
    ServerAddress server();

    /** Sets what to do when the process is stopped: end the load and call {@link #finish}. */
    void onInterrupt(Runnable action);

    /** Ends the load because the process is being stopped. */
    void interrupt();

    /**
     * Reads how the server goes about the searches, and makes sure that it follows the hint of the run.
     *
     * @param examples one search of each kind
     * @param various several searches of each kind, by whose statements the server's own times are told
     * @throws siemload.config.ConfigException if the hint takes no effect, unless the settings allow that
     */
    void provePlans(Map<SearchKey, Search> examples, Map<SearchKey, List<Search>> various);

    /**
     * Brings the server into the state that the run asks for: the last thing before its connections are opened.
     *
     * @throws siemload.database.TargetException if the state cannot be had
     */
    void prepareServer();

    /** How this process's clock goes with the server's now; with the machine's, where the server has none. */
    default ClockOffset clock() {
        Optional<ServerClock> opened = store().openClock();
        if (opened.isEmpty()) {
            return ClockOffset.measure(Instant::now, Duration.ZERO, System::nanoTime);
        }
        try (ServerClock server = opened.orElseThrow()) {
            return ClockOffset.measure(server::now, server.resolution(), System::nanoTime);
        }
    }

    /** Gets ready to watch database and machine. */
    void openMonitor();

    /**
     * When the load begins, on the monotonic clock: at once, or at an instant on which all its parts have agreed, which this
     * waits for.
     *
     * @throws siemload.database.TargetException if it does not come, or cannot be reached any more
     */
    long awaitStart(long nowNanos);

    /** Is told, before it watches, by which processes of this machine the load is made, beside this one: they are no other programs. */
    void loadIsMadeBy(Set<Long> processes);

    /**
     * Starts to watch database and machine.
     *
     * @throws siemload.config.ConfigException if what is seen cannot be written
     */
    void watch(RunClock clock);

    /**
     * Opens what takes every second.
     *
     * @throws siemload.config.ConfigException if it cannot be written
     */
    SecondLog openLog(RunClock clock, LatencyRecorder searches, FeederRecorder feeder, FeedLedger ledger);

    /** What finds out whether the load does harm. */
    AbortWatch harm();

    /**
     * Ends the process in good order, since the load does harm; the first reason counts.
     *
     * @param why which condition holds, and what was seen
     */
    void abort(String why);

    /** Whether the load was ended since it did harm. */
    boolean isAborted();

    /** Closes what took every second; where it is not complete, the run cannot be trusted. */
    void close(SecondLog log);

    /**
     * Stops watching; to be called when all sessions of the run are closed.
     *
     * @param endNanos when the load ended
     * @param eventLoopLateness how late the timers of the load generator were in the measured phase
     */
    RunMonitor.Seen seen(long endNanos, MicrosSummary eventLoopLateness);

    /** Writes the results, or hands them over, and gives everything back. */
    void finish(LoadOutcome measured);

    /** Gives everything back where no load took place. */
    void abandon();
}
