package siemload.load.injector;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.database.ServerAddress;
import siemload.load.PlanProof;
import siemload.measure.ClockOffset;
import siemload.run.ExitCode;
import siemload.run.LoadRun;

/**
 * The load of a run, made by several injectors: each gets its part, all begin at one instant of the server's clock, and what they
 * measure becomes one result. Where one fails, all end. Made and used once, by one thread, but for an interrupt.
 */
public final class InjectedLoad {
    private static final Duration PREPARATION = Duration.ofMinutes(10);
    /** More than it takes to tell all of them, and to have everything ready that users need. */
    private static final long LEAD_NANOS = Duration.ofSeconds(1).toNanos();

    private final LoadRun run;
    private final String version;
    private final InjectorGroup group;
    private final Map<Integer, ClockOffset> clocks = new HashMap<>();
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
            if (!getReady()) {
                run.abandon();
                return;
            }
            run.host().status("");
            ClockOffset here = run.clock();
            long start = here.nanos(begin(here));
            new RunningLoad(run, group, clocks, here, start).toEnd(() -> interrupted);
        } catch (InjectorFailure beforeTheStart) {
            run.host().status("");
            run.host().failure(String.valueOf(beforeTheStart.getMessage()), beforeTheStart);
            run.abandon();
            run.host().endWith(beforeTheStart.code());
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            run.abandon();
        }
    }

    private boolean getReady() throws InjectorFailure, InterruptedException {
        run.host().status("starting " + group.size() + " injectors");
        group.start(this::part);
        return group.hearUntil(() -> clocks.size() == group.size(), PREPARATION, "get ready", (injector, frame) -> {
            if (frame instanceof Frame.Ready ready) {
                clocks.put(injector, ready.clock());
            } else {
                throw group.failure(injector, "said " + frame + " before it was ready", ExitCode.BUG);
            }
        });
    }

    /** @return when, by the server's clock */
    private long begin(ClockOffset here) {
        long uncertainty = clocks.values().stream()
                .mapToLong(ClockOffset::uncertaintyNanos)
                .max()
                .orElse(0);
        long start = here.serverNanos(System.nanoTime()) + LEAD_NANOS + 2 * uncertainty;
        group.sayToAll(new Frame.Start(start));
        return start;
    }

    private Frame part(int shard) {
        ServerAddress server = run.server();
        return new Frame.Part(
                version,
                given(),
                shard,
                group.size(),
                server.url(),
                server.user(),
                server.password(),
                run.store().nameToJoin().orElseThrow());
    }

    /** What the user has set, wherever; what nobody did follows from it there as here. */
    private Map<String, String> given() {
        List<String> ofThisProcess = List.of(Property.RESULTS.name(), Property.LIVE.name());
        return run.plan().settings().list().stream()
                .filter(setting -> !(setting.origin() instanceof Origin.Default))
                .filter(setting -> !ofThisProcess.contains(setting.name()))
                .collect(Collectors.toMap(Setting::name, Setting::value));
    }
}
