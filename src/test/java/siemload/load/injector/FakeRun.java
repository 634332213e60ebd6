package siemload.load.injector;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import siemload.config.Property;
import siemload.config.SettingSources;
import siemload.config.Settings;
import siemload.measure.AbortWatch;
import siemload.measure.monitor.RunMonitor;
import siemload.run.Bench;
import siemload.run.LoadOutcome;
import siemload.run.LoadRun;
import siemload.run.QuietHost;
import siemload.run.RunHost;
import siemload.run.RunPlan;

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
    public Bench bench() {
        throw new UnsupportedOperationException("there is no server");
    }

    @Override
    public RunHost host() {
        return new QuietHost(lines);
    }

    @Override
    public RunPlan plan() {
        return plan;
    }

    /** Ends nothing, but keeps why the load should be ended. */
    @Override
    public LongConsumer watch(Load load) {
        AbortWatch harmful =
                new AbortWatch(plan.settings().find(Property.ABORT_IF).orElse(List.of()));
        return nowNanos -> harmful.second(load.searches()).ifPresent(why -> harm = harm.or(() -> Optional.of(why)));
    }

    @Override
    public RunMonitor.Seen seen(long endNanos) {
        return RunMonitor.Seen.NOTHING;
    }

    @Override
    public void finish(LoadOutcome measured) {
        outcome = Optional.of(measured);
    }
}
