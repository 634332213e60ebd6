package siemload.load;

import java.time.Duration;
import java.util.List;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetPlugin;
import siemload.database.Variant;
import siemload.event.SecurityEvent;
import siemload.query.Paging;

/** Stores of the reference, which open two sessions at the most. */
final class MemoryStores {
    private MemoryStores() {}

    /** A copy of a data set of these events. */
    static Store of(List<SecurityEvent> events) {
        DatasetKey key = new DatasetKey("0", "events", events.size());
        Variant variant = new Variant("plain", IndexSet.NONE, Hint.NONE, Paging.CURSOR);
        Target target = TargetPlugin.find("memory")
                .orElseThrow()
                .connect(new ServerAddress("", "", ""), new TargetOptions(variant, Duration.ofSeconds(10), 2));
        target.load(key, load -> load.write(events), step -> {});
        return target.copy(key, "copy");
    }
}
