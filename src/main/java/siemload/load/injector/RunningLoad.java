package siemload.load.injector;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import siemload.config.Property;
import siemload.database.registry.Holder;
import siemload.load.StatusLine;
import siemload.measure.AbortWatch;
import siemload.measure.ClockOffset;
import siemload.measure.FeederRecorder;
import siemload.measure.LatencyRecorder;
import siemload.measure.RunClock;
import siemload.measure.SecondLog;
import siemload.measure.monitor.RunMonitor;
import siemload.results.MicrosSummary;
import siemload.run.ExitCode;
import siemload.run.InjectorOutcome;
import siemload.run.InjectorSecond;
import siemload.run.LoadOutcome;
import siemload.run.LoadRun;
import siemload.run.RunPlan;
import siemload.run.Shard;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.FeedLedger;
import siemload.scenario.Phases;

/** The load from its start to its results, as the injectors tell it. Used by one thread. */
final class RunningLoad {
    private static final Duration OVERTIME = Duration.ofMinutes(2);
    private static final Duration STOPPING = Duration.ofSeconds(4);
    private static final Duration CHECKING = Duration.ofMinutes(30);

    private final LoadRun run;
    private final InjectorGroup group;
    private final Map<Integer, Frame.Ready> ready;
    private final ClockOffset here;
    private final RunClock clock;
    private final LatencyRecorder searches;
    private final FeederRecorder feeder;
    private final FeedLedger ledger;
    private final AbortWatch harm;
    private final MergedSeconds seconds;
    private final SecondLog log;
    private final Map<Integer, InjectorOutcome> outcomes = new HashMap<>();
    private final List<String> faults = new ArrayList<>();

    /**
     * A load that is about to begin.
     *
     * @param ready what the injectors have said of themselves
     * @param here how this process's clock goes with the server's
     * @param startNanos when, on the monotonic clock of this process
     */
    RunningLoad(LoadRun run, InjectorGroup group, Map<Integer, Frame.Ready> ready, ClockOffset here, long startNanos) {
        this.run = run;
        this.group = group;
        this.ready = ready;
        this.here = here;
        Phases phases = run.plan().scenario().phases();
        this.clock = RunClock.startingAt(startNanos, phases.warmup(), phases.measurement());
        this.searches = new LatencyRecorder(clock);
        searches.replicas().expect(run.plan().readUrls());
        this.feeder = new FeederRecorder(clock, run.plan().scenario().feeder().rate());
        this.ledger = new FeedLedger(run.plan().scenario().feeder().batch());
        this.harm = run.harm();
        this.seconds = new MergedSeconds(group.size(), searches, feeder, this::secondEnded);
        run.loadIsMadeBy(Holder.numbersHere(
                ready.values().stream().map(Frame.Ready::process).toList()));
        run.watch(clock);
        this.log = run.openLog(clock, searches, feeder, ledger);
    }

    /** How long that takes at most, from the start of the load until its injectors have checked their answers. */
    static Duration longest(RunPlan plan) {
        Phases phases = plan.scenario().phases();
        return phases.warmup()
                .plus(phases.measurement())
                .plus(plan.searchTimeout())
                .plus(OVERTIME)
                .plus(STOPPING)
                .plus(CHECKING);
    }

    /** Hears of the load until it is over, and finishes the run. */
    void toEnd(BooleanSupplier interrupted) throws InterruptedException {
        try (StatusLine status = new StatusLine(run.host()::status, run.plan().asked(), clock, searches, fed())) {
            status.start();
            hearOfLoad();
        }
        for (int i = 0; i < group.size(); i++) {
            seconds.end(i);
        }
        run.close(log);
        RunMonitor.Seen seen = run.seen(endNanos(), MicrosSummary.NONE);
        LoadOutcome.Ending ending = ending(interrupted);
        MergedLoad merged = new MergedLoad(run, clock, searches, feeder, ledger, List.copyOf(outcomes.values()));
        CheckedAnswers answers = ending == LoadOutcome.Ending.COMPLETE ? checked() : merged.unchecked();
        // Whoever is left must not be at work in the store when the run looks there, and drops it.
        group.close();
        run.finish(merged.outcome(endNanos(), ending(interrupted), seen, faults, answers));
    }

    private void hearOfLoad() throws InterruptedException {
        Duration longest = Duration.ofNanos(clock.endNanos() - System.nanoTime())
                .plus(run.plan().searchTimeout())
                .plus(OVERTIME);
        try {
            if (!group.hearUntil(outcomes::containsKey, longest, "end", this::hear)) {
                group.stop(outcomes::containsKey, STOPPING, this::hear);
            }
        } catch (InjectorFailure failed) {
            faults.add(String.valueOf(failed.getMessage()));
            run.host().stopping(String.valueOf(failed.getMessage()));
            group.stop(outcomes::containsKey, STOPPING, this::hear);
        }
    }

