package siemload.database.opensearch;

import java.util.Optional;
import siemload.database.ServerAddress;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetPlugin;

/** OpenSearch 2.19 or newer. Stateless and thread-safe. */
public final class OpenSearchPlugin implements TargetPlugin {
    @Override
    public Optional<OwnLayouts> ownLayouts() {
        return Optional.of(
                OpenSearchSearches.FORMAT.own(abilities(), variant -> new OpenSearchSearches(variant)::translate));
    }

    @Override
    public Target connectExisting(ServerAddress address, TargetOptions options) {
        return connect(address, options);
    }

    @Override
    public Target connect(ServerAddress address, TargetOptions options) {
        return new OpenSearchServer(address, options);
    }
}
