package siemload.database.memory;

import java.util.List;
import java.util.Set;
import siemload.database.Abilities;
import siemload.database.EmbeddedOptions;
import siemload.database.EmbeddedServer;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Offer;
import siemload.database.Partitions;
import siemload.database.Product;
import siemload.database.Provision;
import siemload.database.ServerAddress;
import siemload.database.Target;
import siemload.database.TargetOptions;
import siemload.database.TargetPlugin;
import siemload.query.Paging;

/**
 * The reference target. Its server is the Java process itself: every connected {@link Target} is a server of its own,
 * and what it keeps is gone when the process ends. Stateless and thread-safe.
 */
public final class MemoryPlugin implements TargetPlugin {
    private static final int BYTES_ON_DISK = 0;

    @Override
    public Product product() {
        return Product.inProcess(
                "memory", "plain memory", "plain scans over Java collections (reference, not a database)");
    }

    /** It has no indexes whatever the set, so that every variant of a database has a reference. */
    @Override
    public Abilities abilities() {
        return new Abilities(
                List.of("plain"),
                List.of(Partitions.NONE),
                List.of(IndexSet.NONE, IndexSet.NATIVE, IndexSet.TIME, IndexSet.FIELDS, IndexSet.COMPOUND),
                List.of(Hint.NONE),
                List.of(Paging.values()),
                List.of(Provision.EMBEDDED),
                BYTES_ON_DISK,
                BYTES_ON_DISK);
    }

    @Override
    public Set<Offer> offers() {
        return Set.of(Offer.ACCOUNTS, Offer.TRENDS);
    }

    @Override
    public EmbeddedServer startEmbedded(EmbeddedOptions options) {
        return EmbeddedServer.inProcess("memory:");
    }

    @Override
    public Target connect(ServerAddress address, TargetOptions options) {
        return new MemoryTarget(options.searchTimeout());
    }
}