    private Optional<FeederRecorder> fed() {
        return run.plan().scenario().feeder().isOn() ? Optional.of(feeder) : Optional.empty();
    }

    private boolean allEnded() {
        return outcomes.size() == group.size();
    }

    private void hear(int injector, Frame frame) throws InjectorFailure {
        if (frame instanceof Frame.Second said) {
            note(injector, said.second());
            seconds.take(injector, said.second());
        } else if (frame instanceof Frame.Ended said) {
            outcomes.put(injector, said.outcome());
            seconds.end(injector);
            requireWhole(injector, said.outcome());
        } else {
            throw group.failure(injector, "said " + frame + " during the load", ExitCode.BUG);
        }
    }

    private void requireWhole(int injector, InjectorOutcome outcome) throws InjectorFailure {
        if (outcome.ending() != LoadOutcome.Ending.COMPLETE) {
            String how = group.fate(injector).map(fate -> ": it " + fate).orElse("");
            throw group.failure(injector, "was stopped by somebody" + how, ExitCode.INCONCLUSIVE);
        }
    }

    /** Each batch belongs to one of them: nothing may be fed twice. */
    private void note(int injector, InjectorSecond second) throws InjectorFailure {
        ClockOffset its =
                Optional.ofNullable(ready.get(injector)).map(Frame.Ready::clock).orElse(here);
        Shard shard = new Shard(injector, group.size());
        for (FeedLedger.Entry entry : second.entries()) {
            boolean sentBefore = ledger.isSent(entry.batch());
            if (!shard.has(entry.batch()) || sentBefore == (entry.change() == FeedLedger.Change.SENT)) {
                throw group.failure(injector, "fed batch " + entry.batch() + ", which is not its own", ExitCode.BUG);
            }
            ledger.add(entry.shifted(its.offsetNanos() - here.offsetNanos()));
        }
    }

    private void secondEnded(double second) {
        log.tick(clock.measureNanos() + Math.round(second * 1e9));
        if (second > 0) {
            harm.second(searches, feeder).ifPresent(run::abort);
        }
    }

    /** The load is over when the last of them has ended; where one has not, it may have been so until now. */
    private long endNanos() {
        double last = outcomes.values().stream()
                .mapToDouble(InjectorOutcome::endSecond)
                .max()
                .orElse(0);
        return allEnded()
                ? clock.measureNanos() + Math.round(last * 1e9)
                : Math.min(System.nanoTime(), clock.endNanos());
    }

    private LoadOutcome.Ending ending(BooleanSupplier interrupted) {
        if (run.isAborted()) {
            return LoadOutcome.Ending.ABORTED;
        }
        if (!faults.isEmpty()) {
            return LoadOutcome.Ending.LOST;
        }
        return interrupted.getAsBoolean() ? LoadOutcome.Ending.INTERRUPTED : LoadOutcome.Ending.COMPLETE;
    }

    /** Whoever asked checks the answers, and has to know for that what the others fed. */
    private CheckedAnswers checked() throws InterruptedException {
        run.host().status("checking answers");
        Map<Integer, CheckedAnswers> told = new HashMap<>();
        tellLedger();
        try {
            group.hearUntil(told::containsKey, CHECKING, "check their answers", (injector, frame) -> {
                if (frame instanceof Frame.Checked said) {
                    told.put(injector, said.answers());
                    group.done(injector);
                }
            });
        } catch (InjectorFailure failed) {
            faults.add(String.valueOf(failed.getMessage()));
        }
        run.host().status("");
        return MergedLoad.sum(run.plan().settings().value(Property.CHECKS), told.values(), clock.startNanos());
    }

    /** All are told the same, so that its size is not multiplied by theirs. */
    private void tellLedger() {
        LedgerFrames.of(ledger.takeEntries().stream().map(this::byServer).toList())
                .forEach(group::sayToAll);
        group.sayToAll(new Frame.Check());
    }

    private FeedLedger.Entry byServer(FeedLedger.Entry entry) {
        int injector = (int) Math.floorMod(entry.batch(), (long) group.size());
        long uncertainty = Optional.ofNullable(outcomes.get(injector))
                .map(outcome -> outcome.clock().uncertaintyNanos())
                .orElse(0L);
        long widened = entry.change() == FeedLedger.Change.SENT ? -uncertainty : uncertainty;
        return entry.shifted(here.offsetNanos() + widened);
    }
}
