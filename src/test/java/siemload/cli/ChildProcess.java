package siemload.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import siemload.database.ServerAddress;
import siemload.database.postgresql.ServerDirectory;

/** A Java process with the class path of the tests, as users start it: own exit code, own output, own signals. */
public final class ChildProcess {
    /** Like those of {@code ./siemload}; and each lives for seconds, which an optimizing compiler does not give back. */
    private static final List<String> JVM = List.of(
            "-Xmx512m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-BytecodeVerificationRemote",
            "-Dsiemload.home=" + Path.of("").toAbsolutePath(),
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED");

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Process process;
    private final Path output;

    private ChildProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** What a process that has ended left behind; output and errors are in one text. */
    public record Ended(int exitCode, String output) {}

    /** {@code ./siemload} with these arguments; cache and results lie in the directory. */
    static ChildProcess siemload(Path directory, String... arguments) throws IOException {
        return start(directory, "siemload.cli.Main", List.of(), List.of(arguments));
    }

    static Map<String, String> environment(ServerAddress server) {
        return Map.of(
                "SIEMLOAD_URL", server.url(), "SIEMLOAD_USER", server.user(), "SIEMLOAD_PASSWORD", server.password());
    }

    static Map<String, String> byName(List<String> variables) {
        Map<String, String> environment = new HashMap<>();
        variables.stream().map(variable -> variable.split("=", 2)).forEach(pair -> environment.put(pair[0], pair[1]));
        return environment;
    }

    /** Another program with the class path of the tests. */
    static ChildProcess start(Path directory, String mainClass, List<String> jvmArguments, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(jvmArguments);
        command.add(mainClass);
        command.addAll(arguments);
        Path output = Files.createTempFile(directory, "output", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("SIEMLOAD_"));
        builder.environment().putAll(environment(directory));
        return new ChildProcess(builder.start(), output);
    }

    /** What all commands get. */
    static Map<String, String> environment(Path directory) {
        return Map.of(
                "SIEMLOAD_CACHE",
                ServerDirectory.withPrograms(directory.resolve("cache")).toString(),
                "SIEMLOAD_RESULTS",
                directory.resolve("results").toString(),
                // Each has a cache of its own, and so has met no server before.
                "SIEMLOAD_YES",
                "true",
                // What a summary leaves out is tested as well.
                "SIEMLOAD_DETAILS",
                "true");
    }

    /** Waits until it has ended by itself. */
    Ended await() throws IOException, InterruptedException {
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("still running after " + PATIENCE + ":\n" + output());
        }
        return new Ended(process.exitValue(), output());
    }

    /** Waits until it has printed this. */
    void awaitOutput(String text) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!output().contains(text)) {
            if (System.nanoTime() - deadline > 0 || process.waitFor(20, TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("never printed '" + text + "':\n" + output());
            }
        }
    }

    /** Stops it by a signal that it can answer, as a terminal or an operator would. */
    Ended interrupt() throws IOException, InterruptedException {
        process.destroy();
        return await();
    }

    /** The Java processes that it has started and that still run; waits for the first one. */
    List<ProcessHandle> children() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() - deadline < 0 && !process.waitFor(20, TimeUnit.MILLISECONDS)) {
            // Java starts them by a helper, without which it cannot start them.
            List<ProcessHandle> children = process.children()
                    .filter(child -> child.info().command().orElse("").endsWith("java"))
                    .toList();
            if (!children.isEmpty()) {
                return children;
            }
        }
        process.destroyForcibly();
        throw new AssertionError("never started a process:\n" + output());
    }

    /** Kills it, so that it can do nothing more. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** What it has printed so far. */
    String output() throws IOException {
        return Files.readString(output, StandardCharsets.UTF_8);
    }
}
