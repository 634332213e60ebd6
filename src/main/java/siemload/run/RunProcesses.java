package siemload.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import siemload.config.DaemonThread;
import siemload.config.RegularFile;
import siemload.run.RunHost.RunLauncher;

/**
 * Starts runs in separate processes, as users do: Gatling runs only once in a process, and CPU time is counted for each process. These
 * processes end with this one. Thread-safe.
 */
public final class RunProcesses {
    /** The argument with the id of the parent process: a process with it ends with its parent, even if the parent is killed. */
    private static final String PARENT = "-Dsiemload.parent=";

    private static final int ENDING_SECONDS = 60;

    private static final Set<Integer> SIGNALLED = Set.of(128 + 1, ExitCode.INTERRUPTED.number(), 128 + 15);

    private final RunLauncher launcher;
    private final List<Process> running = new ArrayList<>();
    private boolean stopped;

    /** Creates a starter of processes that end when the host's process stops. */
    public RunProcesses(RunHost host) {
        this.launcher = host.launcher();
        host.onShutdown(this::stop);
    }

    /**
     * Starts a run of one of siemload's own scenarios, which fails only if something breaks down. The directory gets a copy of the
     * scenario, the log and the results, under the scenario's name.
     *
     * @param owner the class next to which the scenario is a resource
     * @throws IllegalStateException if this process is being stopped
     */
    public Process start(Class<?> owner, String scenario, Path directory, Path cache, String options)
            throws IOException {
        Path file = Files.createDirectories(directory).resolve(scenario + ".yaml");
        Files.writeString(file, RegularFile.resource(owner, scenario + ".yaml"));
        List<String> all = new ArrayList<>(List.of((options + " --checks 0 --failOn breakdown").split(" ")));
        String results = directory.resolve(scenario).toString();
        all.addAll(List.of("--scenario", file.toString(), "--results", results, "--cache", cache.toString()));
        return start(all, directory.resolve(scenario + ".log"), withoutSettings());
    }

    /** Returns the environment without settings: the settings of this process are not meant for other processes. */
    private Map<String, String> withoutSettings() {
        Map<String, String> variables = new HashMap<>(launcher.environment());
        variables.keySet().removeIf(name -> name.startsWith("SIEMLOAD_"));
        return variables;
    }

    /**
     * Starts {@code siemload run}.
     *
     * @param options the options of the command line
     * @param log receives all output of the run
     * @param environment the only variables that the run gets
     * @throws IllegalStateException if this process is being stopped
     */
    public Process start(List<String> options, Path log, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = builder("run", options, environment).redirectErrorStream(true);
        Process process = start(builder.redirectOutput(log.toFile()));
        process.getOutputStream().close();
        return process;
    }

    /**
     * Starts {@code siemload inject}, which reads its instructions from standard input.
     *
     * @param via the shell command that starts the injector elsewhere; empty for a process of this machine
     */
    public Process startInjector(Optional<String> via) throws IOException {
        ProcessBuilder builder = builder("inject", List.of(), withoutSettings());
        via.ifPresent(command -> builder.command("sh", "-c", command));
        return start(builder);
    }

    private ProcessBuilder builder(String name, List<String> options, Map<String, String> environment) {
        List<String> command = new ArrayList<>(launcher.java());
        command.removeIf(argument -> argument.startsWith(PARENT));
        command.add(PARENT + ProcessHandle.current().pid());
        command.addAll(List.of("-cp", launcher.classPath(), launcher.mainClass(), name));
        command.addAll(options);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().clear();
        builder.environment().putAll(environment);
        return builder;
    }

    /** Starts another process. @throws IllegalStateException if this process is being stopped */
    public synchronized Process start(ProcessBuilder builder) throws IOException {
        if (stopped) {
            throw new IllegalStateException("being stopped");
        }
        Process process = builder.start();
        running.add(process);
        return process;
    }

    /**
     * Returns whether a process with this exit code was ended by a signal: HUP, INT or TERM. A terminal sends a signal to all processes of
     * a command at once, so a run may end before the process that waits for it receives the signal. Java ends with 128 plus the number of
     * the signal if the run has not begun.
     */
    public static boolean wasInterrupted(int exitCode) {
        return SIGNALLED.contains(exitCode);
    }

    /** Makes this process end, in good order, when its parent is gone. */
    public static void endWithParent(RunHost host) {
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith(PARENT))
                .map(argument -> Long.parseLong(argument.substring(PARENT.length())))
                .forEach(pid -> {
                    DaemonThread.start("siemload-parent", () -> {
                        ProcessHandle.of(pid)
                                .ifPresent(parent -> parent.onExit().join());
                        host.exit(ExitCode.INTERRUPTED);
                    });
                });
    }

    /** Waits for the exit code; a process that takes longer than {@code patience} is told to end. */
    public static int await(Process process, Duration patience) throws InterruptedException {
        if (!process.waitFor(patience.toSeconds(), TimeUnit.SECONDS)) {
            process.destroy();
        }
        return process.waitFor();
    }

    /** Returns the last line of a run's output, which says why the run ended. */
    public static String lastLine(Path log) {
        try {
            return Files.readString(log).strip().lines().reduce("no output", (before, line) -> line);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Ends all processes, and waits until they have stopped their servers. */
    public void stop() {
        List<Process> left;
        synchronized (this) {
            stopped = true;
            left = running.stream().filter(Process::isAlive).toList();
        }
        left.forEach(Process::destroy);
        try {
            for (Process process : left) {
                process.waitFor(ENDING_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
