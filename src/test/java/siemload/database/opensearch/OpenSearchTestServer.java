package siemload.database.opensearch;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import siemload.config.directory.DirectoryTree;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.ServerAddress;
import siemload.database.TargetPlugin.EmbeddedServer;
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
    private static final Path WANTED = Path.of("src", "test", "opensearch", "pom.xml");
    private static final Path LIBRARIES = Path.of("target", "opensearch");
    private static final int PATIENCE_MINUTES = 15;
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
        return RealServer.named("opensearch").orElseGet(() -> RealServer.server(own(), () -> {}));
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
                classPath(),
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

    /**
     * All libraries of OpenSearch, which are on no class path of siemload: Maven copies those that {@code src/test/opensearch/pom.xml} names,
     * once for each version of that file, for all processes.
     */
    private static String classPath() throws IOException, InterruptedException {
        Files.createDirectories(LIBRARIES);
        try (FileChannel file = FileChannel.open(
                        LIBRARIES.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock held = file.lock()) {
            Path libraries = LIBRARIES.resolve("libraries");
            Path copied = LIBRARIES.resolve("pom.xml");
            if (!Files.exists(copied) || Files.mismatch(copied, WANTED) >= 0) {
                DirectoryTree.delete(libraries);
                copyTo(libraries);
                Files.copy(WANTED, copied, StandardCopyOption.REPLACE_EXISTING);
            }
            return libraries.toAbsolutePath() + File.separator + "*";
        }
    }

    /** By the Maven that runs these tests; where none does, by the one that comes along. */
    private static void copyTo(Path libraries) throws IOException, InterruptedException {
        Path log = LIBRARIES.resolve("maven.log");
        String home = System.getProperty("maven.home", "");
        String repository = System.getProperty("localRepository", "");
        List<String> command = new ArrayList<>(List.of(
                (home.isEmpty() ? Path.of("mvnw") : Path.of(home, "bin", "mvn"))
                        .toAbsolutePath()
                        .toString(),
                "-B",
                "-ntp",
                "-q",
                "-f",
                WANTED.toString(),
                "dependency:copy-dependencies",
                "-DincludeScope=runtime",
                "-DoutputDirectory=" + libraries.toAbsolutePath()));
        if (Boolean.getBoolean("maven.offline")) {
            command.add("-o");
        }
        if (!repository.isEmpty()) {
            command.add("-Dmaven.repo.local=" + repository);
        }
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process maven = builder.start();
        maven.getOutputStream().close();
        if (!maven.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES) || maven.exitValue() != 0) {
            maven.destroyForcibly();
            throw new IOException(
                    "the libraries of OpenSearch for the tests could not be had (without -o, Maven fetches them into"
                            + " its local repository): " + String.join(" ", command) + "\n" + Files.readString(log));
        }
    }
}
