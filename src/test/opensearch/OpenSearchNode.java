import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.opensearch.common.settings.Settings;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.index.reindex.ReindexPlugin;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.transport.Netty4Plugin;

/**
 * A cluster of one node at a free port of 127.0.0.1, with those of OpenSearch's modules alone that the tests need. It ends and
 * deletes its data when its standard input does, which is when the process ends that started it.
 */
final class OpenSearchNode extends Node {
    private OpenSearchNode(Settings settings) {
        super(
                InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), null, () -> "tests"),
                List.of(Netty4Plugin.class, ReindexPlugin.class),
                true);
    }

    /** @param arguments the directory for its data, and the file that its port is written to once it is ready */
    public static void main(String[] arguments) throws Exception {
        Path home = Path.of(arguments[0]);
        Path portFile = Path.of(arguments[1]);
        try (Node node = new OpenSearchNode(settings(home)).start()) {
            // Until then it refuses to make indexes.
            node.client().admin().cluster().prepareHealth().setWaitForGreenStatus().get();
            HttpServerTransport http = node.injector().getInstance(HttpServerTransport.class);
            Path unfinished = portFile.resolveSibling("port-unfinished");
            Files.writeString(unfinished, Integer.toString(http.boundAddress().publishAddress().getPort()));
            Files.move(unfinished, portFile);
            System.in.transferTo(OutputStream.nullOutputStream());
        } finally {
            delete(home);
        }
    }

    private static Settings settings(Path home) {
        return Settings.builder()
                .put("path.home", home.toAbsolutePath().toString())
                .put("cluster.name", "siemload-tests")
                .put("node.name", "tests")
                .put("network.host", "127.0.0.1")
                .put("http.port", "0")
                .put("transport.port", "0")
                .put("discovery.type", "single-node")
                // It would take no more documents where nine tenths of the disk are full.
                .put("cluster.routing.allocation.disk.threshold_enabled", false)
                .build();
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
