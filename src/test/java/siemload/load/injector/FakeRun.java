package siemload.load.injector;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.config.Property;
import siemload.config.SettingSources;
import siemload.config.Settings;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.dataset.ValuePools;
import siemload.measure.AbortWatch;
import siemload.measure.FeederRecorder;
import siemload.measure.LatencyRecorder;
import siemload.measure.RunClock;
import siemload.measure.SecondLog;
import siemload.measure.monitor.RunMonitor;
import siemload.results.MicrosSummary;
import siemload.run.LoadOutcome;
import siemload.run.LoadRun;
import siemload.run.QuietHost;
import siemload.run.RunHost;
import siemload.run.RunPlan;
import siemload.run.answers.FeedLedger;

/** A run without a server, which keeps what it comes to. */
final class FakeRun implements LoadRun {
    private final RunPlan plan;
    private final List<String> lines = new ArrayList<>();
    private Optional<LoadOutcome> outcome = Optional.empty();
    private Optional<String> harm = Optional.empty();
    /** @param properties of the run, by name */
    FakeRun(Map<String, String> properties) {
        Map<String, String> all = new HashMap<>(Map.of("dataset", "src/test/resources/datasets/tiny.yaml"));
        all.putAll(properties);
        this.plan = RunPlan.read(Settings.of(new SettingSources(Map.of(), all, Map.of())), Path.of(""));
    }

    /** What it was finished with. */
    LoadOutcome outcome() {
        return outcome.orElseThrow();
    }

    /** What it said. */
    List<String> lines() {
        return lines;
    }

    /** Why it was aborted, if it was. */
    Optional<String> aborted() {
        return harm;
    }

    @Override
    public AbortWatch harm() {
        return new AbortWatch(plan.settings().find(Property.ABORT_IF).orElse(List.of()), () -> Duration.ZERO);
    }

    @Override
    public RunHost host() {
        return new QuietHost(lines);
    }

    @Override
    public RunPlan plan() {
        return plan;
    }

    @Override
    public ValuePools pools() {
        throw new UnsupportedOperationException("nobody draws values");
    }

    @Override
    public Store store() {
        throw new UnsupportedOperationException("there is no store");
    }

    @Override
    public ServerAddress server() {
        throw new UnsupportedOperationException("there is no server");
    }

    @Override
    public void onInterrupt(Runnable action) {}

    @Override
    public void interrupt() {}

    @Override
    public long awaitStart(long nowNanos) {
        return nowNanos;
    }

    @Override
    public void watch(RunClock clock) {}

    @Override
    public SecondLog openLog(RunClock clock, LatencyRecorder searches, FeederRecorder feeder, FeedLedger ledger) {
        return new SecondLog() {
            @Override
            public void tick(long nowNanos) {}

            @Override
            public void close() {}
        };
    }

    @Override
    public void abort(String why) {
        harm = harm.or(() -> Optional.of(why));
    }

    @Override
    public boolean isAborted() {
        return harm.isPresent();
    }

    @Override
    public RunMonitor.Seen seen(long endNanos, MicrosSummary eventLoopLateness) {
        return RunMonitor.Seen.NOTHING;
    }

    @Override
    public void finish(LoadOutcome measured) {
        outcome = Optional.of(measured);
    }

    @Override
    public void abandon() {}
}
