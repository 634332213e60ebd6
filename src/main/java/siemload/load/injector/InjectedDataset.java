package siemload.load.injector;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.LongConsumer;
import siemload.config.Property;
import siemload.database.ServerAddress;
import siemload.database.TargetException;
import siemload.run.ExitCode;
import siemload.run.RunHost.DatasetLoaders;
import siemload.run.RunPlan;

/**
 * A data set that injectors load: each writes the events whose numbers are its own. Where one fails, all end, and nothing is
 * loaded. Thread-safe.
 */
public final class InjectedDataset implements DatasetLoaders {
    /** More than it takes to start them all and to hear from them. */
    private static final Duration AROUND = Duration.ofMinutes(10);

    private final Function<RunPlan, InjectorHost> places;
    private final String version;
    private final Consumer<String> told;

    /**
     * Loads by injectors of their own, which have ended when the data set is loaded.
     *
     * @param places where they are started; each is closed after a load
     * @param version of siemload, which injectors must have, too
     * @param told is told at once why a load ends: until the others have ended as well, half a minute may pass
     */
    public InjectedDataset(Function<RunPlan, InjectorHost> places, String version, Consumer<String> told) {
        this.places = places;
        this.version = version;
        this.told = told;
    }

    /** After how long those that load the data set of a run have ended at the latest, from when they are started. */
    public static Duration longest(RunPlan plan) {
        return AROUND.plus(plan.settings().value(Property.MAINTENANCE_TIMEOUT));
    }

    @Override
    public long load(RunPlan plan, ServerAddress server, String name, LongConsumer written) {
        Map<Integer, Long> bytes = new HashMap<>();
        Duration patience = plan.settings().value(Property.MAINTENANCE_TIMEOUT);
        try (InjectorGroup group = new InjectorGroup(places.apply(plan), plan.injectors(), () -> false)) {
            InjectorParts parts = new InjectorParts(version, Frame.Duty.LOAD_DATA_SET, plan, server, name);
            load(group, parts, bytes::containsKey, patience, (injector, frame) -> {
                if (frame instanceof Frame.Written more) {
                    written.accept(more.events());
                } else if (frame instanceof Frame.Stored all) {
                    bytes.put(injector, all.bytes());
                    group.done(injector);
                } else {
                    throw group.failure(injector, "said " + frame + " while it loaded", ExitCode.BUG);
                }
            });
        } catch (InjectorFailure failed) {
            throw new TargetException(
                    "the data set '" + plan.source().name() + "' is not loaded: " + failed.getMessage(), failed);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            throw new TargetException(
                    "the load of the data set '" + plan.source().name() + "' was interrupted", hurried);
        }
        return bytes.values().stream().mapToLong(Long::longValue).sum();
    }

    private void load(
            InjectorGroup group,
            InjectorParts parts,
            IntPredicate isDone,
            Duration patience,
            InjectorGroup.Hearing hearing)
            throws InjectorFailure, InterruptedException {
        try {
            group.start(parts::of);
            boolean unused = group.hearUntil(isDone, patience, "load its share", hearing);
        } catch (InjectorFailure failed) {
            told.accept(String.valueOf(failed.getMessage()));
            throw failed;
        }
    }
}
