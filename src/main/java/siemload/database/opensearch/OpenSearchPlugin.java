package siemload.database.opensearch;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
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
import siemload.database.Variant;
import siemload.database.layout.JsonLayout;
import siemload.query.Paging;

/** OpenSearch 2.19 or newer. Stateless and thread-safe. */
public final class OpenSearchPlugin implements TargetPlugin {
    /** 572 of the smoke data set with the native index set, and room for segments while they are merged. */
    private static final int BYTES_PER_EVENT = 900;

    private static final long MEBIBYTE = 1L << 20;
    private static final long SHARED_MEMORY_BYTES = 64 * MEBIBYTE;
    private static final String PREFIX = "index.";
    private static final String REFRESH_INTERVAL = "index.refresh_interval";
    private static final Pattern WITHOUT_TEXT = Pattern.compile("-?[0-9.]{1,20}(?:ms|s|m|b|kb|mb|gb)?|true|false");

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
    public Abilities abilities() {
        return new Abilities(
                JsonLayout.LABELS,
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
                OpenSearchSearches.FORMAT.own(abilities(), variant -> OpenSearchSearches.of(variant)::translate));
    }

    /** They are settings of the index that a run makes; what such an index takes is known to the server alone. */
    @Override
    public Optional<String> refusal(Variant variant, Provision provision, Map<String, String> parameters) {
        return parameters.keySet().stream()
                .filter(name -> !name.startsWith(PREFIX))
                .findFirst()
                .map(name -> name + " is no setting of an index (allowed: such as begin with " + PREFIX
                        + "; what is of the whole cluster is its administrator's)")
                .or(() -> parameters.getOrDefault(REFRESH_INTERVAL, "").startsWith("-")
                        ? Optional.of(REFRESH_INTERVAL + " must be an interval: what is fed would never be found")
                        : Optional.empty());
    }

    @Override
    public Optional<String> refusalFromFile(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .filter(parameter -> !WITHOUT_TEXT.matcher(parameter.getValue()).matches())
                .findFirst()
                .map(parameter -> parameter.getKey()
                        + " cannot be set by a file to anything but a number, an interval, a size or a switch");
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
