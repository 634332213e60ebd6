package siemload.target.mongodb;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.query.Paging;
import siemload.target.Abilities;
import siemload.target.ContainerOptions;
import siemload.target.ContainerServer;
import siemload.target.EmbeddedOptions;
import siemload.target.EmbeddedServer;
import siemload.target.Hint;
import siemload.target.IndexSet;
import siemload.target.Provision;
import siemload.target.ServerAddress;
import siemload.target.Target;
import siemload.target.TargetOptions;
import siemload.target.TargetPlugin;
import siemload.target.Variant;

/** MongoDB 6.0 or newer. Stateless and thread-safe. */
public final class MongodbPlugin implements TargetPlugin {
    /** Estimated, not measured: a document is about twice its JSON before compression, and the indexes half of that. */
    private static final int BYTES_PER_EVENT = 1_800;

    @Override
    public String id() {
        return "mongodb";
    }

    @Override
    public String title() {
        return "MongoDB 6.0 or newer, in a container or your own";
    }

    @Override
    public Abilities abilities() {
        return new Abilities(
                List.of("idea"),
                List.of(IndexSet.NATIVE, IndexSet.NONE, IndexSet.TIME, IndexSet.FIELDS, IndexSet.COMPOUND),
                List.of(Hint.NONE, Hint.FULL_SCAN, Hint.INDEX, Hint.TIME_INDEX),
                List.of(Paging.OFFSET, Paging.KEYSET, Paging.CURSOR),
                List.of(Provision.CONTAINER, Provision.EXTERNAL),
                BYTES_PER_EVENT);
    }

    /** What the server lets be set while it runs is known to it alone. */
    @Override
    public Optional<String> refusal(Variant variant, Provision provision, Map<String, String> parameters) {
        return Optional.empty();
    }

    @Override
    public EmbeddedServer startEmbedded(EmbeddedOptions options) {
        throw new UnsupportedOperationException("there is no embedded MongoDB");
    }

    @Override
    public Optional<ContainerServer> container(ContainerOptions options) {
        return Optional.of(MongodbContainer.of(options));
    }

    @Override
    public List<String> processNames() {
        return List.of("mongod");
    }

    @Override
    public Target connect(ServerAddress address, TargetOptions options) {
        return MongodbTarget.connect(new Connections(address, options), options);
    }
}
