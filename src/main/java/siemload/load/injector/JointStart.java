package siemload.load.injector;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import siemload.measure.ClockOffset;
import siemload.run.ExitCode;

/**
 * How all injectors of a run come to begin at one instant: they get ready, are told an instant that lies ahead, and say that they
 * are in time for it, while there is still time to call it off. Used by one thread.
 */
final class JointStart {
    static final Duration PREPARATION = Duration.ofMinutes(10);
    /** More than it takes to tell all of them, to hear that they agree, and to have everything ready that users need. */
    private static final Duration LEAD = Duration.ofSeconds(2);
    /** It takes less to tell all of them that nothing comes of it. */
    private static final Duration CALLING_OFF = Duration.ofMillis(300);

    private final InjectorGroup group;
    private final Map<Integer, Frame.Ready> ready = new HashMap<>();
    private final Set<Integer> agreed = new HashSet<>();

    JointStart(InjectorGroup group) {
        this.group = group;
    }

    /** What each has said of itself, by its number; of those that are ready. */
    Map<Integer, Frame.Ready> ready() {
        return Map.copyOf(ready);
    }

    /**
     * Waits until all are ready.
     *
     * @return whether they are; not where the process is being stopped
     * @throws InjectorFailure if one of them fails before
     */
    boolean awaitReady() throws InjectorFailure, InterruptedException {
        return group.hearUntil(ready::containsKey, PREPARATION, "get ready", (injector, frame) -> {
            if (frame instanceof Frame.Ready said) {
                ready.put(injector, said);
            } else {
                throw group.failure(injector, "said " + frame + " before it was ready", ExitCode.BUG);
            }
        });
    }

    /**
     * Tells all of them when to begin, and hears from each that it will.
     *
     * @param here how this process's clock goes with the server's
     * @return when, by the server's clock; nothing where the process is being stopped
     * @throws InjectorFailure if one of them fails, or does not say so in time; the others have to be stopped at once, then
     */
    OptionalLong agree(ClockOffset here) throws InjectorFailure, InterruptedException {
        long uncertainty = ready.values().stream()
                .mapToLong(said -> said.clock().uncertaintyNanos())
                .max()
                .orElse(0);
        long lead = LEAD.toNanos() + 2 * uncertainty;
        long start = here.serverNanos(System.nanoTime()) + lead;
        group.sayToAll(new Frame.Start(start));
        Duration patience = Duration.ofNanos(lead).minus(CALLING_OFF);
        boolean all = group.hearUntil(agreed::contains, patience, "agree to the start", (injector, frame) -> {
            if (frame instanceof Frame.Agreed) {
                agreed.add(injector);
            } else {
                throw group.failure(injector, "said " + frame + " before the start", ExitCode.BUG);
            }
        });
        return all ? OptionalLong.of(start) : OptionalLong.empty();
    }
}
