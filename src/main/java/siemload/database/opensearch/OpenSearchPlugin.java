package siemload.database.opensearch;

import java.util.Optional;
import siemload.database.ServerAddress;
import siemload.database.Target;
import siemload.database.TargetPlugin;

/** OpenSearch 2.19 or newer. Stateless and thread-safe. */
public final class OpenSearchPlugin implements TargetPlugin {
    @Override
    public Optional<OwnLayouts> ownLayouts() {
        return Optional.of(OpenSearchSearches.FORMAT);
    }

    @Override
    public Target connectExisting(ServerAddress address, Target.TargetOptions options) {
        return connect(address, options);
    }

    @Override
    public Target connect(ServerAddress address, Target.TargetOptions options) {
        return new OpenSearchServer(address, options);
    }
}
