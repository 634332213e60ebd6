package siemload.load.injector;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import siemload.load.PlanProof;
import siemload.measure.ClockOffset;
import siemload.run.LoadRun;
import siemload.run.RunPlan;

/**
 * The load of a run, made by several injectors: each gets its part, all begin at one instant of the server's clock, and what they
 * measure becomes one result. Where one fails, all end. Made and used once, by one thread, but for an interrupt.
 */
public final class InjectedLoad {
    private final LoadRun run;
    private final String version;
    private final InjectorGroup group;
    private final CountDownLatch handedOver = new CountDownLatch(1);
    private volatile boolean interrupted;

    private InjectedLoad(LoadRun run, InjectorHost place, String version) {
        this.run = run;
        this.version = version;
        this.group = new InjectorGroup(place, run.plan().injectors(), () -> interrupted);
    }

    /**
     * Makes the load, and finishes the run.
     *
     * @param place where the injectors are started; closed at the end
     * @param version of siemload, which injectors must have, too
     */
    public static void conduct(LoadRun run, InjectorHost place, String version) {
        new InjectedLoad(run, place, version).conduct();
    }

    /** After how long the injectors of a run have ended at the latest, from when they are started. */
    public static Duration longest(RunPlan plan) {
        return JointStart.PREPARATION.plus(RunningLoad.longest(plan));
    }

    private void conduct() {
        try (group) {
            PlanProof.of(run);
            run.prepareServer();
            run.openMonitor();
            run.onInterrupt(this::interrupt);
            load();
        } finally {
            handedOver.countDown();
        }
    }

    /** Ends the load; returns when the results are written, or there are none. */
    private void interrupt() {
        interrupted = true;
        try {
            handedOver.await();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private void load() {
        try {
            Optional<RunningLoad> begun = begin();
            if (begun.isPresent()) {
                begun.orElseThrow().toEnd(() -> interrupted);
            } else {
                callOff();
            }
        } catch (InjectorFailure beforeTheStart) {
            run.host().status("");
            // Before the others have ended: a pod in which Java starts just now takes some 20 s for that.
            run.host().failure(String.valueOf(beforeTheStart.getMessage()), beforeTheStart);
            callOff();
            run.host().endWith(beforeTheStart.code(), "");
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            callOff();
        }
    }

    /** Those that are ready must not begin, nor be at work in the store when the run drops it. */
    private void callOff() {
        group.sayToAll(new Frame.Stop());
        run.host().status("");
        group.close();
        run.abandon();
    }

    /** @return nothing where the process is being stopped */
    private Optional<RunningLoad> begin() throws InjectorFailure, InterruptedException {
        run.host().status("starting " + group.size() + " injectors");
        String store = run.store().nameToJoin().orElseThrow();
        group.start(new InjectorParts(version, Frame.Duty.MAKE_LOAD, run.plan(), run.server(), store)::of);
        JointStart start = new JointStart(group);
        if (!start.awaitReady()) {
            return Optional.empty();
        }
        run.host().status("");
        ClockOffset here = run.clock();
        OptionalLong agreed = start.agree(here);
        return agreed.isPresent()
                ? Optional.of(new RunningLoad(run, group, start.ready(), here, here.nanos(agreed.getAsLong())))
                : Optional.empty();
    }
}
