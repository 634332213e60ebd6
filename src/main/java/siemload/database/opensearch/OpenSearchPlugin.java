package siemload.database.opensearch;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.database.ServerAddress;
import siemload.database.Target;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.ContainerServer.ContainerOptions;

/** OpenSearch 2.19 or newer. Stateless and thread-safe. */
public final class OpenSearchPlugin implements TargetPlugin {
    @Override
    public Optional<OwnLayouts> ownLayouts() {
        return Optional.of(OpenSearchSearches.FORMAT);
    }

    /** The server listens only on this machine, so it needs no users; half of the memory is for the system's file cache. */
    @Override
    public Optional<ContainerServer> container(ContainerOptions options) {
        long heap = options.memoryBytes() >> 21;
        return Optional.of(new ContainerServer(
                "opensearchproject/opensearch:2",
                9_200,
                Map.of(
                        "discovery.type", "single-node",
                        "DISABLE_INSTALL_DEMO_CONFIG", "true",
                        "DISABLE_SECURITY_PLUGIN", "true",
                        "OPENSEARCH_JAVA_OPTS", "-Xms" + heap + "m -Xmx" + heap + "m"),
                List.of(),
                64L << 20,
                false,
                new ServerAddress("http://{host}:{port}", "", ""),
                this::probe));
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
