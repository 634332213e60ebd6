package siemload.database.opensearch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import siemload.config.directory.DirectoryTree;
import siemload.database.EmbeddedServer;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.ServerAddress;
import siemload.database.Variant;
import siemload.database.contract.ContractSubject;
import siemload.database.provision.RealServer;
import siemload.query.Paging;

/**
 * The server of the tests: the OpenSearch that {@code SIEMLOAD_TEST_OPENSEARCH_URL} names (with
 * {@code SIEMLOAD_TEST_OPENSEARCH_USER} and {@code SIEMLOAD_TEST_OPENSEARCH_PASSWORD} if it asks for them), or else OpenSearch
 * itself in a process of its own. That one starts with the first test that asks for it, in two seconds, serves all test
 * classes of this process, and ends with it, however it ends.
 */
public final class OpenSearchTestServer {
    private static final Path ALL = Path.of("target", "test servers");
    private static final Path PROGRAM = Path.of("src", "test", "opensearch", "OpenSearchNode.java");
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static Optional<ServerAddress> started = Optional.empty();

    private OpenSearchTestServer() {}

    static ContractSubject subject(IndexSet indexes) {
        return new ContractSubject(new OpenSearchPlugin(), variant(indexes), OpenSearchTestServer::start);
    }

    static Variant variant(IndexSet indexes) {
        return new Variant("idea", indexes, Hint.NONE, Paging.OFFSET);
    }

    /** Starts or finds it. */
    public static EmbeddedServer start() {
        ServerAddress address = environment("URL").isEmpty()
                ? own()
                : new ServerAddress(environment("URL"), environment("USER"), environment("PASSWORD"));
        return RealServer.server(address, () -> {});
    }

    private static synchronized ServerAddress own() {
        if (started.isEmpty()) {
            try {
                started = Optional.of(new ServerAddress("http://127.0.0.1:" + startedAt(), "", ""));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while OpenSearch started", e);
            }
        }
        return started.orElseThrow();
    }

    /** The port at which it listens, once it does. */
    private static String startedAt() throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory(Files.createDirectories(ALL), "opensearch-");
        Path log = directory.resolve("log");
        Path port = directory.resolve("port");
        Process server = new ProcessBuilder(command(directory.resolve("home"), port))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(server, directory)));
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!Files.exists(port)) {
            if (server.waitFor(20, TimeUnit.MILLISECONDS) || System.nanoTime() > deadline) {
                throw new IOException("OpenSearch did not start:\n" + Files.readString(log));
            }
        }
        return Files.readString(port);
    }

    private static List<String> command(Path home, Path port) throws IOException, InterruptedException {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                // As for the tests themselves: it lives for minutes.
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:-BytecodeVerificationRemote",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                OpenSearchLibraries.classPath(),
                PROGRAM.toString(),
                home.toString(),
                port.toString());
    }

    /** Nobody needs its data any more, so that it need not end in order. */
    private static void end(Process server, Path directory) {
        try {
            server.destroyForcibly().waitFor();
            DirectoryTree.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String environment(String name) {
        return System.getenv().getOrDefault("SIEMLOAD_TEST_OPENSEARCH_" + name, "");
    }
}
