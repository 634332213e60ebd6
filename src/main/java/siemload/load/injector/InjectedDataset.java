package siemload.load.injector;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import siemload.config.Property;
import siemload.database.ServerAddress;
import siemload.database.TargetException;
import siemload.run.ExitCode;
import siemload.run.RunHost;
import siemload.run.RunHost.DatasetLoaders;
import siemload.run.RunPlan;
import siemload.run.RunProcesses;

/**
 * A data set that injectors load: each writes the events whose numbers are its own. Where one fails, all end, and nothing is
 * loaded. Thread-safe.
 *
 * @param host whose processes they are
 * @param version of siemload, which injectors must have, too
 * @param told is told at once why a load ends: until the others have ended as well, some seconds may pass
 */
public record InjectedDataset(RunHost host, String version, Consumer<String> told) implements DatasetLoaders {

    @Override
    public long load(RunPlan plan, ServerAddress server, String name, LongConsumer written) {
        Map<Integer, Long> bytes = new HashMap<>();
        Duration patience = plan.settings().value(Property.MAINTENANCE_TIMEOUT);
        String dataset = "the data set '" + plan.source().name() + "'";
        try (Injectors group = Injectors.of(plan, new RunProcesses(host), () -> false)) {
            try {
                group.start(shard -> Frame.Part.of(version, Frame.Duty.LOAD_DATA_SET, plan, shard, server, name));
                boolean unused = group.hearUntil(bytes::containsKey, patience, "load its share", (injector, frame) -> {
                    if (frame instanceof Frame.Written more) {
                        written.accept(more.events());
                    } else if (frame instanceof Frame.Stored all) {
                        bytes.put(injector, all.bytes());
                        group.done(injector);
                    } else {
                        throw group.failure(injector, "said " + frame + " while it loaded", ExitCode.BUG);
                    }
                });
            } catch (Injectors.Failure failed) {
                told.accept(String.valueOf(failed.getMessage()));
                throw new TargetException(dataset + " is not loaded: " + failed.getMessage(), failed);
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            throw new TargetException("the load of " + dataset + " was interrupted", hurried);
        }
        return bytes.values().stream().mapToLong(Long::longValue).sum();
    }
}
