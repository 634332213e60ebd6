package siemload.database.opensearch;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import siemload.config.directory.DirectoryTree;

/**
 * The libraries of the OpenSearch of the tests, which are on no class path of siemload: Maven copies those that
 * {@code src/test/opensearch/pom.xml} names below {@code target}, once for each version of that file. Safe for use by several
 * processes.
 */
final class OpenSearchLibraries {
    private static final Path WANTED = Path.of("src", "test", "opensearch", "pom.xml");
    private static final Path DIRECTORY = Path.of("target", "opensearch");
    private static final int PATIENCE_MINUTES = 15;

    private OpenSearchLibraries() {}

    /** The class path for a process with all of them. */
    static String classPath() throws IOException, InterruptedException {
        Files.createDirectories(DIRECTORY);
        try (FileChannel file = FileChannel.open(
                        DIRECTORY.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock held = file.lock()) {
            Path libraries = DIRECTORY.resolve("libraries");
            Path copied = DIRECTORY.resolve("pom.xml");
            if (!Files.exists(copied) || Files.mismatch(copied, WANTED) >= 0) {
                DirectoryTree.delete(libraries);
                copyTo(libraries);
                Files.copy(WANTED, copied, StandardCopyOption.REPLACE_EXISTING);
            }
            return libraries.toAbsolutePath() + File.separator + "*";
        }
    }

    private static void copyTo(Path libraries) throws IOException, InterruptedException {
        Path log = DIRECTORY.resolve("maven.log");
        List<String> command = command(libraries);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process maven = builder.start();
        maven.getOutputStream().close();
        boolean ended = maven.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES);
        if (!ended || maven.exitValue() != 0) {
            maven.destroyForcibly();
            throw new IOException(
                    "the libraries of OpenSearch for the tests could not be had (without -o, Maven fetches them into"
                            + " its local repository): " + String.join(" ", command) + "\n" + Files.readString(log));
        }
    }

    private static List<String> command(Path libraries) {
        List<String> command = new ArrayList<>(List.of(maven(), "-B", "-ntp", "-q"));
        if (Boolean.getBoolean("maven.offline")) {
            command.add("-o");
        }
        property("localRepository").ifPresent(directory -> command.add("-Dmaven.repo.local=" + directory));
        command.addAll(List.of(
                "-f",
                WANTED.toString(),
                "dependency:copy-dependencies",
                "-DincludeScope=runtime",
                "-DoutputDirectory=" + libraries.toAbsolutePath()));
        return command;
    }

    /** The one that runs these tests; where none does, the one that comes along. */
    private static String maven() {
        return property("maven.home")
                .map(home -> Path.of(home, "bin", "mvn").toString())
                .orElse(Path.of("mvnw").toAbsolutePath().toString());
    }

    private static Optional<String> property(String name) {
        return Optional.ofNullable(System.getProperty(name)).filter(value -> !value.isEmpty());
    }
}
