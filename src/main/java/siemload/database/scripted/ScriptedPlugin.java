package siemload.database.scripted;

import java.util.List;
import java.util.Map;
import java.util.Optional;
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
import siemload.database.Variant;
import siemload.query.Paging;

/** Answers by the clock, see {@link Behaviour}; it stores nothing but the ids of fed events. Stateless and thread-safe. */
public final class ScriptedPlugin implements TargetPlugin {
    private static final int BYTES_ON_DISK = 0;

    @Override
    public Product product() {
        return Product.inProcess(
                "scripted", "scripted", "answers by the clock, to test siemload itself (not a database)");
    }

    @Override
    public Abilities abilities() {
        return new Abilities(
                List.of("by-search"),
                List.of(Partitions.NONE),
                List.of(IndexSet.NONE),
                List.of(Hint.NONE),
                List.of(Paging.OFFSET),
                List.of(Provision.EMBEDDED),
                BYTES_ON_DISK,
                BYTES_ON_DISK);
    }

    @Override
    public Set<Offer> offers() {
        return Set.of(Offer.TRENDS, Offer.SHARED_STORES);
    }

    @Override
    public Optional<String> refusal(Variant variant, Provision provision, Map<String, String> parameters) {
        return ScriptTiming.refusal(parameters);
    }

    @Override
    public EmbeddedServer startEmbedded(EmbeddedOptions options) {
        return EmbeddedServer.inProcess("scripted:");
    }

    @Override
    public Target connect(ServerAddress address, TargetOptions options) {
        return new ScriptedTarget(options.searchTimeout(), options.parameters());
    }
}
