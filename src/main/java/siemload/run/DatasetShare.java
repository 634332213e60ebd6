package siemload.run;

import java.util.function.LongConsumer;
import siemload.database.ServerAddress;
import siemload.database.Store.BulkLoad;
import siemload.database.Target;
import siemload.run.LoadRun.Shard;

/** What one of several processes loads of a data set: the events whose numbers are of its shard. Stateless. */
public final class DatasetShare {
    private static final int BATCH = 1_000;

    private DatasetShare() {}

    /**
     * Writes the share of this process, and returns when it is stored.
     *
     * @param plan with the shard of this process
     * @param name by which the load is joined
     * @param written hears of how many more events were handed over
     * @return the size of these events as IDEA JSON, in bytes
     * @throws siemload.database.TargetException if the server refuses, or has no such load
     */
    public static long load(RunPlan plan, ServerAddress server, String name, LongConsumer written) {
        Shard shard = plan.shard();
        try (Target target = plan.choice().plugin().connect(server, RunSetup.options(plan, 1));
                BulkLoad load = target.joinLoad(name)) {
            plan.source().readPart(BATCH, shard.index(), shard.count(), load::prepare, prepared -> {
                prepared.write();
                written.accept(prepared.events().size());
            });
            return load.store();
        }
    }
}
