package siemload.database.opensearch;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import siemload.config.UrlForm;
import siemload.database.Abilities;
import siemload.database.ContainerServer;
import siemload.database.ContainerServer.ContainerOptions;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.Provision;
import siemload.database.ServerAddress;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.Offer;
import siemload.database.TargetPlugin.OwnLayouts;
import siemload.database.TargetPlugin.Product;
import siemload.database.layout.JsonSearches;
import siemload.query.Paging;

/** OpenSearch 2.19 or newer. Stateless and thread-safe. */
public final class OpenSearchPlugin implements TargetPlugin {
    /** 572 of the smoke data set with the native index set, and room for segments while they are merged. */
    private static final int BYTES_PER_EVENT = 900;

    private static final long MEBIBYTE = 1L << 20;
    private static final long SHARED_MEMORY_BYTES = 64 * MEBIBYTE;

    private static final String HOST_AND_PORT = "(?:[\\w.-]+|\\[[0-9A-Fa-f:.]+])(?::\\d{1,5})?/?";

    /** Nothing but their number tells its processes from other programs in Java; its client is Java's own, whose version is Java's. */
    @Override
    public Product product() {
        return new Product(
                "opensearch",
                "OpenSearch",
                "OpenSearch 2.19 or newer, in a container or your own",
                "a url that begins with https://",
                List.of("java"),
                Set.of(),
                Set.of(Offer.SHARED_STORES));
    }

    @Override
    public List<UrlForm> urlForms() {
        return List.of(
                new UrlForm("https://", HOST_AND_PORT, "", "https://host:9200"),
                new UrlForm("http://", HOST_AND_PORT, "", "http://localhost:9200"));
    }

    @Override
    public Abilities abilities() {
        return new Abilities(
                JsonSearches.LABELS,
                List.of(Partitions.NONE),
                List.of(IndexSet.NATIVE, IndexSet.NONE, IndexSet.TIME, IndexSet.FIELDS),
                List.of(Hint.NONE),
                List.of(Paging.OFFSET, Paging.KEYSET, Paging.CURSOR),
                List.of(Provision.CONTAINER, Provision.EXTERNAL),
                BYTES_PER_EVENT);
    }

    @Override
    public Optional<OwnLayouts> ownLayouts() {
        return Optional.of(
                OpenSearchSearches.FORMAT.own(abilities(), variant -> new OpenSearchSearches(variant)::translate));
    }

    /** It listens to this machine alone, so that it needs no users; half of the memory is for files that the system keeps. */
    @Override
    public Optional<ContainerServer> container(ContainerOptions options) {
        long heap = options.memoryBytes() / 2 / MEBIBYTE;
        return Optional.of(new ContainerServer(
                "opensearchproject/opensearch:2",
                9_200,
                Map.of(
                        "discovery.type", "single-node",
                        "DISABLE_INSTALL_DEMO_CONFIG", "true",
                        "DISABLE_SECURITY_PLUGIN", "true",
                        "OPENSEARCH_JAVA_OPTS", "-Xms" + heap + "m -Xmx" + heap + "m"),
                List.of(),
                SHARED_MEMORY_BYTES,
                ContainerServer.Rights.FEW,
                new ServerAddress("http://{host}:{port}", "", ""),
                this::probe));
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
